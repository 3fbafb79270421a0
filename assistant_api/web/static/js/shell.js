/** What every page needs: the language menu. */
import { $ } from "./dom.js";

$("language").addEventListener("change", (event) => event.target.form.submit());
