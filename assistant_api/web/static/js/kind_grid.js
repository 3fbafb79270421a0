/** All 42 kinds of tile by suit, to choose one. */
import { kinds, t } from "./boot.js";
import { face, h } from "./dom.js";

export function kindGrid(current, choose) {
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
