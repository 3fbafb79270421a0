/** The sheet that corrects one tile: close-up, best guesses first, then all 42 kinds, another place, or remove. */
import { groups, t, tileName } from "./boot.js";
import { candidates, percent } from "./doubts.js";
import { addTile, draft, meldNumbers, moveTile, nextMeld, setTile, tileById } from "./draft.js";
import { face, h, openSheet, $ } from "./dom.js";
import { kindGrid } from "./kind_grid.js";
import { crop } from "./photo.js";
import { removeWithUndo } from "./rack.js";

const closeButton = (dialog) =>
  h("button", { type: "button", class: "close", "aria-label": t("picker.close"), onclick: () => dialog.close() }, "\u00d7");

function guesses(tile, choose) {
  const best = tile.quad ? candidates(tile) : [];
  if (tile.sure && best.length < 2) return null;
  return h(
    "div",
    { class: "guesses", role: "group", "aria-label": t("picker.guesses") },
    best.map(([code, chance]) =>
      h(
        "button",
        {
          type: "button",
          class: "guess",
          "data-guess": code,
          "aria-pressed": String(code === tile.tile),
          "aria-label": chance === null ? tileName(code) : t("picker.guess", { tile: tileName(code), percent: Math.round(chance * 100) }),
          onclick: () => choose(code),
        },
        face(code),
        h("span", null, tileName(code), h("b", null, percent(chance))),
      ),
    ),
  );
}

/** Every place a tile can be moved to, for those who do not drag. */
function places(tile, choose) {
  const melds = [...meldNumbers(), nextMeld()].map((number, place, all) => {
    const text = place === all.length - 1 ? t("group.meld_next_short") : t("group.meld_number", { number: number + 1 });
    return ["meld", number, text];
  });
  const all = groups.flatMap((group) => (group === "meld" ? melds : [[group, null, t(`group.${group}`)]]));
  return h(
    "div",
    { class: "choices wrap", role: "group", "aria-label": t("picker.group") },
    all.map(([group, meld, text]) =>
      h(
        "button",
        {
          type: "button",
          class: `choice in-${group}`,
          "data-group": meld === null ? group : `${group}-${meld}`,
          "aria-pressed": String(group === tile.group && meld === tile.meld),
          onclick: () => choose(group, meld),
        },
        h("i", { "aria-hidden": "true" }),
        text,
      ),
    ),
  );
}

export function openTile(id) {
  const dialog = $("picker");
  const tile = tileById(id);
  if (!tile) return;
  const then = (act) => {
    dialog.close();
    act();
  };
  const choose = (code) => then(() => setTile(id, code));
  const state = tile.sure ? t(`group.${tile.group}`) : t("picker.unsure", { percent: Math.round(tile.confidence * 100) });
  openSheet(
    dialog,
    h(
      "div",
      { class: "sheet-head" },
      crop(tile),
      h("div", { class: "now" }, h("strong", null, tileName(tile.tile)), h("span", null, state)),
      closeButton(dialog),
    ),
    guesses(tile, choose),
    kindGrid(tile.tile, choose),
    h("p", { class: "label" }, t("picker.group")),
    places(tile, (group, meld) => then(() => moveTile(id, group, meld))),
    h(
      "div",
      { class: "pair" },
      h("button", { type: "button", class: "button", id: "another", onclick: () => then(() => addTile(tile.tile, tile.group, tile.meld)) }, t("picker.another")),
      h("button", { type: "button", class: "button danger", id: "remove", onclick: () => then(() => removeWithUndo(id)) }, t("picker.remove")),
    ),
  );
  dialog.setAttribute("aria-label", t("picker.title"));
}

/** Add tiles to a group, one tap each; the sheet stays open until it is closed or the group holds one tile only. */
export function openAdd(group, meld) {
  const dialog = $("picker");
  const title = meld === null ? t(`group.${group}`) : t("group.meld_number", { number: meld + 1 });
  const single = group === "winning" || group === "gold";
  const added = h("div", { class: "tiles added", role: "status" });
  openSheet(
    dialog,
    h("div", { class: "sheet-head" }, h("div", { class: "now" }, h("strong", null, t("rack.add", { group: title })), h("span", null, t(single ? "picker.add_one" : "picker.add_hint"))), closeButton(dialog)),
    added,
    kindGrid(null, (code) => {
      addTile(code, group, meld);
      if (single) dialog.close();
      else added.append(h("span", { role: "img", "aria-label": tileName(code) }, face(code)));
      if (meld !== null && draft.tiles.filter((tile) => tile.meld === meld).length === 4) dialog.close();
    }),
    single ? null : h("button", { type: "button", class: "button primary wide", onclick: () => dialog.close() }, t("picker.done")),
  );
  dialog.setAttribute("aria-label", t("rack.add", { group: title }));
}
