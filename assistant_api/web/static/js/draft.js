/**
 * The hand being put together: tiles in their groups and the facts a photo cannot tell.
 * Every change makes a new list, so undo only needs the earlier lists. Nothing is judged here; the server does that.
 */
const listeners = new Set();
let undoable = [];
let nextId = 1;

export const draft = { photo: null, tiles: [], facts: {}, ruleset: null, preview: null, stale: false };

export function onChange(listener) {
  listeners.add(listener);
}

export function changed() {
  for (const listener of listeners) listener(draft);
}

function update(tiles) {
  undoable.push({ tiles: draft.tiles, facts: draft.facts });
  draft.tiles = tiles;
  draft.stale = true;
  changed();
}

export function begin(photo, tiles, facts) {
  undoable = [];
  nextId = 1 + tiles.length;
  Object.assign(draft, { photo, tiles, facts: { ...facts }, preview: null, stale: true });
  changed();
}

export const tileById = (id) => draft.tiles.find((tile) => tile.id === id);
export const canUndo = () => undoable.length > 0;

export function undo() {
  Object.assign(draft, undoable.pop(), { stale: true });
  changed();
}

/** A person said what this tile is: it is sure from now on. */
export function setTile(id, code) {
  update(draft.tiles.map((tile) => (tile.id === id ? { ...tile, tile: code, sure: true } : tile)));
}

/** Take the best guess for every tile that could not be told; a person still has to look, so they stay marked. */
export function fillGuesses() {
  const fill = (tile) => (tile.tile === "?" && tile.alternatives.length ? { ...tile, tile: tile.alternatives[0][0] } : tile);
  update(draft.tiles.map(fill));
}

export const canGuess = () => draft.tiles.some((tile) => tile.tile === "?" && tile.alternatives.length > 0);

export function moveTile(id, group, meld = null) {
  update(draft.tiles.map((tile) => (tile.id === id ? { ...tile, group, meld } : tile)));
}

export function moveTiles(ids, group) {
  update(draft.tiles.map((tile) => (ids.includes(tile.id) ? { ...tile, group, meld: null } : tile)));
}

export function removeTile(id) {
  update(draft.tiles.filter((tile) => tile.id !== id));
}

export function addTile(code, group, meld = null) {
  const tile = { id: `a${nextId++}`, tile: code, group, meld, sure: true, confidence: 1, alternatives: [], quad: null };
  update([...draft.tiles, tile]);
  return tile.id;
}

export function setFact(name, value) {
  update(draft.tiles);
  draft.facts = { ...draft.facts, [name]: value };
  changed();
}

export function setRuleset(name) {
  Object.assign(draft, { ruleset: name, stale: true });
  changed();
}

/** Numbers of the melds in use, in order. */
export function meldNumbers() {
  const numbers = new Set(draft.tiles.filter((tile) => tile.group === "meld").map((tile) => tile.meld));
  return [...numbers].sort((a, b) => a - b);
}

/** What the server is asked to judge. */
export function request() {
  return {
    tiles: draft.tiles.map(({ id, tile, group, meld }) => ({ id, tile, group, meld })),
    facts: draft.facts,
    ruleset: draft.ruleset,
    photo_id: draft.photo?.id ?? null,
  };
}
