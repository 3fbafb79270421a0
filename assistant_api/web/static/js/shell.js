/** What every page needs: the language menu, and that the notice of a failed load stays away. */
import { $ } from "./dom.js";

$("language").addEventListener("change", (event) => event.target.form.submit());
$("broken").hidden = true;
