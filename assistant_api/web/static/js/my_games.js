/** The games this phone plays in or looks at: its tokens, and enough to list them while the server is away. */
import { recall, remember } from "./memory.js";

const KEPT_AS = "games";
const CURRENT = "game";

const all = () => recall(KEPT_AS) ?? {};

/** Newest visit first. */
export const knownGames = () => Object.values(all()).sort((one, other) => other.at - one.at);
export const knownGame = (code) => all()[code] ?? null;

/** What opens a game: its token, or nothing for a share code. */
export function auth(code) {
  const token = knownGame(code)?.token;
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Remember a game under the code that opens it (its id with a token, else the share code), and when it was visited. */
export function noteGame(code, game, { token = knownGame(code)?.token ?? null, at = Date.now() } = {}) {
  const { id, share_code: share, title, role, can_write: writes, ruleset, finished_at: finished } = game;
  const players = game.players.map(({ name, score }) => ({ name, score }));
  const hands = game.hands_count;
  remember(KEPT_AS, { ...all(), [code]: { code, id, token, share, title, role, writes, ruleset, finished, players, hands, at } });
}

export function forgetGame(code) {
  const { [code]: _gone, ...rest } = all();
  remember(KEPT_AS, rest);
  if (recall(CURRENT) === code) remember(CURRENT, null);
  remember(`evening ${code}`, null);
}

/** The game that is being played on this phone; hands are entered into it unless another one is chosen. */
export const currentGame = () => knownGame(recall(CURRENT));
export const chooseGame = (code) => remember(CURRENT, code);
