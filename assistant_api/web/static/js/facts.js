/** The questions a photo cannot answer. The server says which are open; answered ones stay changeable. */
import { ruleset, rulesets, t, tileName } from "./boot.js";
import { draft, moveTile, setFact, setRuleset } from "./draft.js";
import { face, h, redraw, $ } from "./dom.js";
import { openAdd } from "./picker.js";

const SEATS = ["E", "S", "W", "N"];
const MAIN_SOURCES = ["self_draw", "discard"];
const RARE_SOURCES = ["replacement", "rob_kong", "last_group", "rob_gold", "heavenly", "opening_three"];
const FROM_OTHERS = ["discard", "rob_kong"];

let rareOpen = false;

function choices(fact, values, name, label, note = () => null) {
  return h(
    "div",
    { class: `choices${values.length > 4 ? " wrap" : ""}`, role: "radiogroup", "aria-label": label },
    values.map((value) =>
      h(
        "button",
        {
          type: "button",
          class: "choice",
          role: "radio",
          "data-key": `${fact}-${value}`,
          "aria-checked": String(draft.facts[fact] === value),
          onclick: () => setFact(fact, value),
        },
        name(value),
        note(value) ? h("small", null, note(value)) : null,
      ),
    ),
  );
}

function question(fact, content, open) {
  const attributes = { class: `question${open ? " open" : ""}`, id: `question-${fact}` };
  return h("div", attributes, h("h3", { "data-needed": t("facts.needed") }, t(`facts.${fact}`)), content);
}

function seats(fact, except) {
  const values = SEATS.filter((seat) => seat !== except);
  return choices(fact, values, (seat) => t(`seat.${seat}`), t(`facts.${fact}`), (seat) =>
    seat === draft.facts.dealer && fact !== "dealer" ? t("facts.is_dealer") : null,
  );
}

function streak() {
  const value = draft.facts.streak ?? 0;
  const step = (by, sign, label) =>
    h(
      "button",
      { type: "button", "data-key": `streak${sign}`, "aria-label": label, disabled: value + by < 0, onclick: () => setFact("streak", value + by) },
      sign,
    );
  return h("div", { class: "stepper" }, step(-1, "−", t("facts.fewer")), h("output", null, String(value)), step(1, "+", t("facts.more")));
}

function winningTile() {
  const hand = draft.tiles.filter((tile) => tile.group === "hand" && tile.tile !== "?" && tile.tile !== "back");
  const kinds = [...new Map(hand.map((tile) => [tile.tile, tile])).values()];
  return h(
    "div",
    { class: "tiles" },
    kinds.map((tile) =>
      h("button", { type: "button", class: "tile-button", "data-key": `win-${tile.tile}`, "aria-label": tileName(tile.tile), onclick: () => moveTile(tile.id, "winning") }, face(tile.tile)),
    ),
  );
}

const tilesOf = (number) => draft.tiles.filter((tile) => tile.group === "meld" && tile.meld === number);

/** Only of four open tiles a person has to say which kong they are; with tiles face down it is a concealed one. */
const isOpenKong = ({ meld, kind }) => kind?.startsWith("kong") && tilesOf(meld).every((tile) => tile.tile !== "back");

function kongKind({ meld, kind }) {
  const kinds = ["kong_open", "kong_added", "kong_concealed"];
  const set = (value) => setFact("meld_kinds", { ...draft.facts.meld_kinds, [meld]: value });
  return h(
    "div",
    { class: "choices", role: "radiogroup", "aria-label": t("facts.meld_kind") },
    kinds.map((value) =>
      h("button", { type: "button", class: "choice", role: "radio", "data-key": `meld-${meld}-${value}`, "aria-checked": String(value === kind), onclick: () => set(value) }, t(`meld.${value}`)),
    ),
  );
}

function flag(fact) {
  return h(
    "label",
    { class: "switch" },
    h("input", { type: "checkbox", "data-key": fact, checked: draft.facts[fact] === true, onchange: (event) => setFact(fact, event.target.checked) }),
    t(`facts.${fact}`),
  );
}

export function drawFacts() {
  const open = new Set((draft.preview?.questions ?? []).map((asked) => asked.fact));
  const { source, winner } = draft.facts;
  const kongs = (draft.preview?.check.melds ?? []).filter(isOpenKong);
  const rare = RARE_SOURCES.includes(source);
  const fans = rulesets.find(({ name }) => name === (draft.ruleset ?? ruleset))?.fan_table;
  redraw(
    $("facts"),
    h("div", { class: "card-head" }, h("h2", null, t("facts.title")), rulesetMenu()),
    question("winner", seats("winner"), open.has("winner")),
    question("source", choices("source", MAIN_SOURCES, (value) => t(`source.${value}`), t("facts.source")), open.has("source")),
    FROM_OTHERS.includes(source) && question("from_seat", seats("from_seat", winner), open.has("from_seat")),
    question("dealer", seats("dealer"), open.has("dealer")),
    fans
      ? question("round_wind", seats("round_wind"), open.has("round_wind"))
      : question("streak", streak(), open.has("streak")),
    open.has("gold") && question("gold", h("button", { type: "button", class: "button", "data-key": "choose-gold", onclick: () => openAdd("gold", null) }, t("facts.choose_gold")), true),
    open.has("winning_tile") && question("winning_tile", winningTile(), true),
    open.has("swap") && question("swap", h("div", { class: "tiles" }, swapTiles()), true),
    kongs.map((kong) => question("meld_kind", [h("div", { class: "tiles" }, tilesOf(kong.meld).map((tile) => face(tile.tile))), kongKind(kong)], !kong.certain)),
    h(
      "details",
      { class: "more", open: rareOpen || rare, ontoggle: (event) => (rareOpen = event.target.open) },
      h("summary", null, t("facts.rare")),
      question("rare_source", choices("source", RARE_SOURCES, (value) => t(`source.${value}`), t("facts.rare_source")), false),
      (fans ? ["last_tile", "last_of_kind"] : ["gold_discarded", "dealers_first_discard"]).map(flag),
    ),
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

function swapTiles() {
  const kinds = [...new Set(draft.tiles.filter((tile) => tile.group === "hand").map((tile) => tile.tile))];
  return kinds.map((code) =>
    h("button", { type: "button", class: "tile-button", "data-key": `swap-${code}`, "aria-label": tileName(code), onclick: () => setFact("swap", code) }, face(code)),
  );
}
