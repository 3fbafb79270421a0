/** The phone on the stand: a big view of what the camera sees, with what the server makes of it. */
import "./shell.js";
import { t } from "./boot.js";
import { drawBoxes } from "./boxes.js";
import { Camera, reviveOnReturn } from "./camera.js";
import { button } from "./controls.js";
import { watchDarkness } from "./darkness.js";
import { h, redraw, s, $ } from "./dom.js";
import { showFault } from "./fault.js";
import { pumpFrames } from "./frame_pump.js";
import { ask } from "./ledger.js";
import { act } from "./live_act.js";
import { nameAreas } from "./live_areas.js";
import { openBegin } from "./live_sheets.js";
import { joinTable, table } from "./live_socket.js";
import { stateLine } from "./live_state.js";
import { alertText, setGame, turnText } from "./live_words.js";
import { recall, remember } from "./memory.js";
import { noteGame } from "./my_games.js";
import { canStayAwake, stayAwake } from "./wakelock.js";

const EXPLAINED = "live-explained";
const code = decodeURIComponent(location.pathname.split("/")[2]);
const video = h("video", { playsinline: true, muted: true, autoplay: true, "aria-label": t("camera.picture") });
const overlay = s("svg", { class: "live-boxes", "aria-hidden": "true" });
const taps = s("svg", { class: "live-taps", viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
const camera = new Camera(video, draw);
let game = null;
let stopPump = () => {};
let stopWatching = () => {};
let corners = null; // while a person taps them

video.muted = true; // the attribute alone does not count for elements made by a script
$("view").append(video, overlay, taps);
const areas = nameAreas($("view"), video, drawTools);

function draw() {
  document.body.dataset.camera = camera.state;
  const live = camera.state === "live";
  stopPump();
  stopWatching();
  stayAwake(live);
  if (live) {
    $("view").style.setProperty("--aspect", video.videoWidth / video.videoHeight || 4 / 3);
    stopPump = pumpFrames(video);
    stopWatching = watchDarkness(video, (dark) => ($("dark").hidden = !dark));
  }
  drawCard();
  drawTools();
}

function start() {
  remember(EXPLAINED, true);
  camera.open();
}

/** What stands in place of the picture while there is none: why, and what to do. */
function drawCard() {
  const place = $("card");
  place.hidden = camera.state === "live";
  if (place.hidden) return;
  const state = camera.state === "off" ? "explain" : camera.state;
  const title = state === "explain" ? t("live.camera_title") : t(`camera.${state}.title`);
  const text = state === "explain" ? t("live.camera_text") : t(`camera.${state}.text`);
  redraw(
    place,
    h("h2", null, title),
    h("p", null, text),
    state === "explain" && button("start", t("camera.start"), start, "primary wide"),
    state === "error" && button("again", t("camera.again"), () => camera.open(), "primary wide"),
    state === "insecure" && h("a", { class: "button primary wide", href: "/install" }, t("install.title")),
  );
}

function lensMenu() {
  if (camera.state !== "live" || camera.lenses.length < 2) return null;
  const name = ({ label }, place) => label || t("camera.lens_number", { number: place + 1 });
  return h("select", { id: "lens", "data-key": "lens", "aria-label": t("camera.lens"), onchange: (event) => camera.choose(event.target.value) }, camera.lenses.map((lens, place) => h("option", { value: lens.id, selected: lens.id === camera.lens }, name(lens, place))));
}

function torchButton() {
  if (camera.state !== "live" || camera.torch === null) return null;
  return button("torch", t(camera.torch ? "camera.torch_off" : "camera.torch_on"), () => camera.light(!camera.torch), "", { "aria-pressed": String(camera.torch) });
}

function drawTools() {
  const live = camera.state === "live";
  redraw(
    $("tools"),
    lensMenu(),
    torchButton(),
    live && table.hand && [button("corners", t(corners ? "live.corners_stop" : "live.corners"), tapCorners, "", { "aria-pressed": String(corners !== null) }), ...areas.tools()],
    table.hand === null && table.version >= 0 && button("begin-open", t("live.begin"), () => openBegin(game?.deal), "primary"),
    h("a", { class: "button", id: "to-table", href: `/g/${encodeURIComponent(code)}/live` }, t("live.to_table")),
  );
  const hint = [areas.active() && t("live.area_drag"), corners && t("live.tap_corner", { corner: t(`live.corner.${corners.length}`) }), live && !canStayAwake() && t("live.screen_off"), table.isCamera === false && t("live.other_camera")].filter(Boolean);
  redraw($("hint"), hint.map((text) => h("p", { class: "hint", role: "status" }, text)));
}

/** Where the table is, by its four corners, when it is not found by itself. */
function tapCorners() {
  areas.stop();
  corners = corners ? null : [];
  drawTaps();
  drawTools();
}

function drawTaps() {
  taps.replaceChildren(...(corners ?? []).map(([x, y]) => s("circle", { cx: x, cy: y, r: 0.012 })));
  $("view").classList.toggle("tapping", corners !== null);
}

$("view").addEventListener("click", (event) => {
  if (!corners) return;
  const box = video.getBoundingClientRect();
  corners.push([(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map((share) => Math.min(1, Math.max(0, share))));
  if (corners.length === 4) {
    act({ act: "corners", points: corners }, t("live.said.corners"));
    corners = null;
  }
  drawTaps();
  drawTools();
});

const drawState = stateLine($("state"));

function drawTurn() {
  $("turn").textContent = table.hand ? turnText(table.hand.state) : t("live.between");
}

function showAlert() {
  const alert = table.hand?.alerts.at(-1);
  const place = $("alert");
  place.hidden = !alert;
  if (alert) place.textContent = alertText(alert);
}

$("back").href = `/g/${code}`;
joinTable(code, {
  as: "camera",
  onChange: (what) => {
    drawState();
    if (what === "gone") {
      stopPump();
      return showFault(table.ended, h("p", null, h("a", { class: "button", href: "/games" }, t("nav.games"))));
    }
    if (what === "sight") return drawBoxes(overlay);
    drawTurn();
    showAlert();
    drawTools();
    areas.draw();
  },
});
reviveOnReturn(camera);
window.addEventListener("pagehide", (event) => event.persisted || camera.close());
draw();
if (navigator.mediaDevices && recall(EXPLAINED)) camera.open();
else if (!navigator.mediaDevices) camera.open(); // says why there is none
try {
  game = await ask(code);
  setGame(game);
  noteGame(code, game);
  drawTurn();
} catch (problem) {
  if (!problem.offline) showFault(problem);
}
