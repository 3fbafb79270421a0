/** Keeps the screen on. The lock is lost whenever the page is hidden, so it is asked for again when it shows. */
let wanted = false;
let lock = null;

/** False where the browser cannot keep the screen on: a person then sets the phone's auto-lock. */
export const canStayAwake = () => "wakeLock" in navigator;

async function request() {
  if (!wanted || lock || document.visibilityState !== "visible" || !canStayAwake()) return;
  try {
    const got = await navigator.wakeLock.request("screen");
    if (!wanted) return void got.release();
    lock = got;
    lock.addEventListener("release", () => (lock = null));
  } catch {
    lock = null; // low battery: nothing to be done
  }
}

export function stayAwake(on) {
  wanted = on;
  if (on) request();
  else lock?.release().catch(() => {});
}

for (const name of ["visibilitychange", "pageshow", "focus"]) window.addEventListener(name, request, true);
