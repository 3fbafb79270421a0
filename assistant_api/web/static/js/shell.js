/**
 * What every page needs: the language menu, a bar while the server cannot be reached, a bar when a newer version is
 * served, the service worker, taps made before the page listened, and that the notice of a failed load stays away.
 */
import { askServer, onVersion } from "./connection.js";
import { $ } from "./dom.js";

const own = document.documentElement.dataset.version;

onVersion(({ page }) => ($("newer").hidden = page === own));
function changeLanguage() {
  const url = new URL(location.href);
  url.searchParams.set("lang", $("language").value);
  location.replace(url);
}
$("language").addEventListener("change", changeLanguage);
if ($("language").value !== document.documentElement.lang) changeLanguage(); // chosen before this listened
else if (new URLSearchParams(location.search).has("lang")) {
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
setTimeout(window.makeEarlyTaps); // when the page's own module, which follows this one, listens too
