/** The photo with a box on each tile, shown close up; a tap on a box opens the tile. */
import { t, tileName } from "./boot.js";
import { draft } from "./draft.js";
import { h, redraw, s, $ } from "./dom.js";

/** How close the photo is shown: all of it, all tiles, or large enough to scroll along the tiles. */
const VIEWS = ["whole", "tiles", "large"];
const LARGE_TILE_PX = 44;
let shown = "tiles";

const xs = (quad) => quad.map((point) => point[0]);
const ys = (quad) => quad.map((point) => point[1]);

/** The part of the photo that holds all tiles, with some room around it. */
function view(photo, tiles) {
  if (shown === "whole" || tiles.length === 0) return [0, 0, photo.width, photo.height];
  const quads = tiles.map((tile) => tile.quad);
  const [left, right] = [Math.min(...quads.flatMap(xs)), Math.max(...quads.flatMap(xs))];
  const [top, bottom] = [Math.min(...quads.flatMap(ys)), Math.max(...quads.flatMap(ys))];
  const room = 0.05 * Math.max(right - left, bottom - top);
  let [x, y, width, height] = [left - room, top - room, right - left + 2 * room, bottom - top + 2 * room];
  if (height < width * 0.5) [y, height] = [y - (width * 0.5 - height) / 2, width * 0.5];
  [width, height] = [Math.min(width, photo.width), Math.min(height, photo.height)];
  return [Math.min(Math.max(0, x), photo.width - width), Math.min(Math.max(0, y), photo.height - height), width, height];
}

/** What a screen reader says of a tile: its name, where it lies, and how sure the reader was of it. */
export function tileLabel(tile) {
  const percent = Math.round(tile.confidence * 100);
  const group = tile.group === "meld" ? t("group.meld_number", { number: tile.meld + 1 }) : t(`group.${tile.group}`);
  const key = !tile.sure ? "tile.label_unsure" : tile.quad && tile.tile === tile.read ? "tile.label_read" : "tile.label";
  return t(key, { tile: tileName(tile.tile), group, percent });
}

export function drawPhoto(openTile) {
  const place = $("photo");
  const { photo } = draft;
  if (!photo) return redraw(place, h("div", { class: "tools alone" }, retake(), again()));
  const tiles = draft.tiles.filter((tile) => tile.quad);
  const boxes = tiles.map((tile) =>
    s("polygon", {
      class: `box in-${tile.group}${tile.sure ? "" : " unsure"}`,
      points: tile.quad.map((point) => point.join(",")).join(" "),
      tabindex: "0",
      role: "button",
      "data-key": `box-${tile.id}`,
      "data-grip": tile.id,
      "aria-label": tileLabel(tile),
      onclick: () => openTile(tile.id),
      onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        openTile(tile.id);
      },
    }),
  );
  const picture = s("image", { href: photo.url, width: photo.width, height: photo.height, preserveAspectRatio: "none" });
  const box = view(photo, tiles);
  const svg = s("svg", { viewBox: box.join(" "), role: "group", "aria-label": t("photo.label") }, picture, boxes, signs(tiles));
  if (shown === "large" && tiles.length) {
    svg.style.width = `${Math.round((box[2] / tileSide(tiles)) * LARGE_TILE_PX)}px`;
    svg.classList.add("large");
  }
  redraw(place, h("div", { class: "window" }, svg), h("div", { class: "tools" }, viewSwitch(openTile), again()));
}

/** What colours say, said again: the name of each group over its first tile, a question mark on each unsure tile. */
function signs(tiles) {
  if (tiles.length === 0) return [];
  const size = tileSide(tiles) * 0.62;
  const text = (look, x, y, words) => s("text", { class: look, x, y, "font-size": size, "aria-hidden": "true" }, words);
  const groups = new Set(tiles.map(groupKey));
  const names = [...groups].map((key) => {
    const own = tiles.filter((tile) => groupKey(tile) === key);
    const first = own.reduce((one, other) => (Math.min(...xs(other.quad)) < Math.min(...xs(one.quad)) ? other : one));
    return text(`sign in-${first.group}`, Math.min(...xs(first.quad)), Math.min(...ys(first.quad)) - size * 0.35, t(`photo.group.${first.group}`));
  });
  const marks = tiles.filter(({ sure }) => !sure).map(({ quad }) => text("mark", middle(xs(quad)), middle(ys(quad)) + size * 0.5, "?"));
  return [...names, ...marks];
}

const groupKey = ({ group, meld }) => `${group} ${meld}`;
const middle = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Median side of a tile in the photo, in its pixels. */
function tileSide(tiles) {
  const sides = tiles.map(({ quad: [a, b, c] }) => Math.min(Math.hypot(b[0] - a[0], b[1] - a[1]), Math.hypot(c[0] - b[0], c[1] - b[1])));
  return sides.sort((one, other) => one - other)[Math.floor(sides.length / 2)];
}

function viewSwitch(openTile) {
  const choose = (name) => {
    shown = name;
    drawPhoto(openTile);
  };
  return h(
    "div",
    { class: "views", role: "radiogroup", "aria-label": t("photo.view") },
    VIEWS.map((name) =>
      h("button", { type: "button", role: "radio", "data-key": `view-${name}`, "aria-checked": String(name === shown), onclick: () => choose(name) }, t(`photo.${name}`)),
    ),
  );
}

let startAnew = () => {};
let takePhoto = () => {};

/** What the page does for a new hand, and for a photo of this one. */
export function onNewPhoto(actions) {
  [startAnew, takePhoto] = [actions.startAnew, actions.takePhoto];
}

function again() {
  return h("button", { type: "button", "data-key": "again", onclick: startAnew }, t(draft.photo ? "photo.again" : "photo.clear"));
}

/** Tiles typed by hand can be read from a photo instead at any time. */
function retake() {
  return h("button", { type: "button", "data-key": "retake", onclick: takePhoto }, t("photo.instead"));
}

/** A close-up of one tile, turned upright. */
export function crop(tile) {
  const { photo } = draft;
  if (!photo || !tile.quad) return null;
  const [a, b, c] = tile.quad;
  const centre = [0, 1].map((axis) => tile.quad.reduce((sum, point) => sum + point[axis], 0) / 4);
  const turn = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
  const height = 1.5 * Math.max(Math.hypot(c[0] - b[0], c[1] - b[1]), Math.hypot(b[0] - a[0], b[1] - a[1]));
  const width = (height * 92) / 112;
  return s(
    "svg",
    { class: "crop", viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`, role: "img", "aria-label": t("photo.crop") },
    s(
      "g",
      { transform: `rotate(${-turn}) translate(${-centre[0]} ${-centre[1]})` },
      s("image", { href: photo.url, width: photo.width, height: photo.height, preserveAspectRatio: "none" }),
    ),
  );
}
