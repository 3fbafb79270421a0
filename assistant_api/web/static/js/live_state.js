/** How fresh the table is: the connection, the camera, the age of the picture, and what is not seen. */
import { t } from "./boot.js";
import { h, redraw } from "./dom.js";
import { age, awayText, table } from "./live_socket.js";
import { coveredText } from "./live_words.js";

const LATE_MS = 3000;

function line() {
  if (table.state === "connecting") return ["wait", t("dock.checking")];
  if (table.state === "away") return ["bad", awayText()];
  if (!table.sight?.camera) return ["wait", t("live.no_camera")];
  const old = age();
  if (old === null) return ["wait", t("live.no_picture")];
  const seconds = (old / 1000).toFixed(1);
  if (old > LATE_MS) return ["bad", t("live.late", { seconds })];
  if (table.sight.plane === false) return ["bad", t("live.no_table")];
  return ["good", t("live.fresh", { seconds })];
}

/** Draw it into an element, and keep the age counting. Returns the drawing function. */
export function stateLine(place) {
  let said = "";
  const draw = () => {
    const [look, text] = line();
    const covered = look === "good" ? coveredText() : "";
    const now = `${look} ${text} ${covered}`;
    if (now === said) return;
    said = now;
    redraw(place, h("span", { class: `live-state ${look}` }, h("i", { "aria-hidden": "true" }), text), covered && h("span", { class: "live-covered", title: covered }, t("live.covered", { parts: covered })));
  };
  setInterval(draw, 200);
  return draw;
}
