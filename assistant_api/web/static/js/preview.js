/** Asks the server to judge the draft once the person stops changing it; only the newest answer counts. */
import { call } from "./api.js";
import { onReturn } from "./connection.js";
import { changed, draft, request } from "./draft.js";
import { prove } from "./live_proof.js";
import { auth } from "./my_games.js";

const PAUSE_MS = 150;
let asked = 0;
let timer;

/** `onProblem` is told what went wrong, and null when all is well again. */
export function ask(onProblem) {
  const turn = ++asked;
  clearTimeout(timer);
  timer = setTimeout(async () => {
    try {
      if (draft.live) await prove();
      const preview = await call("POST", "/api/settlements/preview", request(), draft.game ? auth(draft.game) : {});
      if (turn !== asked) return;
      Object.assign(draft, { preview, stale: false });
      onProblem(null);
      changed();
    } catch (problem) {
      if (turn !== asked) return;
      onProblem(problem.offline ? null : problem); // while the server is away, its own banner says so
    }
  }, PAUSE_MS);
}

/** Whatever was not judged while the server was away is judged when it is back. */
export function askOnReturn(onProblem) {
  onReturn(() => draft.open && draft.stale && ask(onProblem));
}
