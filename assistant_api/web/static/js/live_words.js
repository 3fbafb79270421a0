/** Events in words, and as the lines the server reads. */
import { has, t, tileName } from "./boot.js";
import { h } from "./dom.js";
import { table } from "./live_socket.js";
import { nameAt } from "./names.js";

let game = null;
export const setGame = (found) => (game = found);

/** What a seat is called: the player's name, else its wind. */
export const seatName = (code) => (code === null ? "" : game ? nameAt(game, code) : t(`seat.${code}`));

const names = (codes) => codes.map(tileName).join(t("app.list_separator"));

/** A sentence for an event. */
export function eventText({ kind, seat, tile, tiles, source }) {
  const key = kind === "draw" && tile && tile !== "back" ? "live.event.draw_seen" : `live.event.${kind}`;
  const values = { seat: seatName(seat), tile: tile ? tileName(tile) : "", tiles: names(tiles ?? []), how: source ? t(`source.${source}`) : "" };
  return has(key) ? t(key, values) : `${seatName(seat)} ${kind}`;
}

/** Kinds of event a person enters, with how many tiles each takes. */
export const ENTERED = { discard: 1, draw: 0, chow: 3, pung: 1, kong: 1, kong_added: 1, kong_concealed: 1, flowers: 1, gold: 1 };
export const withoutSeat = (kind) => kind === "gold";

/** The line of an event log, as the server reads it. */
export function eventLine(kind, seat, tiles) {
  const [tile, ...held] = tiles;
  if (kind === "gold") return `gold ${tiles.join(" ")}`;
  if (kind === "chow") return `${seat} chow ${tile} with ${held.join(" ")}`;
  if (kind === "kong_added") return `${seat} kong added ${tile}`;
  if (kind === "kong_concealed") return `${seat} kong concealed ${tile ?? "back"}`;
  return [seat, kind, ...tiles].join(" ");
}

/** Whose turn it is, or what may be claimed. */
export function turnText({ phase, turn, offered, claim, outcome }) {
  if (outcome) return t(`live.outcome.${outcome}`);
  if (claim) return t("live.claims_win", { seat: seatName(claim.seat) });
  if (offered) return t("live.offered", { seat: seatName(offered.seat), tile: tileName(offered.tile) });
  if (phase === "opening_flowers") return t("live.opening_flowers");
  return t("live.turn", { seat: seatName(turn) });
}

/** A warning with the name of who it is about. */
export const alertText = ({ named, seat }) => capital(named.message.replaceAll("{seat}", seatName(seat)));
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const ZONES = ["meld", "flowers", "river", "wall", "gold"];

/** Parts of the table nobody sees now; closed hands are not to be seen anyway. */
export function coveredText() {
  const parts = (table.sight?.covered ?? []).filter(({ zone }) => ZONES.includes(zone));
  return parts.map(({ zone, seat }) => (seat ? t(`live.zone.${zone}_of`, { seat: seatName(seat) }) : t(`live.zone.${zone}`))).join(t("app.list_separator"));
}

/** A word of the table and what it means. */
export const ruleText = ({ term, message }) => h("p", { class: "rule" }, h("b", null, t("live.word", { word: term.message })), message);
