/** The four sides of a live table: melds, flowers, discards in order; and the middle with the gold. */
import { t, tileName } from "./boot.js";
import { face, h, redraw } from "./dom.js";
import { seatName, turnText } from "./live_words.js";
import { SEATS } from "./names.js";

const names = (codes) => codes.map(tileName).join(t("app.list_separator"));
const row = (label, codes, look = "") => codes.length > 0 && h("div", { class: `laid ${look}`, role: "img", "aria-label": `${label}: ${names(codes)}` }, h("small", { "aria-hidden": "true" }, label), h("span", { class: "tiles-row" }, codes.map(face)));

function meld({ kind, tiles, from }) {
  const label = `${t(`meld.${kind}`)}${from ? ` ${t("live.from", { seat: seatName(from) })}` : ""}`;
  return h("span", { class: "live-meld", role: "img", "aria-label": `${label}: ${names(tiles)}` }, tiles.map(face));
}

function side(state, code, foot) {
  const { melds, flowers, discards, hands, dealer, streak, turn, claim, offered } = state;
  const acts = !claim && !offered && turn === code;
  const last = offered?.seat === code ? discards[code].length - 1 : -1;
  const river = discards[code].length > 0 && h("div", { class: "laid river", role: "img", "aria-label": `${t("live.zone.river")}: ${names(discards[code])}` }, h("small", { "aria-hidden": "true" }, t("live.zone.river")), h("span", { class: "tiles-row" }, discards[code].map((tile, place) => (place === last ? h("span", { class: "offered" }, face(tile)) : face(tile)))));
  return h(
    "section",
    { class: `card side at-${(SEATS.indexOf(code) - foot + 4) % 4}${acts ? " acts" : ""}`, "data-seat": code, "aria-label": seatName(code) },
    h("div", { class: "side-head" }, h("strong", null, seatName(code)), h("span", { class: "wind" }, t(`seat.${code}`)), dealer === code && h("span", { class: "deals" }, streak ? t("game.deals_streak", { streak }) : t("game.deals")), h("span", { class: "in-hand" }, t("live.tiles_in_hand", { count: hands[code] }))),
    melds[code].length > 0 && h("div", { class: "melds" }, melds[code].map(meld)),
    row(t("live.zone.flowers"), flowers[code], "flowers"),
    river,
  );
}

/** The gold, whose turn it is, and how much of the wall is left. */
function middle(state) {
  const gold = state.gold ? h("span", { class: "live-gold", role: "img", "aria-label": `${t("group.gold")}: ${tileName(state.gold)}` }, face(state.gold), h("small", { "aria-hidden": "true" }, t("group.gold"))) : h("span", { class: "live-gold none" }, t("live.no_gold"));
  return h("section", { class: "card live-middle", "aria-label": t("live.middle") }, gold, h("div", null, h("strong", { id: "turn", role: "status" }, turnText(state)), h("span", null, t("live.wall", { count: state.wall }))));
}

export function drawSides(place, state, role) {
  const foot = Math.max(0, SEATS.indexOf(SEATS.includes(role) ? role : state.near));
  const order = SEATS.map((_, step) => SEATS[(foot + step) % 4]);
  redraw(place, middle(state), order.map((code) => side(state, code, foot)));
}
