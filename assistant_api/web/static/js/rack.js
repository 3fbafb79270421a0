/** The tiles in their groups, the count, and what is wrong with them; all judgement comes from the server's check. */
import { groups, t } from "./boot.js";
import { canGuess, canUndo, draft, fillGuesses, meldNumbers, moveTiles, undo } from "./draft.js";
import { face, h, redraw, $ } from "./dom.js";
import { tileLabel } from "./photo.js";

function tileButton(tile, faulty, openTile) {
  const marks = `${tile.sure ? "" : " unsure"}${faulty.has(tile.id) ? " faulty" : ""}`;
  return h(
    "button",
    {
      type: "button",
      class: `tile-button${marks}`,
      "data-key": tile.id,
      "data-tile": tile.tile,
      "aria-label": tileLabel(tile),
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
    { class: `group in-${group}`, role: "group", "aria-label": title },
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
  const numbers = meldNumbers();
  const kind = (number) => check?.melds.find((meld) => meld.meld === number)?.name ?? null;
  const rows = numbers.map((number) => {
    const tiles = draft.tiles.filter((tile) => tile.group === "meld" && tile.meld === number);
    return row("meld", number, t("group.meld_number", { number: number + 1 }), kind(number), tiles, faulty, actions);
  });
  const next = numbers.length ? numbers[numbers.length - 1] + 1 : 0;
  const text = t(numbers.length ? "group.meld_next" : "group.meld_first");
  return [...rows, h("div", { class: "group slim" }, addButton("meld", next, t("group.meld"), text, actions))];
}

function groupRows(faulty, check, actions) {
  return groups.flatMap((group) => {
    if (group === "meld") return meldRows(faulty, check, actions);
    const tiles = draft.tiles.filter((tile) => tile.group === group);
    return group === "other" && tiles.length === 0 ? [] : [row(group, null, t(`group.${group}`), null, tiles, faulty, actions)];
  });
}

export function drawRack(actions) {
  const check = draft.preview?.check;
  const faulty = new Set((check?.problems ?? []).filter((problem) => problem.blocking).flatMap((problem) => problem.tiles));
  const count = check && h("span", { class: `count${check.complete ? " good" : ""}`, id: "count" }, check.complete ? "✓ " : null, check.count_text);
  redraw(
    $("rack"),
    h(
      "div",
      { class: "card-head" },
      h("h2", null, t("rack.title")),
      count,
      canUndo() && h("button", { type: "button", class: "quiet", "data-key": "undo", onclick: undo }, t("rack.undo")),
    ),
    check?.problems.length ? h("ul", { class: "problems" }, check.problems.map(problemItem)) : null,
    h("div", { class: "groups" }, groupRows(faulty, check, actions)),
  );
}
