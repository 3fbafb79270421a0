/** From a photo to a saved hand: take it, check the tiles, answer, look at the settlement, save. */
import "./shell.js";
import { call } from "./api.js";
import { t } from "./boot.js";
import { isAway } from "./connection.js";
import { h, onFile, toast, $ } from "./dom.js";
import { drawDock, startDock } from "./dock.js";
import { begin, close, doubtful, draft, onChange, reopen } from "./draft.js";
import { drawFacts } from "./facts.js";
import { byHandAtOnce, knownFacts, openTarget, target } from "./for_game.js";
import { isGripping } from "./gestures.js";
import { add, kick, openOutbox } from "./outbox.js";
import { drawProof, openClaim, withTable } from "./live_proof.js";
import { drawOutbox } from "./outbox_view.js";
import { drawPhoto, onNewPhoto } from "./photo.js";
import { openAdd, openTile } from "./picker.js";
import { ask, askOnReturn } from "./preview.js";
import { drawRack, watchRack } from "./rack.js";
import { drawResult } from "./result.js";
import { drawTilesets, tileset } from "./tileset.js";
import { openViewfinder } from "./viewfinder.js";

let faultOf = null;
let drawLater = false;

/** What went wrong, in the words of the server; null takes it away. */
function showFault(problem, of = "page") {
  const place = $("fault");
  faultOf = problem && of;
  place.hidden = !problem;
  if (!problem) return;
  place.replaceChildren(h("strong", null, problem.body?.title ?? t("app.went_wrong")), problem.message);
  place.scrollIntoView({ block: "nearest" });
}

/** A judgement that went well takes away what an earlier one left, but nothing else. */
function showJudging(problem) {
  if (problem) showFault(problem, "judging");
  else if (faultOf === "judging") showFault(null);
  if (draft.open && isAway()) drawDock();
}

/** Either the start or the hand at work; a photo under way takes the place of the start's buttons. */
function drawView() {
  const busy = document.querySelector("#outbox [data-sending]") !== null;
  $("start").hidden = draft.open || busy;
  $("work").hidden = !draft.open;
  $("dock").hidden = !draft.open;
}

function draw() {
  if (draft.stale) ask(showJudging);
  drawLater = isGripping();
  if (drawLater) return; // drawn when the finger lets go
  drawView();
  drawPhoto(openTile);
  drawRack({ openTile, addTo: openAdd });
  drawFacts();
  drawResult();
  drawProof(showFault);
  drawDock();
}

/** A photo was read: it becomes the hand at work. One without tiles only says so. */
function onAnswer({ photo, draft: read }) {
  showFault(null);
  const tiles = draft.live ? withTable(read.tiles) : read.tiles;
  const facts = draft.live ? draft.facts : read.facts;
  begin(photo, tiles, draft.game ? { ...facts, ...knownFacts() } : facts);
  if (photo && doubtful().length === 0) toast(read.message);
  if (!photo) showFault({ message: read.message, body: { title: t("scan.no_tiles_title") } });
  window.scrollTo(0, 0);
}

function usePhoto(blob, name) {
  showFault(null);
  add(blob, name, tileset());
}

function startAnew() {
  close();
  showFault(null);
  Object.assign(draft, { photo: null, tiles: [], preview: null });
  drawView();
  window.scrollTo(0, 0);
  kick();
}

async function byHand() {
  if (draft.game) return begin(null, [], knownFacts());
  try {
    const facts = await call("GET", "/api/facts");
    begin(null, [], facts);
  } catch (problem) {
    if (problem.offline) begin(null, [], { streak: 0 });
    else showFault(problem);
  }
}

/** The win declared at the live table: what lies open is known, the hand comes by photo or by hand. */
async function openDeclared() {
  try {
    const { tiles, facts } = await openClaim(target.code);
    const other = ["winner", "source", "from_seat"].some((name) => (draft.facts[name] ?? null) !== (facts[name] ?? null));
    if (!draft.open || other) begin(null, tiles, { ...facts, ...knownFacts() });
  } catch (problem) {
    showFault(problem);
  }
}

/** An entry of the ledger is put on the table again, to be corrected. */
function correct({ content }) {
  const tiles = content.tiles.map((tile) => ({ ...tile, sure: true, confidence: 1, alternatives: [], quad: null }));
  const facts = Object.fromEntries(Object.entries(content.facts).filter(([, value]) => value !== null));
  Object.assign(draft, { keptPhoto: content.photo_id, note: content.note, also: content.also_won });
  begin(null, tiles, { ...facts, ...knownFacts() });
}

$("open-camera").addEventListener("click", () => openViewfinder((photo) => usePhoto(photo, "camera.jpg")));
$("by-hand").addEventListener("click", byHand);
if (!window.isSecureContext) {
  // No camera in the page at an http address: the phone's own camera app comes first then.
  $("insecure").hidden = false;
  $("open-camera").classList.remove("primary");
  $("camera").parentElement.classList.add("primary");
  $("open-camera").before($("camera").parentElement.parentElement);
}
onNewPhoto({ startAnew, takePhoto: () => openViewfinder((photo) => usePhoto(photo, "camera.jpg")) });
onChange(draw);
watchRack(() => setTimeout(() => drawLater && draw())); // the click of this very tap comes first
startDock(showFault);
askOnReturn(showJudging);
const opening = openTarget(showFault);
reopen();
openOutbox({
  onChange: () => {
    drawOutbox();
    drawView();
    if (isAway()) drawDock();
  },
  onAnswer,
  onRefusal: showFault,
  free: () => !draft.open,
});
for (const id of ["camera", "library"]) onFile($(id), (file) => usePhoto(file, file.name));
drawTilesets();
const entry = await opening;
if (target?.live) await openDeclared();
else if (!draft.open && entry?.kind === "win") correct(entry);
else if (!draft.open && byHandAtOnce) byHand();
