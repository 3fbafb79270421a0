/** Shown in place of a page while the server cannot be reached: tries again by itself, and at once when asked. */
import { onBack } from "./shell.js";
import { $ } from "./dom.js";

onBack(() => location.reload());
$("again").addEventListener("click", () => location.reload());
