/**
 * The opened hand of a win that was declared at the live table: what the table knows of it, what the log says against it,
 * and the way back. Which facts that are the server tells; here they are only passed on.
 */
import { call } from "./api.js";
import { t } from "./boot.js";
import { button } from "./controls.js";
import { h, redraw, $ } from "./dom.js";
import { close, draft, request } from "./draft.js";
import { eventText } from "./live_words.js";
import { newKey } from "./memory.js";
import { auth } from "./my_games.js";

const livePath = (code, path) => `/api/live/${encodeURIComponent(code)}${path}`;
const said = (facts) => Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
let known = null;

/** The declared win as the table shows it: tiles and facts to begin with. */
export async function openClaim(code) {
  known = await call("GET", livePath(code, "/claim"), undefined, auth(code));
  return { tiles: known.tiles, facts: said(known.facts) };
}

/** A photo shows the hand; melds, flowers, gold and winning tile it does not show are those of the table. */
export function withTable(tiles) {
  const shown = new Set(tiles.map(({ group }) => group));
  return [...tiles, ...(known?.tiles ?? []).filter(({ group }) => !shown.has(group))];
}

/** Ask what the log says of the hand as it is; its facts become those of the draft. */
export async function prove() {
  const { tiles, facts } = request();
  const proof = await call("POST", livePath(draft.game, "/proof"), { tiles, facts }, auth(draft.game));
  const { passed, gold_discarded, dealers_first_discard, last_tile, last_of_kind } = proof.facts;
  draft.facts = { ...draft.facts, ...said({ passed, gold_discarded, dealers_first_discard, last_tile, last_of_kind }) };
  draft.proof = proof;
}

const handTiles = (tiles) => tiles.filter(({ group }) => group === "hand").map(({ tile }) => tile);
const tell = (code, act, key) => call("POST", livePath(code, "/acts"), act, { ...auth(code), "Idempotency-Key": key });

/** The win is in the ledger: the hand is over at the table too. */
export const settle = (code, { facts, tiles }, key) => tell(code, { act: "settled", seat: facts.winner, tiles: handTiles(tiles) }, `${key}-live`);

async function refuse(onProblem) {
  try {
    const hand = handTiles(draft.tiles);
    await tell(draft.game, { act: "refuse", tiles: hand.includes("?") ? null : hand }, newKey());
    close();
    location.assign(`/g/${encodeURIComponent(draft.game)}/live`);
  } catch (problem) {
    onProblem(problem);
  }
}

/** What the log says, with the events that prove it, and the way back for a win that does not stand. */
export function drawProof(onProblem) {
  const place = $("proof");
  const { proof } = draft;
  const refused = proof?.stands === false;
  place.hidden = !draft.live || !proof || !draft.preview?.check.complete;
  if (place.hidden) return;
  const against = proof.stands === false && proof.evidence.length > 0; // that the tiles are no win is told below
  redraw(
    place,
    h("h2", null, t(against ? "live.proved_not" : "live.proved_clear")),
    against && h("p", { class: "wrong" }, proof.text),
    proof.evidence.length > 0 && h("ul", { class: "proof", "aria-label": t("live.proof") }, proof.evidence.map((one) => h("li", null, h("span", { class: "number" }, String(one.number)), " ", eventText(one), one.crop && h("img", { class: "evidence", src: one.crop, alt: t("live.picture_of", { number: one.number }) })))),
    refused && button("refuse", t("live.back_refused"), () => refuse(onProblem), "wide"),
  );
}
