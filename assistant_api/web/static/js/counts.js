/** Counting the tiles on the page, so that it speaks at once and without the server; whether they win is the server's word. */
import { kinds, ruleset, rulesets, t, tileName } from "./boot.js";
import { draft, meldNumbers } from "./draft.js";

const copiesOf = new Map(kinds.map(({ code, copies }) => [code, copies]));

/** Tiles of a finished hand; the server's word where it has spoken, since house rules may change it. */
function expected() {
  const chosen = draft.ruleset ?? ruleset;
  return draft.preview?.check.expected ?? rulesets.find(({ name }) => name === chosen)?.winning_size;
}

/** How many tiles there are, each meld counted as three, and the sentence that says so. */
export function count() {
  const single = draft.tiles.filter(({ group }) => group === "hand" || group === "winning").length;
  const [total, wanted] = [single + 3 * meldNumbers().length, expected()];
  const key = total === wanted ? "check.count" : total < wanted ? "check.too_few" : "check.too_many";
  const text = t(key, { count: total, expected: wanted, missing: wanted - total, extra: total - wanted });
  return { right: total === wanted, text };
}

/** The kind that the face-down tiles of a concealed kong are: that of the tiles that show. */
function hiddenKind(number) {
  const tiles = draft.tiles.filter(({ group, meld }) => group === "meld" && meld === number);
  const seen = new Set(tiles.filter(({ tile }) => tile !== "back").map(({ tile }) => tile));
  return tiles.length === 4 && seen.size === 1 ? [...seen][0] : null;
}

/** Kinds of which there are more than a set of tiles holds, in the form of the server's problems. */
export function surplus() {
  const tiles = new Map();
  for (const { id, tile, group, meld } of draft.tiles) {
    if (group === "other") continue;
    const code = tile === "back" && group === "meld" ? hiddenKind(meld) : tile;
    if (copiesOf.has(code)) tiles.set(code, [...(tiles.get(code) ?? []), id]);
  }
  return [...tiles]
    .filter(([code, ids]) => ids.length > copiesOf.get(code))
    .map(([code, ids]) => ({
      code: "too_many_copies",
      text: t("check.too_many_copies", { count: ids.length, tile: tileName(code), copies: copiesOf.get(code) }),
      tiles: ids,
      blocking: true,
    }));
}
