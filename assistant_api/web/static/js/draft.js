/**
 * The hand being put together: tiles in their groups and the facts a photo cannot tell.
 * Every change makes new values, so undo and redo only keep the earlier ones. Nothing is judged here; the server does that.
 */
import { newKey, recall, remember } from "./memory.js";

let keptAs = "draft";
const KEPT_MS = 12 * 3600 * 1000;
const SINGLE = ["winning", "gold"];
const listeners = new Set();
let past = [];
let future = [];

/** Beside the hand: what its game says (`aim`); of an entry to correct also its photo, note and further winners. */
const OUTSIDE = { game: null, entry: null, before: null, names: null, dealt: {}, several: false, hand: null, live: false, proof: null, keptPhoto: null, note: "", also: [] };

export const draft = { ...OUTSIDE, open: false, photo: null, tiles: [], facts: {}, known: {}, ruleset: null, preview: null, stale: false, key: newKey(), tried: false };

/**
 * This hand belongs to a game, or corrects an entry of it. `known` is what its ledger knows of the deal: that is shown,
 * never sent, since it may change with an earlier entry. Each game and each entry has a draft of its own.
 */
export function aim({ code, entry = null, before = null, live = false, names = null, known = {}, ruleset = null, several = false, hand = null }) {
  keptAs = ["draft", code, entry ?? "", before ?? "", live ? "live" : ""].join(" ").trim();
  Object.assign(draft, { game: code, entry, before, live, names, dealt: known, several, hand, ruleset: ruleset ?? draft.ruleset });
  if (!draft.open) return;
  Object.assign(draft, { facts: { ...draft.facts, ...known }, known: { ...draft.known, ...known }, stale: true });
}

export function onChange(listener) {
  listeners.add(listener);
}

export function changed() {
  for (const listener of listeners) listener(draft);
}

const state = () => ({ photo: draft.photo, tiles: draft.tiles, facts: draft.facts, ruleset: draft.ruleset });

/**
 * Something else lies there now: it has to be judged anew, and is another hand to the ledger, unless an earlier attempt
 * to save may have arrived: then the old key lets the server say so, instead of keeping both.
 */
function become(values) {
  Object.assign(draft, values, { stale: true, key: draft.tried ? draft.key : newKey() });
  keep();
  changed();
}

function change(values) {
  past.push(state());
  future = [];
  become(values);
}

function keep() {
  const { photo, tiles, facts, known, ruleset, key, tried, keptPhoto, note, also } = draft;
  remember(keptAs, { photo, tiles, facts, known, ruleset, key, tried, keptPhoto, note, also, at: Date.now() });
}

/** Whether it is unknown if the hand was saved: it was sent and no answer came. */
export function saveTried(tried) {
  draft.tried = tried;
  keep();
}

/** Open a hand: from a photo, or empty to be entered by hand. A photo taken for a hand half entered can be undone. */
export function begin(photo, tiles, facts) {
  if (!draft.open) [past, future] = [[], []];
  else past.push(state());
  Object.assign(draft, { open: true, known: { ...facts }, preview: null, tried: false });
  become({ photo, tiles, facts: { ...facts } });
}

/** The hand that was open when the page was left, unless that is long ago; false when there is none. */
export function reopen() {
  const kept = recall(keptAs);
  if (!kept || Date.now() - kept.at > KEPT_MS) return false;
  const { at: _at, ...values } = kept;
  Object.assign(draft, values, { open: true, preview: null, stale: true });
  if (draft.game) Object.assign(draft, { facts: { ...draft.facts, ...draft.dealt } });
  changed();
  return true;
}

/** Forget the hand: it is saved, or a person starts anew. */
export function close() {
  remember(keptAs, null);
  Object.assign(draft, { open: false, tried: false, keptPhoto: null, note: "", also: [] });
}

export const tileById = (id) => draft.tiles.find((tile) => tile.id === id);
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

function travel(from, to) {
  if (from.length === 0) return;
  to.push(state());
  become(from.pop());
}

export const undo = () => travel(past, future);
export const redo = () => travel(future, past);

const withTile = (id, values) => draft.tiles.map((tile) => (tile.id === id ? { ...tile, ...values } : tile));

/** A person said what this tile is: it is sure from now on. */
export function setTile(id, code) {
  change({ tiles: withTile(id, { tile: code, sure: true }) });
}

/** Tiles a person has to look at: read with doubt, and not left out. */
export const doubtful = () => draft.tiles.filter((tile) => !tile.sure && tile.group !== "other");

/** A person looked at all doubtful tiles and found them right. */
export function confirmAll() {
  change({ tiles: draft.tiles.map((tile) => (tile.tile === "?" ? tile : { ...tile, sure: true })) });
}

/** Take the best guess for every tile that could not be told; a person still has to look, so they stay marked. */
export function fillGuesses() {
  const fill = (tile) => (tile.tile === "?" && tile.alternatives.length ? { ...tile, tile: tile.alternatives[0][0] } : tile);
  change({ tiles: draft.tiles.map(fill) });
}

export const canGuess = () => draft.tiles.some((tile) => tile.tile === "?" && tile.alternatives.length > 0);

/** Move a tile. Where only one can lie (winning tile, gold) the one that lay there takes its old place. */
export function moveTile(id, group, meld = null) {
  const moved = tileById(id);
  if (moved.group === group && moved.meld === meld) return;
  const place = { group: moved.group, meld: moved.meld };
  const giveWay = (tile) => (SINGLE.includes(group) && tile.group === group ? { ...tile, ...place } : tile);
  const rest = draft.tiles.filter((tile) => tile.id !== id).map(giveWay);
  change({ tiles: [...rest, { ...moved, group, meld }] });
}

export function moveTiles(ids, group) {
  change({ tiles: draft.tiles.map((tile) => (ids.includes(tile.id) ? { ...tile, group, meld: null } : tile)) });
}

export function removeTile(id) {
  change({ tiles: draft.tiles.filter((tile) => tile.id !== id) });
}

export function addTile(code, group, meld = null) {
  const used = new Set(draft.tiles.map((tile) => tile.id));
  let number = draft.tiles.length + 1;
  while (used.has(`a${number}`)) number += 1;
  const tile = { id: `a${number}`, tile: code, group, meld, sure: true, confidence: 1, alternatives: [], quad: null };
  change({ tiles: [...draft.tiles, tile] });
  return tile.id;
}

export function setFact(name, value) {
  change({ facts: { ...draft.facts, [name]: value } });
}

export function setRuleset(name) {
  change({ ruleset: name });
}

/** Numbers of the melds in use, in order. */
export function meldNumbers() {
  const numbers = new Set(draft.tiles.filter((tile) => tile.group === "meld").map((tile) => tile.meld));
  return [...numbers].sort((a, b) => a - b);
}

/** The number a new meld gets. */
export const nextMeld = () => 1 + Math.max(-1, ...meldNumbers());

const placed = () => draft.tiles.map(({ id, tile, group, meld }) => ({ id, tile, group, meld }));

/** The facts as they are sent: without what the ledger of the game knows by itself. */
function facts() {
  const own = Object.fromEntries(Object.keys(draft.dealt).map((name) => [name, null]));
  return draft.game ? { ...draft.facts, ...own } : draft.facts;
}

const photoId = () => draft.photo?.id ?? draft.keptPhoto;

/** What the server is asked to judge. */
export function request() {
  const hand = { tiles: placed(), facts: facts(), photo_id: photoId() };
  return draft.game ? { ...hand, game: draft.game, entry: draft.entry ?? draft.before } : { ...hand, ruleset: draft.ruleset };
}

/** What is kept: an entry of the game, or a hand without one. */
export function saved() {
  if (!draft.game) return request();
  return { kind: "win", tiles: placed(), facts: facts(), also_won: draft.also, photo_id: photoId(), note: draft.note };
}
