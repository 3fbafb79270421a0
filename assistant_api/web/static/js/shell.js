/**
 * What every page needs: the language menu, a bar while the server cannot be reached, a bar when a newer version is
 * served, the service worker, and that the notice of a failed load stays away.
 */
import { $ } from "./dom.js";

const RETRY_MS = 2000;
const GIVE_UP_MS = 5000;
const own = document.documentElement.dataset.version;
const listeners = new Set();
let away = $("main").dataset.page === "offline";
let asking = false;
let timer;

/** Call the listener each time the server can be reached again. */
export function onBack(listener) {
  listeners.add(listener);
}

function show(reached) {
  if (away && reached) for (const listener of listeners) listener();
  away = !reached;
  $("away").hidden = reached;
  clearTimeout(timer);
  if (away && document.visibilityState === "visible") timer = setTimeout(check, RETRY_MS);
}

/** Ask what is being served; one question at a time. */
async function check() {
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch("/api/version", { cache: "no-store", signal: AbortSignal.timeout?.(GIVE_UP_MS) });
    if (answer.ok) $("newer").hidden = (await answer.json()).page === own;
    show(true);
  } catch {
    show(false);
  } finally {
    asking = false;
  }
}

$("language").addEventListener("change", (event) => {
  const url = new URL(location.href);
  url.searchParams.set("lang", event.target.value);
  location.replace(url);
});
if (new URLSearchParams(location.search).has("lang")) {
  const url = new URL(location.href); // the choice is remembered; an address that is passed on should not carry it
  url.searchParams.delete("lang");
  history.replaceState(history.state, "", url);
}
$("reload").addEventListener("click", () => location.reload());

for (const name of ["online", "offline", "pageshow"]) addEventListener(name, check);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && check());
navigator.serviceWorker?.register("/worker.js").catch(() => {}); // without a trusted certificate there is none
check();
$("broken").hidden = true;
