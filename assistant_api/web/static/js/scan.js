/** From a photo to a saved hand: take it, check the tiles, answer, look at the settlement, save. */
import "./shell.js";
import { call, sendPhoto } from "./api.js";
import { signed, t } from "./boot.js";
import { h, redraw, toast, $ } from "./dom.js";
import { begin, changed, draft, onChange, request } from "./draft.js";
import { drawFacts } from "./facts.js";
import { drawPhoto } from "./photo.js";
import { openAdd, openTile } from "./picker.js";
import { drawRack } from "./rack.js";
import { drawResult } from "./result.js";

const SEATS = ["E", "S", "W", "N"];
let asked = 0;
let timer;
let saveKey = newKey();
let saving = false;

function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function show({ start = false, busy = false, work = false }) {
  $("start").hidden = !start;
  $("busy").hidden = !busy;
  $("work").hidden = !work;
  $("dock").hidden = !work;
}

function showFault(problem) {
  const place = $("fault");
  place.hidden = !problem;
  if (problem) place.replaceChildren(h("strong", null, problem.body?.title ?? t("app.went_wrong")), problem.message);
}

/** Ask the server once the person stops changing things; only the newest answer counts. */
function ask() {
  const turn = ++asked;
  saveKey = newKey();
  clearTimeout(timer);
  timer = setTimeout(async () => {
    try {
      const preview = await call("POST", "/api/settlements/preview", request());
      if (turn !== asked) return;
      Object.assign(draft, { preview, stale: false });
      showFault(null);
      changed();
    } catch (problem) {
      if (turn === asked) showFault(problem);
    }
  }, 150);
}

async function save() {
  if (saving) return;
  saving = true;
  drawDock();
  try {
    await call("POST", "/api/hands", request(), { "Idempotency-Key": saveKey });
    location.assign("/hands?saved=1");
  } catch (problem) {
    showFault(problem);
    $("fault").scrollIntoView({ block: "center" });
  } finally {
    saving = false;
    drawDock();
  }
}

function drawDock() {
  const { preview, stale } = draft;
  const [big, small, action] = dockState(preview);
  redraw($("dock"), h("div", { class: "state" }, big, small ? h("small", null, small) : null), action);
  $("dock").setAttribute("aria-busy", String(stale));
}

function dockState(preview) {
  if (!preview) return [t("dock.checking"), null, null];
  const jump = (id, key) =>
    h("button", { type: "button", class: "button", "data-key": "jump", onclick: () => $(id)?.scrollIntoView({ behavior: "smooth", block: "center" }) }, t(key));
  if (preview.settlement) {
    const { deltas, winner } = preview.settlement;
    const points = h("span", { class: "big" }, signed(deltas[SEATS.indexOf(winner)]));
    const button = h("button", { type: "button", class: "button primary", id: "save", "data-key": "save", disabled: saving || draft.stale, onclick: save }, t("dock.save"));
    const unsure = draft.tiles.filter((tile) => !tile.sure).length;
    const small = unsure ? t("dock.unsure", { count: unsure }) : t("result.wins", { seat: t(`seat.${winner}`) });
    return [points, small, button];
  }
  if (!preview.check.complete) {
    const fault = preview.check.problems.find((problem) => problem.blocking)?.text;
    return [fault ?? preview.check.count_text, fault ? preview.check.count_text : null, jump("rack", "dock.to_tiles")];
  }
  if (preview.refusal) return [t("dock.refused"), preview.refusal.text, jump("result", "dock.why")];
  const count = preview.questions.length;
  return [t("dock.questions", { count }), t(`facts.${preview.questions[0].fact}`), jump(`question-${preview.questions[0].fact}`, "dock.answer")];
}

function draw() {
  drawPhoto(openTile);
  drawRack({ openTile, addTo: openAdd });
  drawFacts();
  drawResult();
  drawDock();
  if (draft.stale) ask();
}

async function usePhoto(file) {
  if (!file) return;
  showFault(null);
  show({ busy: true });
  const bar = $("busy").querySelector("i");
  $("busy-text").textContent = t("scan.uploading");
  try {
    const answer = await sendPhoto(file, (share) => {
      bar.style.width = `${5 + 75 * share}%`;
      if (share === 1) $("busy-text").textContent = t("scan.reading");
    });
    show({ work: true });
    begin(answer.photo, answer.draft.tiles, answer.draft.facts);
    window.scrollTo(0, 0);
    if (answer.draft.message) toast(answer.draft.message);
  } catch (problem) {
    show({ start: true });
    showFault(problem);
  }
}

for (const id of ["camera", "library"]) {
  $(id).addEventListener("change", (event) => {
    usePhoto(event.target.files[0]);
    event.target.value = "";
  });
}
$("by-hand").addEventListener("click", async () => {
  try {
    const facts = await call("GET", "/api/facts");
    show({ work: true });
    begin(null, [], facts);
  } catch (problem) {
    showFault(problem);
  }
});
onChange(draw);
