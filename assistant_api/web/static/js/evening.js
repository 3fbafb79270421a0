/** The game on this page as it stands, followed live; the last state is kept on the phone for the time without a server. */
import { auth, noteGame } from "./my_games.js";
import { gamePath } from "./ledger.js";
import { follow } from "./live.js";
import { recall, remember } from "./memory.js";

export const evening = { code: null, game: null, entries: [], version: -1, state: "connecting" };
let listen = () => {};

const keptAs = (code) => `evening ${code}`;

/** What a change did to the entries that were there: each as it was and as it is, null for not there. */
function difference(before, after) {
  const now = new Map(after.map((entry) => [entry.id, entry]));
  const old = new Map(before.map((entry) => [entry.id, entry]));
  const same = (one, other) =>
    one.text === other.text && one.hand === other.hand && one.dealer === other.dealer && one.streak === other.streak && one.note === other.note &&
    one.deltas.every((points, place) => points === other.deltas[place]);
  const changed = before.filter(({ id }) => !now.has(id) || !same(old.get(id), now.get(id))).map((entry) => [entry, now.get(entry.id) ?? null]);
  const lastKept = after.findLastIndex(({ id }) => old.has(id));
  const between = after.slice(0, lastKept + 1).filter(({ id }) => !old.has(id)).map((entry) => [null, entry]);
  return [...between, ...changed];
}

function become(game, entries, version, first = false) {
  const changes = first ? [] : difference(evening.entries, entries);
  const fresh = first ? [] : entries.filter((entry) => !evening.entries.some(({ id, version: known }) => id === entry.id && known === entry.version)).map(({ id }) => id);
  const totals = evening.game?.totals ?? null;
  Object.assign(evening, { game, entries, version });
  noteGame(evening.code, game);
  remember(keptAs(evening.code), { game, entries, version });
  listen({ changes, fresh, totals });
}

function merge({ version, game, entries, removed }) {
  if (version <= evening.version) return;
  const gone = new Set([...removed, ...entries.map(({ id }) => id)]);
  become(game, [...evening.entries.filter(({ id }) => !gone.has(id)), ...entries], version);
}

/** The answer to an own write; where something else came between, the stream brings both. */
export function took(answer) {
  if (answer?.from_version === evening.version) merge(answer);
}

/** Show what was kept, then follow. `onChange(what)` after each change, `onState` when the connection changes. */
export function openEvening(code, { onChange, onState, onEnd }) {
  evening.code = code;
  listen = onChange;
  const kept = recall(keptAs(code));
  if (kept) {
    Object.assign(evening, kept);
    onChange({ changes: [], fresh: [], totals: null });
  }
  return follow(gamePath(code, "/events"), {
    headers: { ...auth(code), "Accept-Language": document.documentElement.lang },
    onSnapshot: ({ game, entries, version }) => become(game, entries, version, !kept && evening.version < 0),
    onDelta: merge,
    onState: (state) => {
      evening.state = state;
      onState(state);
    },
    onEnd,
  });
}
