/** What a correction, an undo or another phone changed among the entries that were there, and in the totals. */
import { signed, t } from "./boot.js";
import { h, redraw, $ } from "./dom.js";
import { evening } from "./evening.js";
import { handLabel, namesBySeat, playerName } from "./names.js";

let shown = null; // { changes, totals } until a person has seen it

export function newChanges({ changes, totals }) {
  if (changes.length) shown = { changes, totals: shown?.totals ?? totals };
}

const label = (entry) => handLabel(entry) ?? t("changes.entry");
const points = (entry) => evening.game.players.map((_, place) => `${playerName(evening.game, place)} ${signed(entry.deltas[place])}`).join("  ");

function line([before, after]) {
  const what = !after ? "gone" : !before ? "new" : "moved";
  const alike = before && after && before.text === after.text && points(before) === points(after); // only its deal moved
  const dealt = before && after && (before.dealer !== after.dealer || before.streak !== after.streak);
  return h(
    "li",
    null,
    h("strong", null, `${label(after ?? before)} · ${t(`changes.${what}`)}`),
    before && !alike && h("p", { class: "was" }, h("span", { class: "visually-hidden" }, t("changes.before")), h("s", null, before.text, " ", points(before))),
    after && h("p", null, after.text, " ", points(after)),
    dealt && after.dealer && h("p", { class: "hint" }, t("changes.dealer", { dealer: namesBySeat(evening.game, after.places)["ESWN".indexOf(after.dealer)], streak: after.streak ?? 0 })),
  );
}

export function drawChanges() {
  const place = $("changes");
  place.hidden = shown === null;
  if (place.hidden) return;
  const { game } = evening;
  const close = () => {
    shown = null;
    drawChanges();
  };
  const moved = shown.totals && game.players.map((_, number) => [playerName(game, number), shown.totals[number], game.totals[number]]).filter(([, old, now]) => old !== now);
  redraw(
    place,
    h("div", { class: "card-head" }, h("h2", null, t("changes.title")), h("button", { type: "button", class: "quiet", id: "changes-seen", "data-key": "changes-seen", onclick: close }, t("changes.seen"))),
    h("ul", null, shown.changes.map(line)),
    moved?.length > 0 && h("p", { class: "label" }, t("hands.totals")),
    moved?.length > 0 && h("p", { class: "moved" }, moved.map(([name, old, now]) => h("span", null, `${name} ${signed(old)} → `, h("b", null, signed(now))))),
  );
}
