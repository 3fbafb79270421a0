/** Small helpers to build elements; text always goes in as text. */
const SVG = "http://www.w3.org/2000/svg";
const TILES = new URL("../tiles.svg", import.meta.url).pathname;

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);
export const $ = (id) => document.getElementById(id);

/** The drawn face of a tile; the element around it carries the name. */
export function face(code) {
  const name = code === "?" ? "unknown" : code;
  return s("svg", { class: "tile", "aria-hidden": "true", viewBox: "0 0 68 96" }, s("use", { href: `${TILES}#t-${name}` }));
}

/** Put fresh content into an element and keep the keyboard where it was. */
export function redraw(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  element.replaceChildren(...children.flat(3).filter(Boolean));
  if (focused) element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

const said = new Map();
let saying;
/** Tell screen readers what changed; a place is a subject of its own and speaks only when it says something new. */
export function announce(place, text) {
  if (said.get(place) === text) return;
  said.set(place, text);
  if (!text) return;
  const line = $("said");
  line.dataset.next = line.dataset.next ? `${line.dataset.next}. ${text}` : text;
  clearTimeout(saying);
  saying = setTimeout(() => {
    line.textContent = line.dataset.next;
    delete line.dataset.next;
  }, 150);
}

/** Each file chosen in an input goes to `use`, also one that was chosen before this script ran; the input is free again. */
export function onFile(input, use) {
  const take = () => {
    const [file] = input.files;
    input.value = "";
    if (file) use(file);
  };
  input.addEventListener("change", take);
  take();
}

let hiding;
/** A short message at the foot of the page, also spoken; with an action it stays longer. */
export function toast(text, action = null) {
  const place = $("toast");
  const hide = () => place.classList.remove("shown");
  const run = () => {
    hide();
    action.act();
  };
  place.replaceChildren(text, ...(action ? [h("button", { type: "button", id: "toast-action", onclick: run }, action.label)] : []));
  place.classList.add("shown");
  clearTimeout(hiding);
  hiding = setTimeout(hide, action ? 7000 : 2600);
}

/** A sheet that closes by its button, Escape and a tap beside it. */
export function openSheet(dialog, ...children) {
  dialog.replaceChildren(h("div", { class: "sheet-body" }, ...children));
  dialog.onclose = () => dialog.open || dialog.replaceChildren(); // the event may come when it is open again
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  if (!dialog.open) dialog.showModal();
}
