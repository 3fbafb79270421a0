/** Whether the table's server answers. While it does not, it is asked again and again; who waits is told when it is back. */
import { h, redraw, $ } from "./dom.js";
import { t } from "./boot.js";

const EVERY_MS = 3000;
const PATIENCE_MS = 5000;
const waiting = new Set();
let away = false;
let asking = false;

export const isAway = () => away;

/** Be told each time the server is back. */
export function onReturn(listener) {
  waiting.add(listener);
}

function show() {
  const place = $("away");
  if (!place) return;
  place.hidden = !away;
  redraw(place, away && [h("strong", null, t("away.title")), h("span", null, t("away.text"))]);
}

/** Ask now. Any answer counts, also a refusal; only a gateway that found nobody behind it does not. */
export async function askServer() {
  if (!away || asking) return;
  asking = true;
  try {
    const answer = await fetch("/api/facts", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    if (![502, 504].includes(answer.status)) {
      away = false;
      show();
      for (const listener of waiting) listener();
    }
  } catch {
    // still away
  } finally {
    asking = false;
  }
}

/** A call found the server away. */
export function lost() {
  if (away) return;
  away = true;
  show();
  const timer = setInterval(() => (away ? askServer() : clearInterval(timer)), EVERY_MS);
}

for (const name of ["online", "focus", "pageshow"]) window.addEventListener(name, askServer);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && askServer());
