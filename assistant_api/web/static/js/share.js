/** Links to hand on, each with its QR code: one for looking, one for players who write. */
import { call } from "./api.js";
import { t } from "./boot.js";
import { button, sheetHead } from "./controls.js";
import { h, openSheet, toast, $ } from "./dom.js";
import { evening, took } from "./evening.js";
import { showFault } from "./fault.js";
import { tell } from "./ledger.js";
import { newKey } from "./memory.js";
import { knownGame } from "./my_games.js";

const dialog = $("sheet");

async function copy(url) {
  try {
    await navigator.clipboard.writeText(url);
    toast(t("share.copied"));
  } catch {
    $("share-url").select(); // at an http address there is no clipboard: a person copies it by hand
  }
}

async function show(path, title, hint, extra = null) {
  openSheet(dialog, sheetHead(dialog, title, hint), h("p", { class: "hint" }, t("dock.checking")));
  try {
    const { url, svg } = await call("POST", "/api/qr", { path });
    const picture = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    const native = navigator.share && button("share-native", t("share.send"), () => navigator.share({ url }).catch(() => {}), "primary wide");
    openSheet(
      dialog,
      sheetHead(dialog, title, hint),
      h("img", { class: "qr", src: picture, alt: t("share.qr"), onload: () => URL.revokeObjectURL(picture) }),
      h("div", { class: "field" }, h("label", { for: "share-url" }, t("share.link")), h("input", { id: "share-url", readonly: true, value: url, onfocus: (event) => event.target.select() })),
      native,
      button("share-copy", t("share.copy"), () => copy(url), "wide"),
      extra,
    );
  } catch (problem) {
    dialog.close();
    showFault(problem);
  }
}

async function renew() {
  try {
    took(await tell(evening.code, "POST", "/share", undefined, { key: newKey() }));
    toast(t("share.renewed"));
    dialog.close();
  } catch (problem) {
    dialog.close();
    showFault(problem);
  }
}

/** For looking: the share code opens it, nothing can be changed. */
export function openShare() {
  const { game } = evening;
  show(`/g/${game.share_code}`, t("share.look_title"), t("share.look_hint"), game.can_write && button("share-renew", t("share.renew"), renew, "plain wide"));
}

/** For players: whoever has this link may write, and may hand it on. */
export function openInvite() {
  show(`/t/${evening.game.id}#${knownGame(evening.code).token}`, t("share.play_title"), t("share.play_hint"));
}
