/**
 * Fingers on tiles: hold still to remove, drag to move. A plain tap stays a click, and a quick swipe still scrolls the
 * page, since a finger takes hold of a tile only after resting on it for a moment. A mouse takes hold at once and never
 * removes by resting: who has one has a Delete key. Times are those of the events, so a busy phone changes nothing.
 */
const ARM_MS = 180;
const HOLD_MS = 650;
const SLOP_PX = 8;
const EDGE_PX = 90;

let grip = null;
let onRelease = () => {};

/** True while a tile is held; the page should not be drawn anew then. */
export const isGripping = () => grip !== null;

const tileAt = (event) => event.target.closest?.("[data-grip]");
const placeAt = (x, y) => document.elementFromPoint(x, y)?.closest("[data-drop]") ?? null;

function ghostOf(tile) {
  const ghost = tile.querySelector("svg").cloneNode(true);
  ghost.classList.add("ghost");
  document.body.append(ghost);
  return ghost;
}

function lift() {
  clearTimeout(grip.timer);
  grip.ghost = ghostOf(grip.tile);
  grip.tile.classList.remove("held");
  grip.tile.classList.add("lifted");
  document.body.classList.add("dragging");
  grip.roll = setInterval(rollPage, 16);
}

/** Near the upper or lower edge the page rolls along. */
function rollPage() {
  const { y, place } = grip;
  const below = y - (innerHeight - EDGE_PX);
  const speed = y < EDGE_PX ? y - EDGE_PX : below > 0 && place?.dataset.drop !== "remove" ? below : 0;
  if (speed === 0) return;
  window.scrollBy(0, Math.round(speed / 6));
  follow();
}

function follow() {
  grip.ghost.style.transform = `translate(${grip.x}px, ${grip.y}px)`;
  const place = placeAt(grip.x, grip.y);
  if (place === grip.place) return;
  grip.place?.classList.remove("drop-here");
  place?.classList.add("drop-here");
  grip.place = place;
}

function letGo() {
  if (!grip) return;
  clearTimeout(grip.timer);
  clearTimeout(grip.arming);
  clearInterval(grip.roll);
  grip.ghost?.remove();
  grip.place?.classList.remove("drop-here");
  grip.tile.classList.remove("held", "lifted");
  document.body.classList.remove("dragging");
  grip = null;
  onRelease();
}

/** The click that follows a hold or a drag is not a tap; the next press is one again. */
function swallowClick() {
  const swallow = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const stop = () => {
    window.removeEventListener("click", swallow, { capture: true });
    window.removeEventListener("pointerdown", stop, { capture: true });
  };
  window.addEventListener("click", swallow, { capture: true, once: true });
  window.addEventListener("pointerdown", stop, { capture: true });
  setTimeout(stop, 300);
}

const rested = (event) => grip.mouse || event.timeStamp - grip.since >= ARM_MS;

function press(event, actions) {
  const tile = tileAt(event);
  if (!tile || grip || !event.isPrimary || event.button !== 0) return;
  const mouse = event.pointerType === "mouse";
  const [x, y] = [event.clientX, event.clientY];
  const draggable = tile.matches("button"); // a box on the photo stays where the tile lies
  grip = { tile, id: tile.dataset.grip, pointer: event.pointerId, since: event.timeStamp, mouse, x, y, startX: x, startY: y, draggable };
  if (mouse) return;
  grip.arming = setTimeout(() => tile.classList.add("held"), ARM_MS);
  grip.timer = setTimeout(() => {
    const { id } = grip;
    swallowOnUp();
    letGo();
    navigator.vibrate?.(12);
    actions.hold(id);
  }, HOLD_MS);
}

/** After a hold the finger is still down; its click comes when it lifts. */
function swallowOnUp() {
  window.addEventListener("pointerup", swallowClick, { capture: true, once: true });
}

function move(event) {
  if (!grip || event.pointerId !== grip.pointer) return;
  [grip.x, grip.y] = [event.clientX, event.clientY];
  if (!grip.ghost) {
    if (Math.hypot(grip.x - grip.startX, grip.y - grip.startY) < SLOP_PX) return;
    if (!rested(event) || !grip.draggable) return letGo();
    lift();
  }
  follow();
}

function release(event, actions) {
  if (!grip || event.pointerId !== grip.pointer) return;
  const { id, ghost, place } = grip;
  letGo();
  if (!ghost) return;
  swallowClick();
  if (place) actions.drop(id, place.dataset.drop);
}

/**
 * Watch the tiles below an element (`data-grip` = id of the tile). `actions.hold(id)`; `actions.drop(id, place)` with the
 * `data-drop` of where it was let go; `actions.released()` after every grip.
 */
export function watchTiles(root, actions) {
  onRelease = actions.released;
  root.addEventListener("pointerdown", (event) => press(event, actions));
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", (event) => release(event, actions));
  window.addEventListener("pointercancel", letGo);
  window.addEventListener("keydown", (event) => event.key === "Escape" && letGo());
  window.addEventListener("selectstart", (event) => grip && event.preventDefault());
  root.addEventListener("contextmenu", (event) => tileAt(event) && event.preventDefault());
  // Without this a finger that took hold of a tile would scroll the page as well.
  root.addEventListener("touchmove", (event) => grip && rested(event) && event.preventDefault(), { passive: false });
}
