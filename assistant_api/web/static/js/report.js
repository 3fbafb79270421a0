/** The whole evening on paper: players, every entry with its running totals, who pays whom, the rules. */
import "./shell.js";
import { lang, plain, signed, t } from "./boot.js";
import { h, redraw, $ } from "./dom.js";
import { showFault } from "./fault.js";
import { money } from "./game_table.js";
import { ask } from "./ledger.js";
import { gameTitle, handLabel, playerName } from "./names.js";
import { formula } from "./result.js";

const code = decodeURIComponent(location.pathname.split("/")[2]);
const day = new Intl.DateTimeFormat(lang, { dateStyle: "long" });
const cell = (text, look = null) => h("td", { class: look }, text);

function entries({ game, entries: all }) {
  const names = game.players.map((_, place) => playerName(game, place));
  const head = h("tr", null, ["#", t("report.what"), ...names].map((text) => h("th", { scope: "col" }, text)));
  const row = (entry) => [
    h("tr", { "data-entry": entry.id }, cell(entry.kind === "penalty" ? "" : (entry.hand ?? "")), cell([entry.text, entry.note && h("small", null, ` ${entry.note}`), entry.win_types.map(({ name }) => h("small", null, ` ${name}`))]), entry.deltas.map((points) => cell(signed(points), "number"))),
    h("tr", { class: "sum" }, cell(""), cell(t("entry.totals_after")), entry.totals.map((points) => cell(signed(points), "number"))),
  ];
  return h("table", { class: "paper" }, h("thead", null, head), h("tbody", null, all.map(row)));
}

function end({ game, payments }) {
  const pays = ({ from, to, points, amount_cents: cents }) => h("li", null, to === null ? t("report.to_nobody", { from, points }) : t("result.pays", { from, to, points }), game.stake_per_point_cents ? ` (${money(cents).slice(1)})` : "");
  const total = game.players.map((player, place) => h("tr", null, h("th", { scope: "row" }, playerName(game, place)), cell(signed(player.total), "number"), cell(plain(player.score), "number"), game.stake_per_point_cents > 0 && cell(money(player.amount_cents), "number")));
  const head = h("tr", null, [t("report.player"), t("hands.totals"), t("report.score"), game.stake_per_point_cents > 0 && t("report.money")].filter(Boolean).map((text) => h("th", { scope: "col" }, text)));
  return [h("h2", null, t("report.result")), h("table", { class: "paper result" }, h("thead", null, head), h("tbody", null, total)), payments.length > 0 && h("ul", { class: "pays" }, payments.map(pays))];
}

function reasons({ entries: all }) {
  const lines = (entry) => [...entry.settlements, ...(entry.lines.length ? [{ lines: entry.lines, per_payer: null }] : [])];
  const shown = all.filter((entry) => lines(entry).length > 0);
  if (shown.length === 0) return null;
  return [h("h2", null, t("report.reasons")), shown.map((entry) => h("section", { class: "reason" }, h("h3", null, [handLabel(entry), entry.text].filter(Boolean).join(" · ")), lines(entry).map(formula)))];
}

$("back").href = `/g/${code}`;
$("print").addEventListener("click", () => print());
try {
  const report = await ask(code, "/report");
  const { game } = report;
  document.title = gameTitle(game);
  $("title").textContent = gameTitle(game);
  $("subtitle").textContent = [game.ruleset_title, day.format(new Date(game.created_at)), t("game.hands", { count: game.hands_count })].join(" · ");
  redraw($("report"), end(report), h("h2", null, t("report.entries")), entries(report), reasons(report));
} catch (problem) {
  showFault(problem);
}
