/** Notices that the picture stays dark, so that light can be suggested; it never switches anything on. */
const EVERY_MS = 500;
const DARK_LUMA = 48; // of 255: a table by candle light; a lit room is well above 80
const SAMPLES = 6;

function luma(video, context) {
  context.drawImage(video, 0, 0, 32, 24);
  const { data } = context.getImageData(0, 0, 32, 24);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum += 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
  return sum / (data.length / 4);
}

/** Calls back once with true when the picture has been dark for some seconds, with false when it is light again. */
export function watchDarkness(video, onChange) {
  const context = Object.assign(document.createElement("canvas"), { width: 32, height: 24 }).getContext("2d", { willReadFrequently: true });
  let run = 0;
  let told = false;
  const timer = setInterval(() => {
    if (!video.videoWidth) return;
    const dark = luma(video, context) < DARK_LUMA;
    run = dark === told ? 0 : run + 1;
    if (run >= SAMPLES) {
      [told, run] = [dark, 0];
      onChange(told);
    }
  }, EVERY_MS);
  return () => clearInterval(timer);
}
