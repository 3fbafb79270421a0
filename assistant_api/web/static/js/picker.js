/** The sheet that corrects one tile: close-up, best guesses first, then all 42 kinds, another group, or remove. */
import { groups, kinds, t, tileName } from "./boot.js";
import { addTile, draft, meldNumbers, moveTile, removeTile, setTile, tileById } from "./draft.js";
import { face, h, openSheet, $ } from "./dom.js";
import { crop } from "./photo.js";

const closeButton = (dialog) =>
  h("button", { type: "button", class: "close", "aria-label": t("picker.close"), onclick: () => dialog.close() }, "×");

function kindGrid(current, choose) {
  const rows = [...new Set(kinds.map((kind) => kind.suit))];
  return rows.map((suit) =>
    h(
      "div",
      { class: "kinds", role: "group", "aria-label": t(`suit.${suit}`) },
      kinds
        .filter((kind) => kind.suit === suit)
        .map((kind) =>
          h(
            "button",
            {
              type: "button",
              class: "kind",
              "data-kind": kind.code,
              "aria-label": kind.name,
              "aria-pressed": String(kind.code === current),
              onclick: () => choose(kind.code),
            },
            face(kind.code),
          ),
        ),
    ),
  );
}

/** What the reader thinks it may be, best first: what it read, then its alternatives. */
function guesses(tile, choose) {
  const read = tile.read && tile.read !== "?" && tile.read !== "back" ? [[tile.read, tile.confidence]] : [];
  const best = [...read, ...tile.alternatives].slice(0, 3);
  if (best.length === 0) return null;
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
          "aria-label": t("picker.guess", { tile: tileName(code), percent: Math.round(chance * 100) }),
          "aria-pressed": String(code === tile.tile && tile.sure),
          onclick: () => choose(code),
        },
        face(code),
        h("span", null, tileName(code).split(" ")[0], h("b", null, `${Math.round(chance * 100)} %`)),
      ),
    ),
  );
}

function places(tile, move) {
  const numbers = meldNumbers();
  const next = numbers.length ? numbers[numbers.length - 1] + 1 : 0;
  const choices = groups.flatMap((group) => {
    if (group !== "meld") return [[group, null, t(`group.${group}`)]];
    const named = numbers.map((number) => [group, number, t("group.meld_number", { number: number + 1 })]);
    return [...named, [group, next, t("group.meld_next")]];
  });
  return h(
    "div",
    { class: "choices wrap", role: "radiogroup", "aria-label": t("picker.group") },
    choices.map(([group, meld, name]) =>
      h(
        "button",
        {
          type: "button",
          class: "choice",
          role: "radio",
          "data-group": meld === null ? group : `${group}-${meld}`,
          "aria-checked": String(group === tile.group && meld === tile.meld),
          onclick: () => move(group, meld),
        },
        name,
      ),
    ),
  );
}

export function openTile(id) {
  const dialog = $("picker");
  const tile = tileById(id);
  const then = (change) => {
    dialog.close();
    change();
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
    h("p", { class: "label" }, t("picker.all")),
    kindGrid(tile.tile, choose),
    h("p", { class: "label" }, t("picker.group")),
    places(tile, (group, meld) => then(() => moveTile(id, group, meld))),
    h("button", { type: "button", class: "button wide", id: "another", onclick: () => then(() => addTile(tile.tile, tile.group, tile.meld)) }, t("picker.another")),
    h("button", { type: "button", class: "button danger wide", id: "remove", onclick: () => then(() => removeTile(id)) }, t("picker.remove")),
  );
  dialog.setAttribute("aria-label", t("picker.title"));
}

/** Add tiles to a group, one tap each; the sheet stays open until it is closed or the group holds one tile only. */
export function openAdd(group, meld) {
  const dialog = $("picker");
  const title = meld === null ? t(`group.${group}`) : t("group.meld_number", { number: meld + 1 });
  const single = group === "winning" || group === "gold";
  const added = h("div", { class: "tiles" });
  openSheet(
    dialog,
    h("div", { class: "sheet-head" }, h("div", { class: "now" }, h("strong", null, t("rack.add", { group: title })), h("span", null, t(single ? "picker.add_one" : "picker.add_hint"))), closeButton(dialog)),
    added,
    kindGrid(null, (code) => {
      addTile(code, group, meld);
      if (single) dialog.close();
      else added.append(face(code));
      if (meld !== null && draft.tiles.filter((tile) => tile.meld === meld).length === 4) dialog.close();
    }),
  );
  dialog.setAttribute("aria-label", t("rack.add", { group: title }));
}
