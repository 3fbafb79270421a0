/** What players are called: by their name, else by the seat they began in. */
import { t } from "./boot.js";

export const SEATS = ["E", "S", "W", "N"];

export const playerName = (game, place) => game.players[place].name || t(`seat.${SEATS[place]}`);

/** Names by seat, as the players sit now or sat in a hand (`places`: the seat of each player). */
export function namesBySeat(game, places = game.players.map(({ seat }) => seat)) {
  return SEATS.map((seat) => playerName(game, places.indexOf(seat)));
}

export const nameAt = (game, seat) => namesBySeat(game)[SEATS.indexOf(seat)];

/** What a game is called: its title, else its players. */
export const gameTitle = ({ title, players }) => title || players.map(({ name }, place) => name || t(`seat.${SEATS[place]}`)).join(t("app.list_separator"));

/** A role as people call it. */
export const roleName = (role) => (SEATS.includes(role) ? t(`seat.${role}`) : t(`role.${role}`));

/** Which hand an entry is, or came in the middle of: a penalty is no hand. Nothing where hands have no numbers. */
export function handLabel({ kind, hand }) {
  if (!hand || kind === "deal") return null;
  return t(kind === "penalty" ? "game.during_hand" : "game.hand_no", { hand });
}
