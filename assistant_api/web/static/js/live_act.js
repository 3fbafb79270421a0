/** Saying something at a live table; what went wrong is told on the page. */
import { toast } from "./dom.js";
import { showFault } from "./fault.js";
import { say } from "./live_socket.js";

/** True when it was done. `said` is what a person reads then. */
export async function act(what, said = null) {
  try {
    await say(what);
    showFault(null);
    if (said) toast(said);
    return true;
  } catch (problem) {
    showFault(problem);
    return false;
  }
}
