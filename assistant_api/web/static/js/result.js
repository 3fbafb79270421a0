/** The settlement as the server computed it: points, four seats, each line of the formula, what each gold stands for. */
import { signed, t, tileName } from "./boot.js";
import { face, h, redraw, s, $ } from "./dom.js";
import { draft } from "./draft.js";

const SEATS = ["E", "S", "W", "N"];
// Feet of the arrows on the table, for the seat at the foot, the right, the top and the left.
const ENDS = [[50, 66], [92, 37], [50, 8], [8, 37]];

function arrow([x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [tipX, tipY] = [x2 - dx * 4, y2 - dy * 4];
  const wing = (side) => `${tipX - dx * 7 + side * dy * 5} ${tipY - dy * 7 - side * dx * 5}`;
  return s("path", { d: `M${x1 + dx * 4} ${y1 + dy * 4}L${tipX} ${tipY}M${wing(1)}L${tipX} ${tipY}L${wing(-1)}` });
}

/** The four seats around the table, the winner at the foot, with an arrow from each payer. */
export function compass({ deltas, transfers, winner, next_dealer: _next, dealer }) {
  const first = SEATS.indexOf(winner);
  const place = (seat) => (SEATS.indexOf(seat) - first + 4) % 4;
  const seat = (code) => {
    const points = deltas[SEATS.indexOf(code)];
    const look = `seat at-${place(code)}${code === winner ? " won" : ""} ${points < 0 ? "minus" : points > 0 ? "plus" : ""}`;
    return h("div", { class: look }, h("small", null, t(`seat.${code}`), code === dealer ? ` · ${t("facts.is_dealer")}` : ""), h("b", null, signed(points)));
  };
  const table = s(
    "svg",
    { class: "table-top", viewBox: "0 0 100 74", "aria-hidden": "true" },
    s("rect", { x: 2, y: 2, width: 96, height: 70, rx: 12 }),
    transfers.map(({ from, to }) => arrow(ENDS[place(from)], ENDS[place(to)])),
  );
  return h("div", { class: "compass" }, SEATS.map(seat), table);
}

function stands(golds) {
  if (golds.length === 0) return null;
  return [
    h("p", { class: "label" }, t("result.golds")),
    h(
      "div",
      { class: "golds" },
      golds.map(({ gold, stands_for: as }) =>
        h("span", { class: "stands", role: "img", "aria-label": t("result.gold_as", { gold: tileName(gold), tile: as ? tileName(as) : t("result.any") }) }, face(gold), "→", as ? face(as) : t("result.any")),
      ),
    ),
  ];
}

/** Every line of the formula with its points. */
export function formula(result) {
  const lines = result.lines.map((line) => h("li", { class: line.total ? "sum" : null }, h("span", null, line.text, line.note ? h("small", { lang: "zh" }, line.note) : null), h("b", null, String(line.amount))));
  return h("ul", { class: "formula" }, lines);
}

function won(result) {
  return [
    h(
      "div",
      { class: "verdict" },
      h("div", null, h("h2", null, t("result.wins", { seat: t(`seat.${result.winner}`) })), h("span", { class: "each" }, result.how)),
      h("span", { class: "points" }, signed(result.deltas[SEATS.indexOf(result.winner)])),
    ),
    h("div", { class: "types" }, result.win_types.map((type) => h("span", { class: "type" }, type.name))),
    compass(result),
    h("p", { class: "label" }, t("result.formula")),
    formula(result),
    stands(result.golds),
    h("p", { class: "after" }, t("result.after", { dealer: t(`seat.${result.next_dealer}`), streak: result.next_streak })),
    (result.unverified ?? []).map((text) => h("p", { class: "after" }, text)),
  ];
}

function refused({ text, remedy }) {
  return h("div", { class: "refusal" }, h("strong", null, text), remedy ? h("span", null, remedy) : null);
}

export function drawResult() {
  const place = $("result");
  const { preview } = draft;
  place.hidden = !preview?.settlement && !(preview?.refusal && preview.check.complete);
  if (place.hidden) return;
  redraw(place, preview.settlement ? won(preview.settlement) : refused(preview.refusal));
}
