/** Players, stakes, photos and rules of an evening: before it begins, and later as far as its hands let them change. */
import "./shell.js";
import { call } from "./api.js";
import { ruleset as usual, t } from "./boot.js";
import { choices, input } from "./controls.js";
import { h, redraw, $ } from "./dom.js";
import { showFault } from "./fault.js";
import { ask, tell } from "./ledger.js";
import { newKey } from "./memory.js";
import { chooseGame, knownGames, noteGame } from "./my_games.js";
import { SEATS } from "./names.js";
import { changedOptions, drawOptions } from "./options.js";

const [, place, name] = location.pathname.split("/");
const code = place === "g" ? decodeURIComponent(name) : null; // null: a new game
const RETENTIONS = ["until_finished", "none", "days"];
const key = newKey();

let game = null;
let rulesets = [];
let sending = false;
const form = { ruleset: usual, dealer: "E", retention: "until_finished", values: {} };

const fixed = () => game?.rules_fixed ?? false;
const chosen = () => rulesets.find(({ name: one }) => one === form.ruleset) ?? rulesets[0];
const hasRounds = () => (game?.ruleset === form.ruleset ? game.has_rounds : form.ruleset === "mcr");

/** Names played with before on this phone, offered while typing. */
function people() {
  const names = new Set(knownGames().flatMap(({ players }) => players.map(({ name: one }) => one)).filter(Boolean));
  return h("datalist", { id: "people" }, [...names].slice(0, 40).map((one) => h("option", { value: one })));
}

function drawPlayers() {
  const field = (seat, at) => input(`player-${seat}`, t(`seat.${seat}`), { maxlength: 40, list: "people", name: "player", autocapitalize: "words", value: game?.players[at].name ?? "", placeholder: t("setup.player", { number: at + 1 }) });
  redraw($("players"), h("div", { class: "two" }, SEATS.map(field)), people());
}

function drawDealer() {
  $("dealer-card").hidden = fixed();
  if (hasRounds()) form.dealer = "E";
  const seats = hasRounds() ? ["E"] : SEATS;
  const options = seats.map((seat) => [seat, $(`player-${seat}`).value || t(`seat.${seat}`)]);
  if (!hasRounds()) options.push(["later", t("setup.later")]);
  const pick = (value) => {
    form.dealer = value;
    drawDealer();
  };
  redraw($("dealer"), choices("dealer", options, form.dealer, pick, t("setup.first_dealer")));
}

function drawStake() {
  const cents = game?.stake_per_point_cents ?? 0;
  const start = game?.players[0].starting_points ?? 0;
  redraw(
    $("stake"),
    h("div", { class: "two" },
      input("stake-money", t("setup.stake"), { inputmode: "decimal", value: cents ? (cents / 100).toFixed(2) : "", placeholder: t("setup.points_only") }, t("setup.stake_hint")),
      !fixed() && input("starting", t("setup.starting"), { type: "number", inputmode: "numeric", step: 1, value: String(start) }, t("setup.starting_hint"))),
  );
}

function drawPhotos() {
  const pick = (value) => {
    form.retention = value;
    drawPhotos();
  };
  const days = $("photo-days")?.value ?? game?.photo_days ?? 7;
  redraw(
    $("photos"),
    choices("retention", RETENTIONS.map((one) => [one, t(`setup.retention.${one}`)]), form.retention, pick, t("setup.photos")),
    form.retention === "days" && input("photo-days", t("setup.days"), { type: "number", inputmode: "numeric", min: 1, max: 3650, value: String(days) }),
  );
}

function drawRules() {
  const pick = (event) => {
    form.ruleset = event.target.value;
    form.values = {};
    drawRules();
    drawDealer();
  };
  const menu = h("select", { id: "ruleset", disabled: fixed(), onchange: pick }, rulesets.map(({ name: one, title }) => h("option", { value: one, selected: one === form.ruleset }, title)));
  redraw($("rules"), h("div", { class: "field" }, h("label", { for: "ruleset" }, t("facts.ruleset")), menu), fixed() && h("p", { class: "hint" }, t("setup.from_now_on")), h("div", { id: "options" }));
  drawOptions($("options"), chosen(), form.values);
}

/** Whole cents; null where it is no amount of money. */
function cents() {
  const text = $("stake-money").value.trim().replace(",", ".").replace("，", ".");
  if (text === "") return 0;
  return /^\d{1,5}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null;
}

function read() {
  const stake = cents();
  if (stake === null) throw Object.assign(new Error(t("setup.bad_stake")), { field: "stake-money" });
  const start = $("starting") ? Number($("starting").value || 0) : null;
  if (start !== null && !Number.isInteger(start)) throw Object.assign(new Error(t("setup.bad_starting")), { field: "starting" });
  const days = form.retention === "days" ? Number($("photo-days").value) : null;
  if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= 3650)) throw Object.assign(new Error(t("setup.bad_days")), { field: "photo-days" });
  return {
    title: $("game-title").value.trim(),
    players: SEATS.map((seat) => $(`player-${seat}`).value.trim()),
    stake_per_point_cents: stake,
    photo_retention: form.retention,
    photo_days: days,
    ...(start !== null && { starting_points: [start, start, start, start] }),
  };
}

async function begin(body) {
  const options = changedOptions(chosen(), form.values);
  const dealer = form.dealer === "later" ? null : form.dealer;
  const { game: begun, token } = await call("POST", "/api/games", { ...body, ruleset: form.ruleset, options, first_dealer: dealer }, { "Idempotency-Key": key });
  noteGame(begun.id, begun, { token });
  chooseGame(begun.id);
  location.assign(`/g/${begun.id}`);
}

/** Only what became different is sent. */
async function change(body) {
  const options = changedOptions(chosen(), form.values);
  const wanted = { ...body };
  if (!fixed() && form.dealer !== "later") wanted.first_dealer = form.dealer;
  if (form.ruleset !== game.ruleset) Object.assign(wanted, { ruleset: form.ruleset });
  if (Object.keys(options).length) Object.assign(wanted, { options, from_now_on: fixed() });
  await tell(code, "PATCH", "", wanted, { key: newKey(), version: game.version });
  location.assign(`/g/${code}?said=settings`);
}

$("setup").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (sending) return;
  sending = true;
  $("begin").disabled = true;
  try {
    const body = read();
    await (code ? change(body) : begin(body));
  } catch (problem) {
    showFault(problem.field ? { message: problem.message, body: { title: t("setup.check") } } : problem);
    if (problem.field) $(problem.field).focus();
  } finally {
    sending = false;
    $("begin").disabled = false;
  }
});

async function start() {
  if (code) {
    const [found, rules] = await Promise.all([ask(code), ask(code, "/rules")]);
    game = found;
    rulesets = [rules];
    if (!fixed()) rulesets = (await call("GET", "/api/rulesets")).map((one) => (one.name === game.ruleset ? rules : one));
    Object.assign(form, { ruleset: game.ruleset, dealer: game.deal.dealer ?? "later", retention: game.photo_retention });
    $("game-title").value = game.title;
    $("back").href = `/g/${code}`;
  } else {
    rulesets = await call("GET", "/api/rulesets");
  }
  $("heading").textContent = t(code ? "setup.settings" : "setup.new");
  $("begin").textContent = t(code ? "setup.save" : "setup.begin");
  drawPlayers();
  drawDealer();
  drawStake();
  drawPhotos();
  drawRules();
  $("players").addEventListener("input", drawDealer); // not at its end: that would take the button from under a tap
  $("setup").hidden = false;
}

start().catch((problem) => showFault(problem));
