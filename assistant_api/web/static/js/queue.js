/**
 * Entries on their way to the ledger, in order. Each is kept on the phone until the server has answered, and its key
 * keeps it from being entered twice, so neither a lost connection nor a reload loses or doubles one.
 */
import { Problem } from "./api.js";
import { t } from "./boot.js";
import { isAway, onReturn } from "./connection.js";
import { tell } from "./ledger.js";
import { newKey, recall, remember } from "./memory.js";

const LOOK_MS = 100;
let code = null;
let sending = false;
let hear = { change: () => {}, taken: () => {} };

export const queue = { fault: null };

const keptAs = () => `queue ${code}`;
export const waiting = () => recall(keptAs()) ?? [];
const keep = (items) => remember(keptAs(), items.length ? items : null);

/** `change()` when there is something else to show, `taken(answer, item)` when the server has an entry. */
export function openQueue(game, listeners) {
  code = game;
  hear = listeners;
  onReturn(flush);
  flush();
}

/** Send this as soon as the server is there. `label` is what people read while it waits. */
export function enqueue({ method, path, body, label }) {
  keep([...waiting(), { key: newKey(), method, path, body, label, at: Date.now() }]);
  queue.fault = null;
  flush();
}

export function discard(key) {
  keep(waiting().filter((item) => item.key !== key));
  queue.fault = null;
  hear.change();
  flush();
}

export function tryAgain() {
  queue.fault = null;
  flush();
}

export async function flush() {
  if (sending || queue.fault || isAway() || waiting().length === 0) return hear.change();
  const [item] = waiting();
  sending = true;
  hear.change();
  try {
    const answer = await tell(code, item.method, item.path, item.body, { key: item.key });
    keep(waiting().filter(({ key }) => key !== item.key));
    hear.taken(answer, item);
  } catch (problem) {
    if (!problem.offline) queue.fault = problem;
  } finally {
    sending = false;
  }
  if (!queue.fault && !isAway() && waiting().length) return flush();
  return hear.change();
}

/** Nothing waits any more; Problem while something does. What comes later must not overtake it. */
export async function drained() {
  await flush();
  while (sending) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  if (waiting().length) throw queue.fault ?? new Problem(t("problem.offline.detail"), "offline");
}
