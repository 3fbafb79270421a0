/** What is done with a whole game: hand on, save, print, settle up, finish, delete. */
import { t } from "./boot.js";
import { button, confirm } from "./controls.js";
import { h, redraw, $ } from "./dom.js";
import { evening, took } from "./evening.js";
import { showFault } from "./fault.js";
import { money } from "./game_table.js";
import { ask, gamePath, tell } from "./ledger.js";
import { newKey } from "./memory.js";
import { forgetGame } from "./my_games.js";
import { gameTitle } from "./names.js";
import { waiting } from "./queue.js";
import { openInvite, openShare } from "./share.js";

let settled = null; // { version, payments }

async function attempt(work) {
  try {
    await work();
    showFault(null);
  } catch (problem) {
    showFault(problem);
  }
}

async function finish() {
  if (waiting().length) return showFault({ message: t("game.undo_waiting"), body: { title: t("manage.finish") } });
  const texts = { title: t("manage.finish_ask"), text: t(`manage.finish_note.${evening.game.photo_retention}`), yes: t("manage.finish"), no: t("manage.go_on") };
  if (await confirm($("sheet"), { id: "finish-yes", ...texts })) attempt(async () => took(await tell(evening.code, "POST", "/finish", undefined, { key: newKey() })));
}

const reopen = () => attempt(async () => took(await tell(evening.code, "POST", "/reopen", undefined, { key: newKey() })));

async function remove() {
  const { game, code } = evening;
  const texts = { title: t("manage.delete_ask", { what: gameTitle(game) }), text: t("manage.delete_note", { count: game.entries_count }), yes: t("manage.delete"), no: t("hands.keep") };
  if (!(await confirm($("sheet"), { id: "delete-yes", ...texts }))) return;
  attempt(async () => {
    await tell(code, "DELETE", "");
    forgetGame(code);
    location.assign("/games?said=deleted");
  });
}

async function forget() {
  const { code } = evening;
  const texts = { title: t("manage.forget_ask"), text: t("manage.forget_note"), yes: t("manage.forget"), no: t("hands.keep") };
  if (!(await confirm($("sheet"), { id: "forget-yes", ...texts }))) return;
  forgetGame(code);
  location.assign("/games");
}

async function settleUp() {
  const { version, code } = evening;
  const report = await ask(code, "/report").catch(() => null);
  if (!report || version !== evening.version) return;
  settled = { version, payments: report.payments };
  drawManage();
}

function settlement(game) {
  if (!game.finished_at) return null;
  if (settled?.version !== evening.version) {
    settleUp();
    return null;
  }
  const line = ({ from, to, points, amount_cents: cents }) =>
    h("li", null, to === null ? t("report.to_nobody", { from, points }) : t("result.pays", { from, to, points }), game.stake_per_point_cents > 0 && h("b", null, money(cents).slice(1)));
  const lines = settled.payments.length ? h("ul", { class: "pays" }, settled.payments.map(line)) : h("p", null, t("entry.nobody_pays"));
  return h("section", { class: "card", id: "settle-up" }, h("h2", null, t("manage.settle_up")), lines);
}

const link = (id, href, text, more = {}) => h("a", { class: "button", id, href, ...more }, text);

export function drawManage() {
  const { game, code } = evening;
  const shared = gamePath(game.share_code);
  const writes = game.can_write;
  redraw($("settled"), settlement(game));
  redraw(
    $("manage"),
    h("h2", null, t("manage.title")),
    h(
      "div",
      { class: "grid" },
      writes && button("invite", t("manage.invite"), openInvite),
      button("share", t("manage.share"), openShare),
      link("history", `/g/${code}/history`, t("manage.history")),
      link("print", `/g/${code}/print`, t("manage.print")),
      link("csv", `${shared}/export.csv`, t("manage.csv"), { download: "" }),
      link("json", `${shared}/export.json`, t("manage.json"), { download: "" }),
      writes && !game.finished_at && link("settings", `/g/${code}/settings`, t("manage.settings")),
      writes && (game.finished_at ? button("reopen", t("manage.reopen"), reopen) : button("finish", t("manage.finish"), finish)),
    ),
    writes ? button("delete", t("manage.delete"), remove, "plain danger wide") : button("forget", t("manage.forget"), forget, "plain wide"),
  );
}
