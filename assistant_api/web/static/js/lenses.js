/**
 * The lenses of a phone. "The rear camera" may be an ultra-wide lens or one that cannot focus near, so a person can choose;
 * the choice is remembered by label, since the ids of devices change between visits.
 */
import { recall, remember } from "./memory.js";

const KEPT_AS = "lens";
const FRONT = /front|user|face|selfie|\u524d/i; // the character of the Chinese label stands for "front"
const FACING_BACK = /facing back/i;

/** The cameras that may look at a table: all that do not look at the person; empty labels before permission count too. */
export async function tableLenses() {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  const cameras = devices.filter(({ kind }) => kind === "videoinput");
  const rear = cameras.filter(({ label }) => FACING_BACK.test(label) || !FRONT.test(label));
  return (rear.length ? rear : cameras).map(({ deviceId, label }) => ({ id: deviceId, label }));
}

export function rememberLens(label) {
  if (label) remember(KEPT_AS, label);
}

/** The lens chosen on an earlier visit, if it is among these. */
export function rememberedLens(lenses) {
  const label = recall(KEPT_AS);
  return label ? (lenses.find((lens) => lens.label === label) ?? null) : null;
}
