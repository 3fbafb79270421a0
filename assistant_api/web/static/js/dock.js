/** The bar at the foot: where the hand stands and the one thing to do next. While a tile is dragged it takes it away. */
import { signed, t } from "./boot.js";
import { isAway, onReturn } from "./connection.js";
import { count } from "./counts.js";
import { h, redraw, $ } from "./dom.js";
import { close, doubtful, draft, saveTried, saved } from "./draft.js";
import { destination } from "./for_game.js";
import { called, SEATS } from "./seats.js";

let saving = false;
let waiting = false;
let onProblem = () => {};

/** Keep the hand in the ledger. If the server is away it is sent when it is back; the key keeps it from counting twice. */
async function save() {
  if (saving) return;
  saving = true;
  drawDock();
  try {
    const { send, next } = destination();
    await send(saved(), draft.key);
    close();
    location.assign(next);
  } catch (problem) {
    waiting = problem.offline;
    saveTried(waiting || problem.code === "conflict");
    if (!waiting) onProblem(problem);
  } finally {
    saving = false;
    drawDock();
  }
}

export function startDock(showProblem) {
  onProblem = showProblem;
  onReturn(() => {
    if (!waiting) return drawDock();
    waiting = false;
    save();
  });
}

function jump(id, key) {
  const go = () => $(id)?.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth", block: "center" });
  return h("button", { type: "button", class: "button", "data-key": "jump", onclick: go }, t(key));
}

function settled({ deltas, winner }) {
  const points = h("span", { class: "big" }, signed(deltas[SEATS.indexOf(winner)]));
  const wins = t("result.wins", { seat: called(winner) });
  const unsure = doubtful().length;
  if (unsure) return [points, t("dock.unsure", { count: unsure }), jump("doubts", "dock.to_tiles")];
  if (waiting) return [points, t("dock.waiting"), h("button", { type: "button", class: "button primary", id: "save", disabled: true }, t("dock.save"))];
  const props = { type: "button", class: "button primary", id: "save", "data-key": "save", disabled: saving || draft.stale };
  return [points, wins, h("button", { ...props, onclick: save }, t("dock.save"))];
}

function state() {
  const { preview } = draft;
  if (draft.stale && isAway()) return [t("dock.away"), count().text, null];
  if (!preview) return [t("dock.checking"), null, null];
  if (preview.settlement) return settled(preview.settlement);
  if (!preview.check.complete) {
    const fault = preview.check.problems.find((problem) => problem.blocking)?.text;
    return [fault ?? preview.check.count_text, fault ? preview.check.count_text : null, jump("rack", "dock.to_tiles")];
  }
  if (preview.refusal) return [t("dock.refused"), preview.refusal.text, jump("result", "dock.why")];
  // The first one as it stands on the page, which is not always the first the server thought of.
  const open = document.querySelector("#facts .question.open");
  const first = open?.id.replace("question-", "") ?? preview.questions[0].fact;
  return [t("dock.questions", { count: preview.questions.length }), t(`facts.${first}`), jump(`question-${first}`, "dock.answer")];
}

export function drawDock() {
  const [big, small, action] = state();
  redraw(
    $("dock"),
    h("div", { class: "state" }, big, small ? h("small", null, small) : null),
    action,
    h("div", { class: "bin", "data-drop": "remove" }, t("dock.bin")),
  );
  $("dock").setAttribute("aria-busy", String(draft.stale));
}
