/** The tiles the reader was not sure of, each beside its place in the photo: one tap on the right face settles it. */
import { t, tileName } from "./boot.js";
import { confirmAll, doubtful, draft, setTile } from "./draft.js";
import { face, h } from "./dom.js";
import { crop } from "./photo.js";

const MANY = 6;

/** What it was taken for, then what else it may be; best first. */
export function candidates(tile) {
  const read = tile.tile === "?" ? [] : [[tile.tile, tile.tile === tile.read ? tile.confidence : null]];
  const others = tile.alternatives.filter(([code]) => code !== tile.tile);
  return [...read, ...others].slice(0, 3);
}

export const percent = (chance) => (chance === null ? null : t("doubts.percent", { percent: Math.round(chance * 100) }));

function choice(tile, [code, chance]) {
  const props = { type: "button", class: "doubt-choice", "data-key": `doubt-${tile.id}-${code}`, "data-doubt": code };
  const label = chance === null ? tileName(code) : t("picker.guess", { tile: tileName(code), percent: Math.round(chance * 100) });
  return h("button", { ...props, "aria-label": label, onclick: () => setTile(tile.id, code) }, face(code), h("small", null, percent(chance)));
}

function line(tile, openTile) {
  return h(
    "li",
    null,
    crop(tile) ?? h("span", { class: "crop none" }, "?"),
    candidates(tile).map((one) => choice(tile, one)),
    h("button", { type: "button", class: "doubt-other", "data-key": `doubt-${tile.id}`, onclick: () => openTile(tile.id), "aria-label": t("doubts.other_label") }, t("doubts.other")),
  );
}

/** Nothing when every tile is sure. */
export function doubtsCard(openTile) {
  const tiles = doubtful();
  if (tiles.length === 0) return null;
  const named = tiles.every(({ tile }) => tile !== "?");
  return h(
    "section",
    { class: "doubts", id: "doubts", "aria-label": t("doubts.title", { count: tiles.length }) },
    h("h3", null, t("doubts.title", { count: tiles.length })),
    tiles.length >= MANY && draft.photo ? h("p", { class: "hint" }, t("doubts.many")) : null,
    h("ul", null, tiles.map((tile) => line(tile, openTile))),
    named && h("button", { type: "button", class: "button wide", id: "all-right", "data-key": "all-right", onclick: confirmAll }, t("doubts.all_right")),
  );
}
