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

export function tileLabel(tile) {
  const percent = Math.round(tile.confidence * 100);
  const values = { tile: tileName(tile.tile), group: t(`group.${tile.group}`), percent };
  return t(tile.sure ? "tile.label" : "tile.label_unsure", values);
}

export function drawPhoto(openTile) {
  const place = $("photo");
  const { photo } = draft;
  place.hidden = !photo;
  if (!photo) return;
  const tiles = draft.tiles.filter((tile) => tile.quad);
  const boxes = tiles.map((tile) =>
    s("polygon", {
      class: `box in-${tile.group}${tile.sure ? "" : " unsure"}`,
      points: tile.quad.map((point) => point.join(",")).join(" "),
      tabindex: "0",
      role: "button",
      "data-key": `box-${tile.id}`,
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
  const svg = s("svg", { viewBox: box.join(" "), role: "group", "aria-label": t("photo.label") }, picture, boxes);
  if (shown === "large" && tiles.length) {
    svg.style.width = `${Math.round((box[2] / tileSide(tiles)) * LARGE_TILE_PX)}px`;
    svg.classList.add("large");
  }
  redraw(place, h("div", { class: "window" }, svg), h("div", { class: "tools" }, viewSwitch(openTile), again()));
}

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

function again() {
  return h("button", { type: "button", "data-key": "again", onclick: () => location.assign("/") }, t("photo.again"));
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
