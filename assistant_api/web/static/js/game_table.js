/** The four-sided table: who sits where, what everybody has, who deals. */
import { plain, signed, t } from "./boot.js";
import { h, redraw, s, $ } from "./dom.js";
import { evening } from "./evening.js";
import { namesBySeat, SEATS } from "./names.js";

const look = (points) => (points > 0 ? "plus" : points < 0 ? "minus" : "");

/** Cents as money: 12.50. */
export const money = (cents) => `${cents < 0 ? "\u2212" : cents > 0 ? "+" : ""}${(Math.abs(cents) / 100).toFixed(2)}`;

function seat(game, code, foot) {
  const player = game.players.find((one) => one.seat === code);
  const dealer = game.deal.dealer === code;
  const place = (SEATS.indexOf(code) - foot + 4) % 4;
  const begun = player.starting_points !== 0;
  return h(
    "div",
    { class: `seat at-${place} ${look(player.total)}${dealer ? " dealer" : ""}`, "data-seat": code },
    h("small", null, h("span", { class: "wind" }, t(`seat.${code}`)), dealer && h("span", { class: "deals" }, game.deal.streak ? t("game.deals_streak", { streak: game.deal.streak }) : t("game.deals"))),
    h("strong", null, namesBySeat(game)[SEATS.indexOf(code)]),
    h("b", null, begun ? plain(player.score) : signed(player.total)),
    game.stake_per_point_cents > 0 && h("small", { class: "money" }, money(player.amount_cents)),
  );
}

function middle({ deal, kitty, finished_at: finished, has_rounds: rounds, hands_count: hands }) {
  const lines = [];
  if (finished) lines.push(h("strong", null, t("game.finished")), h("span", null, t("game.hands", { count: hands })));
  else {
    lines.push(h("strong", null, t("game.hand_no", { hand: deal.hand ?? "–" })));
    if (rounds && deal.round_wind) lines.push(h("span", null, t("game.round", { wind: t(`seat.${deal.round_wind}`) })));
    if (deal.dealer === null) lines.push(h("span", null, t("game.dealer_open")));
  }
  if (kitty) lines.push(h("span", null, t("game.kitty", { points: signed(kitty) })));
  return h("div", { class: "middle" }, s("svg", { viewBox: "0 0 200 150", "aria-hidden": "true" }, s("rect", { class: "felt", x: 1, y: 1, width: 198, height: 148, rx: 18 })), h("div", null, lines));
}

export function drawTable() {
  const { game } = evening;
  const foot = Math.max(0, SEATS.indexOf(game.role));
  redraw($("table"), h("div", { class: "compass" }, middle(game), SEATS.map((code) => seat(game, code, foot))));
}
