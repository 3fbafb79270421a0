/** What can be entered now, and taking back. */
import { t } from "./boot.js";
import { button } from "./controls.js";
import { h, redraw, toast, $ } from "./dom.js";
import { isAway } from "./connection.js";
import { evening, took } from "./evening.js";
import { showFault } from "./fault.js";
import { tell } from "./ledger.js";
import { newKey } from "./memory.js";
import { waiting } from "./queue.js";
import { openDeal, openDraw, openEscape, openPenalty } from "./sheets.js";

let stepping = false;

async function travel(which) {
  if (stepping) return;
  if (isAway() || waiting().length) return showFault({ message: t(isAway() ? "game.undo_away" : "game.undo_waiting"), body: { title: t(`game.${which}`) } });
  stepping = true;
  drawEnter();
  try {
    took(await tell(evening.code, "POST", `/${which}`, undefined, { key: newKey(), version: evening.version }));
    showFault(null);
    toast(t(`game.said.${which}`));
  } catch (problem) {
    showFault(problem);
  } finally {
    stepping = false;
    drawEnter();
  }
}

export function drawEnter() {
  const { game, code } = evening;
  const place = $("enter");
  place.hidden = !game.can_write || game.finished_at !== null;
  if (place.hidden) return;
  const scan = `/?game=${encodeURIComponent(code)}`;
  redraw(
    place,
    h("h2", { class: "visually-hidden" }, t("game.enter")),
    game.deal.dealer === null && h("div", { class: "ask-dealer" }, h("p", null, t("game.who_deals")), button("say-dealer", t("game.say_dealer"), () => openDeal(), "wide")),
    h("a", { class: "button primary wide", id: "scan-win", href: scan }, t("game.scan_win")),
    h("a", { class: "button wide", id: "live", href: `/g/${encodeURIComponent(code)}/live` }, t("live.link")),
    h(
      "div",
      { class: "grid" },
      h("a", { class: "button", id: "win-by-hand", href: `${scan}&by=hand` }, t("game.win_by_hand")),
      button("draw", t("game.draw"), () => openDraw()),
      button("penalty", t("game.penalty"), () => openPenalty()),
      button("escape", t("game.escape"), () => openEscape()),
    ),
    h(
      "div",
      { class: "back" },
      button("undo", t("game.undo"), () => travel("undo"), "plain", { disabled: stepping || !game.can_undo }),
      button("redo", t("game.redo"), () => travel("redo"), "plain", { disabled: stepping || !game.can_redo }),
      game.deal.dealer !== null && button("deal", t("game.set_dealer"), () => openDeal(), "plain"),
    ),
  );
}
