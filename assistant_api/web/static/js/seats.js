/** The four seats in the order of play, and what each is called at this table. */
import { t } from "./boot.js";
import { draft } from "./draft.js";

export const SEATS = ["E", "S", "W", "N"];

/** The player's name where the table knows it, else the wind. */
export const seatName = (seat) => draft.names?.[SEATS.indexOf(seat)] || t(`seat.${seat}`);

/** The same inside a sentence. */
export const called = (seat) => draft.names?.[SEATS.indexOf(seat)] || t("seat.called", { seat: t(`seat.${seat}`) });
