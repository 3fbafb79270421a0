/** Shown in place of a page while the server cannot be reached: tries again by itself, and at once when asked. */
import { onReturn } from "./connection.js";
import "./shell.js";
import { $ } from "./dom.js";

/** The address is that of the page that was wanted, unless somebody opened this one. */
function again() {
  if (location.pathname === "/offline") location.replace("/");
  else location.reload();
}

onReturn(again);
$("again").addEventListener("click", again);
