/** What the server sees in the picture: a box on each tile, in the colour of its part of the table. */
import { s } from "./dom.js";
import { table } from "./live_socket.js";

const NAMES = { back: "", "?": "?" };

/** Draw the boxes of the last sight into an overlay of the picture's own shape. */
export function drawBoxes(overlay) {
  const { size: [width, height] = [0, 0], boxes = [] } = table.sight ?? {};
  if (!width) return overlay.replaceChildren();
  overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const font = Math.max(9, width / 90);
  overlay.replaceChildren(
    ...boxes.map(({ quad, zone, late, tile }) => s("polygon", { class: `live-box in-${zone}${late ? " late" : ""}${tile === "back" ? " back" : ""}`, points: quad.map((point) => point.join(",")).join(" ") })),
    ...boxes.filter(({ tile }) => tile !== "back").map(({ quad, tile }) => s("text", { x: quad[0][0], y: Math.min(...quad.map(([, y]) => y)) - 2, "font-size": font }, NAMES[tile] ?? tile)),
  );
}
