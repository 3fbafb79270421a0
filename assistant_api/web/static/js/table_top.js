/** Who pays whom, as arrows over a table: drawn for the eye, and said in words for who does not see it. */
import { t } from "./boot.js";
import { h, s } from "./dom.js";
import { seatName } from "./seats.js";

const [WIDTH, HEIGHT] = [200, 150];
const CENTRE = [WIDTH / 2, HEIGHT / 2];
/** Middles of the edges, for the seat at the foot, the right, the top and the left. */
const EDGES = [[WIDTH / 2, HEIGHT - 6], [WIDTH - 6, HEIGHT / 2], [WIDTH / 2, 6], [6, HEIGHT / 2]];
const SPREAD = 34;
const HEAD = 9;

/** Where an arrow ends: on the edge of the payee, shifted to the side it comes from, so that three arrows stay apart. */
function tip(from, to) {
  const [x, y] = EDGES[to];
  const [fromX, fromY] = EDGES[from];
  const shift = (value, other) => Math.sign(Math.round(other - value)) * SPREAD;
  return to % 2 === 0 ? [x + shift(x, fromX), y] : [x, y + shift(y, fromY) * 0.8];
}

const between = ([x1, y1], [x2, y2], share) => [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];
const text = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;

function arrow(from, to, points) {
  const start = EDGES[from];
  const end = tip(from, to);
  const bend = Math.abs(from - to) === 2 ? between(start, end, 0.5) : CENTRE;
  const [dx, dy] = [end[0] - bend[0], end[1] - bend[1]];
  const length = Math.hypot(dx, dy) || 1;
  const back = [end[0] - (dx / length) * HEAD, end[1] - (dy / length) * HEAD];
  const wing = (side) => [back[0] + (side * dy * HEAD * 0.6) / length, back[1] - (side * dx * HEAD * 0.6) / length];
  const near = 0.3; // closer to who pays, where the arrows are still apart
  const label = between(between(start, bend, near), between(bend, end, near), near);
  const wide = 16 + 9 * String(points).length;
  return [
    s("path", { class: "line", d: `M${text(start)}Q${text(bend)} ${text(back)}` }),
    s("path", { class: "head", d: `M${text(wing(1))}L${text(end)}L${text(wing(-1))}Z` }),
    s("rect", { class: "chip", x: label[0] - wide / 2, y: label[1] - 12, width: wide, height: 24, rx: 12 }),
    s("text", { x: label[0], y: label[1] + 5.5, "text-anchor": "middle" }, String(points)),
  ];
}

/** `place(seat)`: 0 at the foot of the picture, 1 to the right, 2 across, 3 to the left. */
export function tableTop(transfers, place) {
  return s(
    "svg",
    { class: "table-top", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    s("rect", { class: "felt", x: 1, y: 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 18 }),
    transfers.map(({ from, to, points }) => arrow(place(from), place(to), points)),
  );
}

/** One payment in words. */
export const paid = ({ from, to, points }) => t("result.pays", { from: seatName(from), to: seatName(to), points });

/** The same as the picture, for who does not see it. */
export const payments = (transfers) => h("ul", { class: "visually-hidden" }, transfers.map((one) => h("li", null, paid(one))));
