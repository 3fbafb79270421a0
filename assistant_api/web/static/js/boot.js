/** What the server put into the page: language, strings, the 42 kinds of tile, ruleset. No text lives in the modules. */
const boot = JSON.parse(document.getElementById("boot").textContent);

export const { lang, kinds, ruleset, rulesets, groups } = boot;
const byCode = new Map(kinds.map((kind) => [kind.code, kind]));

export const has = (key) => key in boot.strings;

/** The string with this key, its {places} filled in. */
export function t(key, values = {}) {
  const text = boot.strings[key];
  if (text === undefined) throw new Error(`no string ${key}`);
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Name of a tile in the page's language, also of an unknown and a face-down one. */
export function tileName(code) {
  return byCode.get(code)?.name ?? t(code === "back" ? "tile.back" : "tile.unknown");
}

/** A number without a plus: 12, −12, 0. */
export const plain = (points) => String(points).replace("-", "\u2212");

/** A signed number as people write it: +12, −12, 0. */
export function signed(points) {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}
