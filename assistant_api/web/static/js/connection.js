/**
 * Whether the table's server can be reached. While it cannot, a bar says so and it is asked again and again; who waits for
 * it is told when it is back.
 */
import { $ } from "./dom.js";

const RETRY_MS = 2000;
const GIVE_UP_MS = 5000;
const listeners = new Set();
let away = $("main").dataset.page === "offline";
let asking = false;
let timer;
let tellVersion = () => {};

export const isAway = () => away;

/** Call the listener each time the server can be reached again. */
export function onReturn(listener) {
  listeners.add(listener);
}

/** Call the listener with what `/api/version` says, whenever it is asked. */
export function onVersion(listener) {
  tellVersion = listener;
}

function show(reached) {
  const back = away && reached;
  away = !reached;
  $("away").hidden = reached;
  clearTimeout(timer);
  if (away && document.visibilityState === "visible") timer = setTimeout(askServer, RETRY_MS);
  if (back) for (const listener of listeners) listener();
}

/** Ask whether it is there and what it serves; one question at a time. */
export async function askServer() {
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch("/api/version", { cache: "no-store", signal: AbortSignal.timeout?.(GIVE_UP_MS) });
    if (answer.ok) tellVersion(await answer.json());
    show(true);
  } catch {
    show(false);
  } finally {
    asking = false;
  }
}

/** A call found that it is away. */
export function lost() {
  show(false);
}

for (const name of ["online", "offline", "pageshow"]) addEventListener(name, askServer);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && askServer());
