/** The tiles in their groups, the count, and what is wrong with them; all judgement comes from the server's check. */
import { groups, t } from "./boot.js";
import { canUndo, draft, meldNumbers, undo } from "./draft.js";
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

function row(group, meld, title, note, tiles, faulty, actions) {
  const add = h(
    "button",
    {
      type: "button",
      class: "add",
      "data-key": `add-${group}-${meld ?? ""}`,
      "aria-label": t("rack.add", { group: title }),
      onclick: () => actions.addTo(group, meld),
    },
    "+",
  );
  const full = group === "winning" || group === "gold" ? tiles.length > 0 : false;
  return h(
    "div",
    { class: `group in-${group}`, role: "group", "aria-label": title },
    h("h3", null, title, note ? h("b", null, note) : null),
    h("div", { class: "tiles" }, tiles.map((tile) => tileButton(tile, faulty, actions.openTile)), full ? null : add),
  );
}

export function drawRack(actions) {
  const check = draft.preview?.check;
  const faulty = new Set((check?.problems ?? []).flatMap((problem) => problem.tiles));
  const rows = groups.flatMap((group) => {
    const tiles = draft.tiles.filter((tile) => tile.group === group);
    if (group === "other" && tiles.length === 0) return [];
    if (group !== "meld") return [row(group, null, t(`group.${group}`), null, tiles, faulty, actions)];
    const numbers = meldNumbers();
    const next = numbers.length ? numbers[numbers.length - 1] + 1 : 0;
    const kind = (number) => check?.melds.find((meld) => meld.meld === number)?.name ?? null;
    const melds = numbers.map((number) =>
      row(group, number, t("group.meld_number", { number: number + 1 }), kind(number), tiles.filter((tile) => tile.meld === number), faulty, actions),
    );
    return [...melds, row(group, next, t(numbers.length ? "group.meld_next" : "group.meld"), null, [], faulty, actions)];
  });
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
    check?.problems.length ? h("ul", { class: "problems" }, check.problems.map((problem) => h("li", null, problem.text))) : null,
    rows,
  );
}
