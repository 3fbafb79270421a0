/**
 * The camera as a small machine that draws nothing: off, requesting, live, denied, unavailable, insecure or error.
 * Only the newest request counts: a stream that comes for an older one is stopped at once.
 */
import { rememberLens, rememberedLens, tableLenses } from "./lenses.js";

const SIZE = { width: { ideal: 1920 }, height: { ideal: 1440 } }; // the shape of the sensor: browsers cut a wider one out of it
const REVIVE_PAUSE_MS = 2000;
const REFUSED = ["NotAllowedError", "SecurityError", "PermissionDeniedError"];
const ABSENT = ["NotFoundError", "OverconstrainedError", "DevicesNotFoundError"];

/** What is asked for, one after the other: wishes only (never `exact`), then any camera at all. */
function requests(lens) {
  const which = lens ? { deviceId: { ideal: lens } } : { facingMode: { ideal: "environment" } };
  return [{ ...which, ...SIZE }, true].map((video) => ({ audio: false, video }));
}

function stateAfter(error) {
  if (REFUSED.includes(error.name)) return "denied";
  return ABSENT.includes(error.name) ? "unavailable" : "error";
}

const stopAll = (stream) => stream?.getTracks().forEach((track) => track.stop());

/** A track that gives no picture any more: phones end or mute it while the page is in the background. */
const isDead = (track) => !track || track.readyState === "ended" || track.muted;

export class Camera {
  #video;
  #onChange;
  #turn = 0;
  #stream = null;
  #revivedAt = -REVIVE_PAUSE_MS;

  state = "off";
  lenses = [];
  lens = null;
  /** null: this camera has no light; otherwise whether it is on. */
  torch = null;

  constructor(video, onChange) {
    this.#video = video;
    this.#onChange = onChange;
  }

  get track() {
    return this.#stream?.getVideoTracks()[0] ?? null;
  }

  #become(state) {
    this.state = state;
    this.#onChange(this);
  }

  #release() {
    stopAll(this.#stream);
    this.#stream = null;
    this.#video.srcObject = null;
    this.torch = null;
  }

  /** Start, or start again with another lens. */
  async open(lens = null) {
    const turn = ++this.#turn;
    this.#release();
    if (!navigator.mediaDevices?.getUserMedia) return this.#become(window.isSecureContext ? "unavailable" : "insecure");
    this.#become("requesting");
    try {
      const wanted = lens ?? rememberedLens(await tableLenses())?.id ?? null;
      const stream = await this.#ask(wanted, turn);
      if (turn !== this.#turn) return stopAll(stream);
      await this.#show(stream, turn, lens === null);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#release();
      this.#become(stateAfter(error));
    }
  }

  async #ask(lens, turn) {
    let last;
    for (const request of requests(lens)) {
      if (turn !== this.#turn) return null;
      try {
        return await navigator.mediaDevices.getUserMedia(request);
      } catch (error) {
        if (REFUSED.includes(error.name)) throw error; // a person said no: asking again would only nag
        last = error;
      }
    }
    throw last;
  }

  async #show(stream, turn, mayChangeLens) {
    this.#stream = stream;
    const track = this.track;
    this.lenses = await tableLenses();
    if (turn !== this.#turn) return stopAll(stream);
    const remembered = rememberedLens(this.lenses);
    if (mayChangeLens && remembered && remembered.label !== track.label) return this.open(remembered.id);
    this.lens = this.lenses.find(({ label }) => label === track.label)?.id ?? track.getSettings().deviceId ?? null;
    const can = track.getCapabilities?.() ?? {};
    this.torch = can.torch ? false : null;
    if (can.focusMode?.includes("continuous")) {
      track.applyConstraints({ advanced: [{ focusMode: "continuous" }] }).catch(() => {});
    }
    track.addEventListener("ended", () => document.visibilityState === "visible" && this.revive());
    this.#video.srcObject = stream;
    await this.#video.play().catch(() => {}); // a paused video still shows its first frame
    if (turn === this.#turn) this.#become("live");
  }

  /** A person chose this lens. */
  async choose(id) {
    rememberLens(this.lenses.find((lens) => lens.id === id)?.label);
    await this.open(id);
  }

  async light(on) {
    try {
      await this.track.applyConstraints({ advanced: [{ torch: on }] });
      this.torch = on;
    } catch {
      this.torch = null;
    }
    this.#onChange(this);
  }

  /** Start again if the picture is dead; several events that say "back again" lead to one start. */
  async revive() {
    if (this.state !== "live" || !isDead(this.track) || performance.now() - this.#revivedAt < REVIVE_PAUSE_MS) return;
    this.#revivedAt = performance.now();
    await this.open(this.lens);
  }

  close() {
    this.#turn++;
    this.#release();
    if (this.state !== "off") this.#become("off");
  }
}

/** Tell a camera when the page comes back; some phones fire only one of these events. Returns how to stop. */
export function reviveOnReturn(camera) {
  const back = () => document.visibilityState === "visible" && camera.revive();
  const places = [[window, "pageshow"], [window, "focus"], [document, "visibilitychange"]];
  for (const [place, name] of places) place.addEventListener(name, back);
  return () => places.forEach(([place, name]) => place.removeEventListener(name, back));
}
