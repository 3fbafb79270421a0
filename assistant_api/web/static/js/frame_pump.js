/** Sends what the camera sees, one frame after the other: small JPEGs, never more on the way than the connection takes. */
import { mayShow, show, table } from "./live_socket.js";

const QUALITY = 0.7;

/** Pump frames of a video until it is told to stop. */
export function pumpFrames(video) {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { alpha: false });
  let stopped = false;
  let timer;

  function draw() {
    const { px } = table.welcome.frames;
    const scale = Math.min(1, px / Math.max(video.videoWidth, video.videoHeight));
    const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.drawImage(video, 0, 0, width, height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  }

  async function step() {
    const begun = performance.now();
    if (video.videoWidth && document.visibilityState === "visible" && table.welcome?.frames && mayShow()) {
      const frame = await draw();
      if (stopped) return;
      if (frame && frame.size <= table.welcome.frames.bytes) show(frame);
    }
    const pause = 1000 / (table.welcome?.frames?.per_second ?? 5);
    timer = setTimeout(step, Math.max(20, pause - (performance.now() - begun)));
  }

  step();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
