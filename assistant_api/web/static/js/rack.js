/** The tiles in their groups, the count, and what is wrong with them. Counting is done here at once, judging by the server. */
import { groups, t, tileName } from "./boot.js";
import { count, surplus } from "./counts.js";
import { doubtsCard } from "./doubts.js";
import { canGuess, canRedo, canUndo, draft, fillGuesses, meldNumbers, moveTile, moveTiles, nextMeld, redo, removeTile, tileById, undo } from "./draft.js";
import { announce, face, h, redraw, toast, $ } from "./dom.js";
import { watchTiles } from "./gestures.js";
import { tileLabel } from "./photo.js";

function tileButton(tile, faulty, openTile) {
  const marks = `${tile.sure ? "" : " unsure"}${faulty.has(tile.id) ? " faulty" : ""}`;
  return h(
    "button",
    {
      type: "button",
      class: `tile-button${marks}`,
      "data-key": tile.id,
      "data-grip": tile.id,
      "data-tile": tile.tile,
      "aria-label": tileLabel(tile),
      "aria-keyshortcuts": "Delete",
      onclick: () => openTile(tile.id),
    },
    face(tile.tile),
  );
}

function addButton(group, meld, title, text, actions) {
  const attributes = {
    type: "button",
    class: text ? "add-meld" : "add",
    "data-key": `add-${group}-${meld ?? ""}`,
    "aria-label": t("rack.add", { group: title }),
    onclick: () => actions.addTo(group, meld),
  };
  return h("button", attributes, text ? `+ ${text}` : "+");
}

/** Whether a group holds all it can: one winning tile, one gold, three tiles of a meld (a fourth comes by its tile's sheet). */
const isFull = (group, tiles) => tiles.length >= { winning: 1, gold: 1, meld: 3 }[group];

function row(group, meld, title, note, tiles, faulty, actions) {
  return h(
    "div",
    { class: `group in-${group}`, role: "group", "aria-label": title, "data-drop": meld === null ? group : `meld:${meld}` },
    h("h3", null, title, note ? h("b", null, note) : null),
    h(
      "div",
      { class: "tiles" },
      tiles.map((tile) => tileButton(tile, faulty, actions.openTile)),
      isFull(group, tiles) ? null : addButton(group, meld, title, null, actions),
    ),
  );
}

/** One thing that is wrong; where the server knows the place the tiles belong to, one tap moves them there. */
function problemItem({ code, text, tiles, move_to: place }) {
  const action = (key, label, onclick) => h("li", null, text, h("button", { type: "button", "data-key": key, onclick }, label));
  if (place) return action(`move-${code}`, t("rack.move", { group: t(`group.${place}`) }), () => moveTiles(tiles, place));
  if (code === "unknown_tile" && canGuess()) return action("guess", t("rack.guess"), fillGuesses);
  return h("li", null, text);
}

function meldRows(faulty, check, actions) {
  const kind = (number) => check?.melds.find((meld) => meld.meld === number)?.name ?? null;
  const numbers = meldNumbers();
  const rows = numbers.map((number) => {
    const tiles = draft.tiles.filter((tile) => tile.group === "meld" && tile.meld === number);
    return row("meld", number, t("group.meld_number", { number: number + 1 }), kind(number), tiles, faulty, actions);
  });
  const text = t(numbers.length ? "group.meld_next" : "group.meld_first");
  return [...rows, h("div", { class: "group slim in-meld", "data-drop": "meld:new" }, addButton("meld", nextMeld(), t("group.meld"), text, actions))];
}

function groupRows(faulty, check, actions) {
  return groups.flatMap((group) => {
    if (group === "meld") return meldRows(faulty, check, actions);
    const tiles = draft.tiles.filter((tile) => tile.group === group);
    if (group === "other" && tiles.length === 0) return h("div", { class: "group slim in-other only-dragging", "data-drop": "other" }, t("group.other"));
    return row(group, null, t(`group.${group}`), null, tiles, faulty, actions);
  });
}

/** What is wrong: copies as counted here, the rest as the server last said it of tiles that are still there. */
function problems(check) {
  const there = new Set(draft.tiles.map(({ id }) => id));
  const told = (check?.problems ?? []).filter(({ code, tiles }) => code !== "too_many_copies" && tiles.every((id) => there.has(id)));
  return [...surplus(), ...told];
}

function stepButton(key, sign, possible, act) {
  return h("button", { type: "button", class: "step", "data-key": key, id: key, "aria-label": t(`rack.${key}`), disabled: !possible, onclick: act }, sign);
}

export function drawRack(actions) {
  const check = draft.preview?.check;
  const found = problems(check);
  const faulty = new Set(found.filter((problem) => problem.blocking).flatMap((problem) => problem.tiles));
  const { right, text } = count();
  const good = right && !draft.stale && check?.complete;
  announce("rack", [text, ...found.map((problem) => problem.text)].join(". "));
  redraw(
    $("rack"),
    h(
      "div",
      { class: "card-head" },
      h("h2", { class: "visually-hidden" }, t("rack.title")),
      h("span", { class: `count${good ? " good" : ""}`, id: "count" }, good ? "\u2713 " : null, text),
      h("span", { class: "steps" }, stepButton("undo", "\u21b6", canUndo(), undo), stepButton("redo", "\u21b7", canRedo(), redo)),
    ),
    found.length > 0 && h("ul", { class: "problems" }, found.map(problemItem)),
    doubtsCard(actions.openTile),
    h("div", { class: "groups" }, groupRows(faulty, check, actions)),
    draft.tiles.length > 0 && h("p", { class: "how" }, t("rack.how")),
  );
}

/** Take a tile away; the message at the foot takes it back. */
export function removeWithUndo(id) {
  const name = tileName(tileById(id).tile);
  removeTile(id);
  toast(t("rack.removed", { tile: name }), { label: t("rack.undo"), act: undo });
}

function drop(id, place) {
  if (place === "remove") return removeWithUndo(id);
  const [group, number] = place.split(":");
  const before = tileById(id);
  moveTile(id, group, number === undefined ? null : number === "new" ? nextMeld() : Number(number));
  if (tileById(id) !== before) announce("moved", t("rack.moved", { tile: tileName(before.tile), group: t(`group.${group}`) }));
}

/** Hold, drag and the keyboard's own ways, for the tiles of the rack and the boxes on the photo. */
export function watchRack(redrawAll) {
  watchTiles($("work"), { hold: removeWithUndo, drop, released: redrawAll });
  $("work").addEventListener("keydown", (event) => {
    const id = event.target.dataset?.grip;
    if (id && (event.key === "Delete" || event.key === "Backspace")) removeWithUndo(id);
  });
  document.addEventListener("keydown", (event) => {
    if (!draft.open || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input, select")) return;
    event.preventDefault();
    if (event.shiftKey) redo();
    else undo();
  });
}
