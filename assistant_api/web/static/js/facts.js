/** The questions a photo cannot answer. The server says which are open; answered ones stay changeable. */
import { ruleset, rulesets, t, tileName } from "./boot.js";
import { draft, moveTile, setFact, setRuleset } from "./draft.js";
import { face, h, redraw, $ } from "./dom.js";
import { openAdd } from "./picker.js";
import { called, SEATS, seatName } from "./seats.js";

const MAIN_SOURCES = ["self_draw", "discard"];
const RARE_SOURCES = ["replacement", "rob_kong", "last_group", "rob_gold", "heavenly", "opening_three"];
const FROM_OTHERS = ["discard", "rob_kong"];
/** What only the table saw, by kind of ruleset; asked openly where the server's answer rests on it. */
const SEEN = { gold: ["gold_discarded", "passed", "dealers_first_discard"], fans: ["last_tile", "last_of_kind"] };

let otherOpen = false;
let tableOpen = false;

/** Arrow keys go from choice to choice, as in any group of radio buttons. */
function walk(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll("[role=radio]")];
  const next = all[(all.indexOf(event.target) + step + all.length) % all.length];
  next.focus();
  next.click();
}

function choices(fact, values, name, label, note = () => null) {
  const one = (value) => {
    const props = { type: "button", class: "choice", role: "radio", "data-key": `${fact}-${value}`, "aria-checked": String(draft.facts[fact] === value) };
    return h("button", { ...props, onclick: () => setFact(fact, value) }, name(value), note(value) ? h("small", null, note(value)) : null);
  };
  return h("div", { class: `choices${values.length > 4 ? " wrap" : ""}`, role: "radiogroup", "aria-label": label, onkeydown: walk }, values.map(one));
}

function question(fact, content, open) {
  const attributes = { class: `question${open ? " open" : ""}`, id: `question-${fact}` };
  return h("div", attributes, h("h3", { "data-needed": t("facts.needed") }, t(`facts.${fact}`)), content);
}

function seats(fact, except) {
  const values = SEATS.filter((seat) => seat !== except);
  const notes = (seat) => [draft.names && t(`seat.${seat}`), seat === draft.facts.dealer && fact !== "dealer" && t("facts.is_dealer")];
  return choices(fact, values, seatName, t(`facts.${fact}`), (seat) => notes(seat).filter(Boolean).join(" \u00b7 "));
}

function streak() {
  const value = draft.facts.streak ?? 0;
  const step = (by, sign, label) => {
    const props = { type: "button", "data-key": `streak${sign}`, "aria-label": label, disabled: value + by < 0 };
    return h("button", { ...props, onclick: () => setFact("streak", value + by) }, sign);
  };
  return h("div", { class: "stepper" }, step(-1, "\u2212", t("facts.fewer")), h("output", null, String(value)), step(1, "+", t("facts.more")));
}

function tileChoice(key, tiles, choose) {
  const kinds = [...new Map(tiles.map((tile) => [tile.tile, tile])).values()];
  const one = (tile) => h("button", { type: "button", class: "tile-button", "data-key": `${key}-${tile.tile}`, "aria-label": tileName(tile.tile), onclick: () => choose(tile) }, face(tile.tile));
  return h("div", { class: "tiles" }, kinds.map(one));
}

const inHand = () => draft.tiles.filter((tile) => tile.group === "hand" && tile.tile !== "?" && tile.tile !== "back");
const tilesOf = (number) => draft.tiles.filter((tile) => tile.group === "meld" && tile.meld === number);

/** Only of four open tiles a person has to say which kong they are; with tiles face down it is a concealed one. */
const isOpenKong = ({ meld, kind }) => kind?.startsWith("kong") && tilesOf(meld).every((tile) => tile.tile !== "back");

function kongKind({ meld, kind, certain }) {
  const set = (value) => setFact("meld_kinds", { ...draft.facts.meld_kinds, [meld]: value });
  const one = (value) => {
    const props = { type: "button", class: "choice", role: "radio", "data-key": `meld-${meld}-${value}`, "aria-checked": String(certain && value === kind) };
    return h("button", { ...props, onclick: () => set(value) }, t(`meld.${value}`));
  };
  return h("div", { class: "choices", role: "radiogroup", "aria-label": t("facts.meld_kind") }, ["kong_open", "kong_added", "kong_concealed"].map(one));
}

function flag(fact) {
  const props = { type: "checkbox", "data-key": fact, checked: draft.facts[fact] === true };
  return h("label", { class: "switch" }, h("input", { ...props, onchange: (event) => setFact(fact, event.target.checked) }), t(`facts.${fact}`));
}

/** Self-draw or discard; every other way opens below them. */
function source(open) {
  const rare = RARE_SOURCES.includes(draft.facts.source);
  const shown = otherOpen || rare;
  const toggle = () => {
    otherOpen = !shown;
    drawFacts();
  };
  const main = choices("source", MAIN_SOURCES, (value) => t(`source.${value}`), t("facts.source"));
  const label = rare ? t(`source.${draft.facts.source}`) : t("facts.other_source");
  main.append(h("button", { type: "button", class: `choice more${rare ? " chosen" : ""}`, "data-key": "other-source", "aria-expanded": String(shown), onclick: toggle }, label));
  return question("source", [main, shown && h("div", { class: "below" }, choices("source", RARE_SOURCES, (value) => t(`source.${value}`), t("facts.rare_source")))], open);
}

/** Who deals and how often: one line where the ledger knows it, a question where it does not. */
function dealing(open, fans) {
  const { dealer, streak: times } = draft.facts;
  if (draft.game && !draft.dealt.dealer && !open.has("dealer") && !dealer) return null;
  const known = draft.known.dealer && dealer === draft.known.dealer && (fans || times === draft.known.streak);
  const asked = [question("dealer", seats("dealer"), open.has("dealer")), !fans && question("streak", streak(), open.has("streak"))];
  if (!known || tableOpen || open.has("dealer") || open.has("streak")) return asked;
  const text = t(fans ? "facts.known_dealer" : "facts.known", { dealer: called(dealer), streak: times });
  if (draft.game) return h("div", { class: "question known" }, h("span", null, text));
  const change = () => {
    tableOpen = true;
    drawFacts();
  };
  return h("div", { class: "question known" }, h("span", null, text), h("button", { type: "button", class: "quiet", "data-key": "change-dealer", onclick: change }, t("facts.change")));
}

/** What the answer rests on and nobody could see in the photo: in the open where it matters, else under "rare". */
function seenAtTheTable(fans) {
  const all = SEEN[fans ? "fans" : "gold"];
  const rests = new Set((draft.preview?.settlement?.assumed ?? []).map(({ fact }) => fact));
  const open = all.filter((fact) => rests.has(fact) || draft.facts[fact] === true);
  const rest = all.filter((fact) => !open.includes(fact));
  return [
    open.length > 0 && h("div", { class: "question", id: "question-seen" }, h("h3", null, t("facts.seen")), open.map(flag)),
    rest.length > 0 && h("details", { class: "more", open: rareOpen, ontoggle: (event) => (rareOpen = event.target.open) }, h("summary", null, t("facts.rare")), rest.map(flag)),
  ];
}

let rareOpen = false;

export function drawFacts() {
  const open = new Set((draft.preview?.questions ?? []).map((asked) => asked.fact));
  const { source: from, winner } = draft.facts;
  const kongs = (draft.preview?.check.melds ?? []).filter(isOpenKong);
  const fans = rulesets.find(({ name }) => name === (draft.ruleset ?? ruleset))?.fan_table;
  redraw(
    $("facts"),
    h("div", { class: "card-head" }, h("h2", null, t("facts.title")), draft.game ? null : rulesetMenu()),
    draft.photo && open.size > 0 && h("p", { class: "hint" }, t("facts.photo_cannot")),
    question("winner", seats("winner"), open.has("winner")),
    source(open.has("source")),
    FROM_OTHERS.includes(from) && question("from_seat", seats("from_seat", winner), open.has("from_seat")),
    draft.game && FROM_OTHERS.includes(from) && !draft.several && h("p", { class: "hint small" }, t("for_game.nearest")),
    dealing(open, fans),
    fans && !draft.dealt.round_wind && question("round_wind", seats("round_wind"), open.has("round_wind")),
    open.has("gold") && question("gold", h("button", { type: "button", class: "button", "data-key": "choose-gold", onclick: () => openAdd("gold", null) }, t("facts.choose_gold")), true),
    open.has("winning_tile") && question("winning_tile", tileChoice("win", inHand(), (tile) => moveTile(tile.id, "winning")), true),
    open.has("swap") && question("swap", tileChoice("swap", inHand(), (tile) => setFact("swap", tile.tile)), true),
    kongs.map((kong) => question("meld_kind", [h("div", { class: "tiles" }, tilesOf(kong.meld).map((tile) => face(tile.tile))), kongKind(kong)], !kong.certain)),
    seenAtTheTable(fans),
  );
}

function rulesetMenu() {
  const chosen = draft.ruleset ?? ruleset;
  return h(
    "select",
    { class: "ruleset", "data-key": "ruleset", "aria-label": t("facts.ruleset"), onchange: (event) => setRuleset(event.target.value) },
    rulesets.map(({ name, title }) => h("option", { value: name, selected: name === chosen }, title)),
  );
}
