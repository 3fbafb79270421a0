/** Shows the steps for this kind of phone first; on the secure address, finds out whether the phone trusts it. */
import "./shell.js";
import { $ } from "./dom.js";

const ios = /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
const android = /Android/.test(navigator.userAgent);
if (ios || android) {
  for (const part of document.querySelectorAll("[data-system]")) part.open = part.dataset.system === (ios ? "ios" : "android");
}

/** A page that was opened in spite of the browser's warning looks secure, but gets no service worker. */
async function trusted() {
  if (!("serviceWorker" in navigator)) return false;
  try {
    await navigator.serviceWorker.register("/worker.js");
    return true;
  } catch {
    return false;
  }
}

if ($("checking")) {
  const good = await trusted();
  $("checking").hidden = true;
  $("trusted").hidden = !good;
  $("untrusted").hidden = good;
  if ($("steps")) $("steps").hidden = good;
}
