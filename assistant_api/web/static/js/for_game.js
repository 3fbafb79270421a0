/**
 * The game a hand is entered into: chosen by the address (`/?game=…&entry=…&before=…`), else the one being played on this
 * phone. Its ledger knows rules, names, dealer and streak, so none of them is asked.
 */
import { call } from "./api.js";
import { t } from "./boot.js";
import { onReturn } from "./connection.js";
import { aim, changed, draft } from "./draft.js";
import { h, redraw, $ } from "./dom.js";
import { ask, gamePath } from "./ledger.js";
import { recall, remember } from "./memory.js";
import { auth, currentGame, knownGame, noteGame } from "./my_games.js";
import { gameTitle, namesBySeat } from "./names.js";
import { settle } from "./live_proof.js";
import { setGame } from "./live_words.js";
import { drained, openQueue } from "./queue.js";

const asked = new URLSearchParams(location.search);
const number = (name) => (/^\d{1,9}$/.test(asked.get(name) ?? "") ? Number(asked.get(name)) : null);
const wanted = asked.has("game") ? asked.get("game") : (currentGame()?.code ?? "");

/** null: the hand goes into no game. */
export const target = wanted ? { code: wanted, entry: number("entry"), before: number("before"), live: asked.has("live") } : null;
export const byHandAtOnce = asked.get("by") === "hand";

let game = null;
const keptAs = `evening ${target?.code}`;

/** What the ledger says of the deal of this hand: of the next one, or of the entry that is corrected or comes after. */
function dealOf(entry) {
  return entry ?? game.deal;
}

function take(found, entry) {
  game = found;
  setGame(game);
  const { dealer, streak, round_wind: wind, hand } = dealOf(entry);
  const known = Object.fromEntries(Object.entries({ dealer, streak, round_wind: wind }).filter(([, value]) => value !== null));
  aim({ ...target, names: namesBySeat(game, entry?.places), known, ruleset: game.ruleset, several: game.several_winners, hand });
}

/** Begin with what was kept of the game; ask the server for what it is now. Gives the entry to correct, if any. */
export async function openTarget(onProblem) {
  drawTarget();
  if (!target) return null;
  const kept = recall(keptAs);
  const keptEntry = kept?.entries.find(({ id }) => id === (target.entry ?? target.before)) ?? null;
  if (kept) take(kept.game, keptEntry);
  else aim(target);
  drawTarget();
  try {
    return await refresh();
  } catch (problem) {
    if (problem.code === "not_found" && currentGame()?.code === target.code) remember("game", null);
    if (!problem.offline) onProblem(problem);
    return null;
  }
}

/** The ledger may have moved on: ask it again for names and deal. */
async function refresh() {
  const other = target.entry ?? target.before;
  const [found, entry] = await Promise.all([ask(target.code), other ? ask(target.code, `/entries/${other}`) : null]);
  noteGame(target.code, found);
  take(found, entry);
  drawTarget();
  if (draft.open) changed();
  return target.entry ? entry : null;
}

const look = () => refresh().catch(() => {});
if (target) {
  openQueue(target.code, { change: () => {}, taken: look }); // what was entered before has to be there first
  onReturn(look);
}

/** The facts a hand of this game begins with. */
export const knownFacts = () => ({ ...draft.dealt });

function text() {
  const values = { what: gameTitle(game), hand: draft.hand ?? "–" };
  if (target.live) return t("live.scan_into");
  return t(target.entry ? "for_game.change" : target.before ? "for_game.earlier" : "for_game.into", values);
}

/** A line at the top: where the hand goes, and how to settle one outside. */
export function drawTarget() {
  const place = $("for-game");
  if (!target) return redraw(place, h("a", { class: "quiet", href: "/games/new" }, t("for_game.begin")));
  const shown = game ?? knownGame(target.code);
  redraw(place, shown && h("a", { class: "into", href: `/g/${target.code}` }, game ? text() : gameTitle(shown)), h("a", { class: "quiet", href: "/?game=" }, t("for_game.without")));
}

/** Where the finished hand is sent, and the page that comes after it. */
export function destination() {
  if (!target) return { send: (body, key) => call("POST", "/api/hands", body, { "Idempotency-Key": key }), next: "/hands?saved=1" };
  const { code, entry, before, live } = target;
  const [method, path] = entry ? ["PUT", `/entries/${entry}`] : ["POST", `/entries${before ? `?before=${before}` : ""}`];
  return {
    send: async (body, key) => {
      await drained();
      const answer = await call(method, gamePath(code, path), body, { ...auth(code), "Idempotency-Key": key });
      if (live) await settle(code, body, key);
      return answer;
    },
    next: live ? `/g/${code}/live?said=settled` : `/g/${code}?said=${entry ? "edit" : "win"}`,
  };
}
