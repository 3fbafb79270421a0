/** The running totals as four lines, told apart by colour, dashes and a name at their end; the same as a table. */
import { signed, t } from "./boot.js";
import { h, redraw, s, $ } from "./dom.js";
import { evening } from "./evening.js";
import { playerName } from "./names.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, EDGE] = [600, 260, 52, 120, 18];
const LEAST_APART = 22;
let tableOpen = false;

/** Round steps for the axis, at most five of them. */
function ticks(low, high) {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough));
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) found.push(value);
  return found;
}

/** Moves the names apart where lines end close together. */
function spread(ends) {
  const order = ends.map((y, place) => [y, place]).sort((one, other) => one[0] - other[0]);
  for (let round = 0; round < 20; round += 1)
    for (let at = 1; at < order.length; at += 1) {
      const short = LEAST_APART - (order[at][0] - order[at - 1][0]);
      if (short > 0) [order[at - 1][0], order[at][0]] = [order[at - 1][0] - short / 2, order[at][0] + short / 2];
    }
  // inside the picture and still apart: up from its lower edge, then down from its upper one
  let below = HEIGHT - 4;
  for (const one of [...order].reverse()) below = (one[0] = Math.min(one[0], below)) - LEAST_APART;
  let above = 14;
  const placed = [];
  for (const one of order) {
    placed[one[1]] = one[0] = Math.max(one[0], above);
    above = one[0] + LEAST_APART;
  }
  return placed;
}

function picture(rows, names) {
  const values = rows.flat();
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = Math.max(1, high - low);
  const x = (at) => LEFT + ((WIDTH - LEFT - RIGHT) * at) / Math.max(1, rows.length - 1);
  const y = (value) => EDGE + ((HEIGHT - 2 * EDGE) * (high - value)) / room;
  const grid = ticks(low, high).map((value) => [
    s("line", { class: value === 0 ? "zero" : "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
    s("text", { class: "tick", x: LEFT - 8, y: y(value) + 5, "text-anchor": "end" }, signed(value)),
  ]);
  const last = rows.at(-1);
  const labels = spread(last.map(y));
  const lines = names.map((name, place) => [
    s("polyline", { class: `line p${place}`, points: rows.map((row, at) => `${x(at).toFixed(1)},${y(row[place]).toFixed(1)}`).join(" ") }),
    s("circle", { class: `dot p${place}`, cx: x(rows.length - 1), cy: y(last[place]), r: 5 }),
    s("text", { class: `end p${place}`, x: WIDTH - RIGHT + 12, y: labels[place] + 5 }, name.length > 7 ? `${name.slice(0, 6)}…` : name),
  ]);
  const label = t("chart.label", { count: rows.length - 1, totals: names.map((name, place) => `${name} ${signed(last[place])}`).join(t("app.list_separator")) });
  return s("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label }, grid, lines);
}

function table(rows, names) {
  const head = h("tr", null, h("th", { scope: "col" }, "#"), names.map((name) => h("th", { scope: "col" }, name)));
  const body = rows.slice(1).map((row, at) => h("tr", null, h("th", { scope: "row" }, String(at + 1)), row.map((value) => h("td", null, signed(value)))));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("chart.table") }, h("table", null, h("thead", null, head), h("tbody", null, body)));
}

export function drawChart() {
  const { game, entries } = evening;
  const place = $("chart");
  place.hidden = entries.length < 2;
  if (place.hidden) return;
  const names = game.players.map((_, number) => playerName(game, number));
  const rows = [[0, 0, 0, 0], ...entries.map(({ totals }) => totals)];
  redraw(
    place,
    h("div", { class: "card-head" }, h("h2", null, t("chart.title"))),
    picture(rows, names),
    h("details", { class: "more", open: tableOpen, ontoggle: (event) => (tableOpen = event.target.open) }, h("summary", { "data-key": "chart-table" }, t("chart.table")), table(rows, names)),
  );
}
