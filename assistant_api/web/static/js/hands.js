/** The saved hands, newest first, and the running totals; both come ready from the server. */
import "./shell.js";
import { call } from "./api.js";
import { signed, t, tileName } from "./boot.js";
import { formula } from "./result.js";
import { face, h, openSheet, redraw, toast, $ } from "./dom.js";

const SEATS = ["E", "S", "W", "N"];
let nextBefore = null;

const look = (points) => (points > 0 ? "plus" : points < 0 ? "minus" : null);

function drawTotals(totals, count) {
  redraw(
    $("totals"),
    h("div", { class: "card-head" }, h("h2", null, t("hands.totals")), h("span", { class: "each" }, t("hands.count", { count }))),
    h("div", { class: "seats" }, SEATS.map((seat, place) => h("div", { class: `seat ${look(totals[place]) ?? ""}` }, h("small", null, t(`seat.${seat}`)), h("b", null, signed(totals[place]))))),
  );
}

function tiles(hand) {
  const parts = ["hand", "winning", "meld", "flowers", "gold"].flatMap((group) => {
    const own = hand.tiles.filter((tile) => tile.group === group);
    const melds = group === "meld" ? [...new Set(own.map((tile) => tile.meld))].map((number) => own.filter((tile) => tile.meld === number)) : [own];
    return melds.filter((part) => part.length > 0);
  });
  const names = hand.tiles.map((tile) => tileName(tile.tile)).join(", ");
  return h("div", { class: "row", role: "img", "aria-label": names }, parts.flatMap((part, place) => [place ? h("span", { class: "gap" }) : null, ...part.map((tile) => face(tile.tile))]));
}

function item(hand) {
  const when = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", month: "short", day: "numeric" });
  const types = hand.result.win_types.map((type) => type.name).join(" · ");
  return h(
    "li",
    { "data-hand": hand.id },
    h(
      "div",
      { class: "what" },
      h("strong", null, t("hands.line", { seat: t(`seat.${hand.winner}`), how: hand.result.how })),
      h("span", null, when.format(new Date(hand.created_at))),
    ),
    types ? h("div", { class: "types" }, h("span", { class: "type" }, types)) : null,
    tiles(hand),
    h("div", { class: "deltas" }, SEATS.map((seat, place) => h("div", null, h("small", null, t(`seat.${seat}`)), h("b", { class: look(hand.deltas[place]) }, signed(hand.deltas[place]))))),
    h("details", { class: "more" }, h("summary", null, t("result.formula")), formula(hand.result)),
    h(
      "div",
      { class: "tools" },
      hand.photo_url ? h("a", { href: hand.photo_url }, t("hands.photo")) : null,
      h("button", { type: "button", class: "danger", onclick: () => confirmDelete(hand) }, t("hands.delete")),
    ),
  );
}

function confirmDelete(hand) {
  const dialog = $("confirm");
  const remove = async () => {
    dialog.close();
    try {
      await call("DELETE", `/api/hands/${hand.id}`);
      toast(t("hands.deleted"));
      await load(true);
    } catch (problem) {
      showFault(problem);
    }
  };
  dialog.setAttribute("aria-label", t("hands.delete"));
  openSheet(
    dialog,
    h("p", { class: "lead" }, t("hands.delete_ask")),
    h("p", { class: "hint" }, t("hands.delete_note")),
    h("button", { type: "button", class: "button danger wide", onclick: remove }, t("hands.delete")),
    h("button", { type: "button", class: "button wide", onclick: () => dialog.close() }, t("hands.keep")),
  );
}

function showFault(problem) {
  $("fault").hidden = false;
  $("fault").replaceChildren(h("strong", null, problem.body?.title ?? t("app.went_wrong")), problem.message);
}

async function load(fresh) {
  try {
    const page = await call("GET", `/api/hands?limit=20${fresh || nextBefore === null ? "" : `&before=${nextBefore}`}`);
    if (fresh) $("hands").replaceChildren();
    $("hands").append(...page.hands.map(item));
    nextBefore = page.next_before;
    $("more").hidden = nextBefore === null;
    $("empty").hidden = page.count > 0;
    drawTotals(page.totals, page.count);
  } catch (problem) {
    showFault(problem);
  }
}

$("more").addEventListener("click", () => load(false));
await load(true);
if (new URLSearchParams(location.search).has("saved")) {
  history.replaceState(null, "", "/hands");
  toast(t("hands.saved"));
}
