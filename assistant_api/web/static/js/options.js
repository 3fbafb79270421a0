/** The options of a ruleset in plain words: those asked most at the top, all others folded below with a search. One
 *  that has several parts, such as points by kind of win, stays folded until it is wanted. */
import { has, t } from "./boot.js";
import { h } from "./dom.js";

const ASKED_MOST = ["fixed_points", "base_unit", "discard_payers", "false_win_points", "gold_discard_lock", "pass_lock_scope", "streak_on_draw", "minimum", "base_points", "special_values"];

/** A choice in words; its code where nobody has named it yet. */
const said = (option, value) => {
  const key = [`choice.${option}.${value}`, `choice.kind.${value}`].find(has);
  return key ? t(key) : value;
};

const equal = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What differs from the values the options have. */
export function changedOptions(ruleset, values) {
  const own = new Map(ruleset.options.map(({ name, value }) => [name, value]));
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !equal(own.get(name), value)));
}

const whole = (event) => (event.target.value === "" ? 0 : Math.trunc(event.target.valueAsNumber));

const CONTROLS = {
  flag: ({ name }, value, set) => h("input", { type: "checkbox", id: `option-${name}`, checked: value, onchange: (event) => set(event.target.checked) }),
  number: ({ name }, value, set) => h("input", { type: "number", inputmode: "numeric", step: 1, id: `option-${name}`, value: String(value), oninput: (event) => set(whole(event)) }),
  choice: ({ name, choices }, value, set) =>
    h("select", { id: `option-${name}`, onchange: (event) => set(event.target.value) }, choices.map((one) => h("option", { value: one, selected: one === value }, said(name, one)))),
};

/** Options with several parts: points by kind of win, a set of kinds, an order of them. */
const PARTS = {
  points: ({ name }, value, set) =>
    Object.entries(value).map(([kind, points]) =>
      h("div", { class: "option part" }, h("label", { for: `option-${name}-${kind}` }, said(name, kind)),
        h("input", { type: "number", inputmode: "numeric", step: 1, id: `option-${name}-${kind}`, value: String(points), oninput: (event) => set((now) => ({ ...now, [kind]: whole(event) })) }))),
  set: ({ name, choices }, value, set) =>
    choices.map((kind) =>
      h("div", { class: "option part" }, h("label", { for: `option-${name}-${kind}` }, said(name, kind)),
        h("input", { type: "checkbox", id: `option-${name}-${kind}`, checked: value.includes(kind), onchange: (event) => set((now) => choices.filter((one) => (one === kind ? event.target.checked : now.includes(one)))) }))),
  order: ({ name }, value, set, redo) =>
    value.map((kind, place) => {
      const up = () => {
        set((now) => [...now.slice(0, place - 1), kind, now[place - 1], ...now.slice(place + 1)]);
        redo();
      };
      return h("div", { class: "option part" }, h("span", null, `${place + 1}. ${said(name, kind)}`), h("button", { type: "button", class: "step", "data-key": `up-${name}-${kind}`, "aria-label": t("options.earlier", { what: said(name, kind) }), disabled: place === 0, onclick: up }, "↑"));
    }),
};

/** What is left of an option's text when its choices, which follow a colon, stand in a menu. */
function heading({ kind, text }) {
  const words = kind === "choice" ? text.split(/[:：]/)[0] : text;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function option(one, values) {
  const current = () => values[one.name] ?? one.value;
  const set = (next) => (values[one.name] = typeof next === "function" ? next(current()) : next);
  const control = CONTROLS[one.kind];
  const props = { "data-option": one.name, "data-text": `${one.text} ${one.name}`.toLowerCase() };
  if (control) return h("div", { class: "option", ...props }, h("label", { for: `option-${one.name}` }, heading(one)), control(one, current(), set));
  const parts = h("div", { class: "option-parts", role: "group", "aria-label": heading(one) });
  const fill = () => parts.replaceChildren(...PARTS[one.kind](one, current(), set, fill));
  fill();
  return h("details", { class: "more", ...props }, h("summary", null, heading(one)), parts);
}

/** `values` takes what a person sets, by name. */
export function drawOptions(place, ruleset, values) {
  const asked = ASKED_MOST.map((name) => ruleset.options.find((one) => one.name === name)).filter(Boolean);
  const rest = ruleset.options.filter(({ name }) => !ASKED_MOST.includes(name));
  const list = h("div", null, rest.map((one) => option(one, values)));
  const search = (event) => {
    const wanted = event.target.value.trim().toLowerCase();
    for (const line of list.children) line.hidden = !line.dataset.text.includes(wanted);
  };
  place.replaceChildren(
    ...asked.map((one) => option(one, values)),
    h("details", { class: "more" },
      h("summary", null, t("options.all", { count: ruleset.options.length })),
      h("div", { class: "field" }, h("label", { for: "option-search" }, t("options.search")), h("input", { id: "option-search", type: "search", oninput: search })),
      list),
  );
}
