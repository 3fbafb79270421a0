/** The settlement as the server computed it: points, who pays whom, the formula filled in, what each gold stands for. */
import { plain, signed, t, tileName } from "./boot.js";
import { announce, face, h, redraw, $ } from "./dom.js";
import { draft } from "./draft.js";
import { called, SEATS, seatName } from "./seats.js";
import { paid, payments, tableTop } from "./table_top.js";

/** The four seats around the table, the winner at the foot, with an arrow and its points from each payer. */
export function compass({ deltas, transfers, winner, dealer }) {
  const first = SEATS.indexOf(winner);
  const place = (seat) => (SEATS.indexOf(seat) - first + 4) % 4;
  const seat = (code) => {
    const points = deltas[SEATS.indexOf(code)];
    const look = `seat at-${place(code)}${code === winner ? " won" : ""} ${points < 0 ? "minus" : points > 0 ? "plus" : ""}`;
    return h("div", { class: look }, h("small", null, seatName(code), code === dealer ? ` \u00b7 ${t("facts.is_dealer")}` : ""), h("b", null, signed(points)));
  };
  return h("div", { class: "compass" }, tableTop(transfers, place), SEATS.map(seat), payments(transfers));
}

function stands(golds) {
  if (golds.length === 0) return null;
  const one = ({ gold, stands_for: as }) => {
    const label = t("result.gold_as", { gold: tileName(gold), tile: as ? tileName(as) : t("result.any") });
    return h("span", { class: "stands", role: "img", "aria-label": label }, face(gold), "\u2192", as ? face(as) : t("result.any"));
  };
  return [h("p", { class: "label" }, t("result.golds")), h("div", { class: "golds" }, golds.map(one))];
}

/** The formula filled in, then each of its terms. Who pays is on the table; a sum that is said again is left out. */
export function formula({ lines, per_payer: owed }) {
  const shown = lines.filter(({ code, amount }) => code !== "pays" && !(code === "doubled" && amount === owed));
  const item = ({ text, note, amount, total }) =>
    h("li", { class: total ? "sum" : null }, h("span", null, text, note ? h("small", { lang: "zh" }, note) : null), h("b", null, plain(amount)));
  return h("ul", { class: "formula" }, [...shown].sort((one, other) => Number(other.total) - Number(one.total)).map(item));
}

function won(result) {
  return [
    h(
      "div",
      { class: "verdict" },
      h("div", null, h("h2", null, t("result.wins", { seat: called(result.winner) })), h("span", { class: "each" }, result.how)),
      h("span", { class: "points" }, signed(result.deltas[SEATS.indexOf(result.winner)])),
    ),
    h("div", { class: "types" }, result.win_types.map((type) => h("span", { class: "type" }, type.name))),
    compass(result),
    h("p", { class: "label" }, t("result.formula")),
    formula(result),
    stands(result.golds),
    h("p", { class: "after" }, t("result.after", { dealer: called(result.next_dealer), streak: result.next_streak })),
    (result.unverified ?? []).map((text) => h("p", { class: "after" }, text)),
  ];
}

function refused({ text, remedy }) {
  return h(
    "div",
    { class: "refusal" },
    h("p", { class: "label" }, t("result.refused")),
    h("strong", null, text),
    remedy ? h("p", { class: "remedy" }, h("b", null, t("result.remedy")), " ", remedy) : null,
  );
}

const inWords = ({ winner, transfers }) => [t("result.wins", { seat: called(winner) }), ...transfers.map(paid)].join(". ");

export function drawResult() {
  const place = $("result");
  const { preview } = draft;
  place.hidden = !preview?.settlement && !(preview?.refusal && preview.check.complete);
  announce("result", place.hidden ? "" : preview.settlement ? inWords(preview.settlement) : `${t("result.refused")}: ${preview.refusal.text}`);
  if (place.hidden) return;
  redraw(place, preview.settlement ? won(preview.settlement) : refused(preview.refusal));
}
