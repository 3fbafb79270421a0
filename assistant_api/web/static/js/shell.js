/**
 * What every page needs: the language menu, a bar while the server cannot be reached, a bar when a newer version is
 * served, the service worker, and that the notice of a failed load stays away.
 */
import { askServer, onVersion } from "./connection.js";
import { $ } from "./dom.js";

const own = document.documentElement.dataset.version;

onVersion(({ page }) => ($("newer").hidden = page === own));
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
$("to-secure")?.addEventListener("click", ({ currentTarget }) => {
  currentTarget.href = currentTarget.origin + location.pathname + location.search + location.hash; // an invitation is in the hash
});
$("reload").addEventListener("click", () => location.reload());

navigator.serviceWorker?.register("/worker.js").catch(() => {}); // without a trusted certificate there is none
askServer();
$("broken").hidden = true;
