/** Form parts that several sheets share. */
import { t } from "./boot.js";
import { h } from "./dom.js";

/** One of several, as large buttons; arrow keys move between them. */
export function choices(name, options, chosen, pick, label) {
  const values = options.map(([value]) => value);
  const place = Math.max(0, values.indexOf(chosen));
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = values[(values.indexOf(event.target.value) + step + values.length) % values.length];
    event.target.parentElement.querySelector(`[value="${next}"]`)?.focus();
    pick(next);
  };
  // the label says the text once more: Chromium's accessibility tree was seen without the text of redrawn buttons
  const one = ([value, text, small], number) =>
    h(
      "button",
      { type: "button", class: "choice", role: "radio", value, "data-key": `${name}-${value}`, "aria-checked": String(value === chosen), "aria-label": small ? `${text} ${small}` : text, tabindex: number === place ? "0" : "-1", onclick: () => pick(value), onkeydown: move },
      text,
      small ? h("small", null, small) : null,
    );
  return h("div", { class: `choices${options.length > 4 ? " wrap" : ""}`, role: "radiogroup", "aria-label": label }, options.map(one));
}

/** A heading with what belongs to it. */
export const group = (title, ...content) => h("div", { class: "question" }, h("h3", null, title), content);

export function stepper(name, value, set, label, { least = 0, most = 99 } = {}) {
  const step = (by, sign, text) => {
    const props = { type: "button", "data-key": `${name}${sign}`, "aria-label": `${label}: ${text}`, disabled: value + by < least || value + by > most };
    return h("button", { ...props, onclick: () => set(value + by) }, sign);
  };
  return h("div", { class: "stepper" }, step(-1, "\u2212", t("facts.fewer")), h("output", { "aria-label": label }, String(value)), step(1, "+", t("facts.more")));
}

export const button = (id, text, act, look = "", more = {}) => h("button", { type: "button", id, class: `button ${look}`, "data-key": id, onclick: act, ...more }, text);

export function input(id, label, props, hint = null) {
  return h("div", { class: "field" }, h("label", { for: id }, label), h("input", { id, autocomplete: "off", ...props }), hint && h("small", null, hint));
}

/** What a sheet begins with: its title and the way out. */
export function sheetHead(dialog, title, hint = null) {
  dialog.setAttribute("aria-label", title);
  const close = h("button", { type: "button", class: "close", "aria-label": t("picker.close"), onclick: () => dialog.close() }, "\u00d7");
  return h("div", { class: "sheet-head" }, h("div", { class: "now" }, h("strong", null, title), hint && h("span", null, hint)), close);
}

const look = (points) => (points > 0 ? "plus" : points < 0 ? "minus" : null);

/** Four amounts under their names. */
export const amounts = (names, points, show) =>
  h("div", { class: "deltas" }, names.map((name, place) => h("div", null, h("small", null, name), h("b", { class: look(points[place]) }, show(points[place])))));

/** A clear question before something that cannot be taken back; true when the person means it. */
export function confirm(dialog, { title, text, yes, no, id }) {
  return new Promise((resolve) => {
    let sure = false;
    const go = () => {
      sure = true;
      dialog.close();
    };
    dialog.replaceChildren(
      h("div", { class: "sheet-body" }, sheetHead(dialog, title), h("p", null, text), button(id, yes, go, "danger wide"), button(`${id}-not`, no, () => dialog.close(), "wide")),
    );
    dialog.onclose = () => resolve(sure);
    dialog.onclick = (event) => event.target === dialog && dialog.close();
    dialog.showModal();
  });
}
