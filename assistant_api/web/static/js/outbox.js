/**
 * Photos on their way to the server, one at a time. Each is put on the shelf before it is sent and taken off when its
 * answer is kept, so neither a lost connection nor a reload loses one; its key keeps the server from taking it twice.
 */
import { sendPhoto } from "./api.js";
import { isAway, onReturn } from "./connection.js";
import { draft } from "./draft.js";
import { newKey } from "./memory.js";
import * as shelf from "./shelf.js";

let items = [];
let sending = null;
let forced = false;
let listen = () => {};
let onRead = () => {};
let onRefused = () => {};
let mayStart = () => true;

/** What there is to show: the waiting photos, the one being sent with its share from 0 to 1, the fault that stopped it. */
export const outbox = {
  get items() {
    return items;
  },
  get sending() {
    return sending;
  },
  fault: null,
};

/** Start with what an earlier visit left. `free` says whether a new photo may be read now. */
export async function openOutbox({ onChange, onAnswer, onRefusal, free }) {
  [listen, onRead, onRefused, mayStart] = [onChange, onAnswer, onRefusal, free];
  const left = (await shelf.all().catch(() => [])).filter((item) => (item.game ?? null) === draft.game);
  const taken = new Set(items.map(({ key }) => key)); // while the shelf was looked through
  items = [...left.filter(({ key }) => !taken.has(key)), ...items];
  onReturn(kick);
  kick();
}

export async function add(blob, name, tileset) {
  const item = { key: newKey(), blob, name: name ?? "photo.jpg", tileset, game: draft.game, at: Date.now() };
  items = [...items, item];
  [outbox.fault, forced] = [null, true];
  listen();
  await shelf.put(item).catch(() => {});
  kick();
}

export function discard(key) {
  if (sending?.item.key === key) sending.cancel();
  forget(key);
  outbox.fault = null;
  listen();
}

function forget(key) {
  items = items.filter((item) => item.key !== key);
  shelf.drop(key).catch(() => {});
}

/** A person wants it read now, also after a failure or while another hand is open. */
export function readNow() {
  [outbox.fault, forced] = [null, true];
  kick();
}

/** Send the first photo, if nothing is under way and nothing stands against it. */
export async function kick() {
  if (sending || outbox.fault || items.length === 0 || isAway() || !(forced || mayStart())) return listen();
  const [item] = items;
  const { answer, cancel } = sendPhoto(item, (share) => {
    sending.share = share;
    listen();
  });
  sending = { item, share: 0, cancel };
  listen();
  try {
    const read = await answer;
    [sending, forced] = [null, false];
    onRead(read);
    forget(item.key);
  } catch (problem) {
    sending = null;
    settle(item, problem);
  }
  listen();
}

/** After a failure: wait for the server, let go what was cancelled or can never be read, or ask the person. */
function settle(item, problem) {
  if (problem.offline || problem.code === "cancelled") return;
  if (problem.body?.status < 500) {
    forget(item.key);
    onRefused(problem);
    kick();
  } else {
    outbox.fault = problem;
  }
}
