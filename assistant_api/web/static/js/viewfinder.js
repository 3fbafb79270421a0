/** The camera inside the page: says first what it is for, shows what it sees, takes one photo. */
import { t } from "./boot.js";
import { Camera, reviveOnReturn } from "./camera.js";
import { watchDarkness } from "./darkness.js";
import { h, redraw, $ } from "./dom.js";
import { recall, remember } from "./memory.js";
import { takeStill } from "./still.js";
import { stayAwake } from "./wakelock.js";

const EXPLAINED = "camera-explained";
const PROBLEMS = ["denied", "unavailable", "insecure", "error"];

const dialog = $("viewfinder");
const video = h("video", { playsinline: true, muted: true, autoplay: true, "aria-label": t("camera.picture") });
const parts = { top: h("div", { class: "finder-top" }), middle: h("div", { class: "finder-middle" }), foot: h("div", { class: "finder-foot" }) };
const camera = new Camera(video, draw);
let dark = false;
let taking = false;
let failed = false;
let stopWatching = () => {};
let usePhoto = () => {};

/** Without the camera in the page the phone's own camera app does it; that needs neither https nor permission. */
const phoneCamera = (look) =>
  h("label", { class: `button ${look} wide`, for: "camera", "data-key": "phone-camera", onclick: () => dialog.close() }, t("scan.phone_camera"));

function mark() {
  if (camera.state !== "live") return h("span", { class: "finder-mark" }, t("camera.off"));
  return h("span", { class: "finder-mark on" }, h("i", { "aria-hidden": "true" }), t("camera.on"));
}

function lensMenu() {
  if (camera.state !== "live" || camera.lenses.length < 2) return null;
  const name = ({ label }, place) => label || t("camera.lens_number", { number: place + 1 });
  return h(
    "select",
    { id: "lens", "data-key": "lens", "aria-label": t("camera.lens"), onchange: (event) => camera.choose(event.target.value) },
    camera.lenses.map((lens, place) => h("option", { value: lens.id, selected: lens.id === camera.lens }, name(lens, place))),
  );
}

function torchButton() {
  if (camera.state !== "live" || camera.torch === null) return null;
  const props = { type: "button", id: "torch", class: "finder-button", "data-key": "torch", "aria-pressed": String(camera.torch) };
  return h("button", { ...props, onclick: () => camera.light(!camera.torch) }, t(camera.torch ? "camera.torch_off" : "camera.torch_on"));
}

function card(key, ...actions) {
  return h("div", { class: "finder-card", "data-state": key }, h("h2", null, t(`camera.${key}.title`)), h("p", null, t(`camera.${key}.text`)), actions);
}

function middle() {
  if (camera.state === "live") {
    const tip = failed ? t("camera.no_photo") : dark ? t(camera.torch === null ? "camera.dark" : "camera.dark_torch") : t("camera.tip");
    return [h("div", { class: "finder-frame", "aria-hidden": "true" }), h("p", { class: `finder-tip${dark ? " dark" : ""}`, role: "status" }, tip)];
  }
  const button = (key, look, onclick) => h("button", { type: "button", class: `button ${look} wide`, "data-key": key, onclick }, t(`camera.${key}`));
  if (camera.state === "requesting") return card("requesting", button("cancel", "", () => dialog.close()));
  if (camera.state === "error") return card("error", button("again", "primary", () => camera.open()));
  if (PROBLEMS.includes(camera.state)) return card(camera.state, phoneCamera("primary"));
  return card("explain", button("start", "primary", start), phoneCamera(""));
}

function shutter() {
  if (camera.state !== "live") return null;
  return h("button", { type: "button", id: "shutter", class: "shutter", "data-key": "shutter", "aria-label": t("camera.shutter"), disabled: taking, onclick: shoot });
}

function draw() {
  dialog.dataset.state = camera.state;
  if (camera.state === "live") {
    dialog.style.setProperty("--aspect", video.videoWidth / video.videoHeight || 4 / 3);
    stopWatching();
    stopWatching = watchDarkness(video, (now) => {
      dark = now;
      drawParts();
    });
  } else {
    stopWatching();
    dark = false;
  }
  stayAwake(camera.state === "live");
  drawParts();
}

function drawParts() {
  const close = h("button", { type: "button", class: "finder-button close-finder", "data-key": "close-finder", "aria-label": t("camera.close"), onclick: () => dialog.close() }, "\u00d7");
  redraw(parts.top, mark(), lensMenu(), torchButton(), close);
  redraw(parts.middle, middle());
  redraw(parts.foot, shutter());
}

function start() {
  remember(EXPLAINED, true);
  camera.open();
}

async function shoot() {
  if (taking) return;
  [taking, failed] = [true, false];
  drawParts();
  try {
    const photo = await takeStill(camera.track, video);
    dialog.close();
    usePhoto(photo);
  } catch {
    failed = true;
    camera.revive();
  } finally {
    taking = false;
    drawParts();
  }
}

/** Open it by a tap; the photo taken goes to the callback. */
export function openViewfinder(onPhoto) {
  usePhoto = onPhoto;
  if (!dialog.open) dialog.showModal();
  if (!navigator.mediaDevices || recall(EXPLAINED)) camera.open();
  else drawParts();
}

video.muted = true; // the attribute alone does not count for elements made by a script
dialog.append(video, parts.top, parts.middle, parts.foot);
dialog.setAttribute("aria-label", t("camera.title"));
dialog.addEventListener("close", () => camera.close());
window.addEventListener("pagehide", (event) => event.persisted || camera.close());
reviveOnReturn(camera);
draw();
