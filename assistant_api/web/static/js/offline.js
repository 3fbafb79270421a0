/** Shown in place of a page while the server cannot be reached: tries again by itself, and at once when asked. */
import { onReturn } from "./connection.js";
import "./shell.js";
import { $ } from "./dom.js";

onReturn(() => location.reload());
$("again").addEventListener("click", () => location.reload());
