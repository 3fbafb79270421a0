/** Entries without a hand of tiles: drawn hand, penalty, escape, who deals. The amounts shown are the server's. */
import { call } from "./api.js";
import { signed, t } from "./boot.js";
import { amounts, button, choices, group, input, sheetHead, stepper } from "./controls.js";
import { h, openSheet, $ } from "./dom.js";
import { evening } from "./evening.js";
import { gamePath } from "./ledger.js";
import { auth } from "./my_games.js";
import { nameAt, playerName, SEATS } from "./names.js";
import { enqueue } from "./queue.js";
import { formula } from "./result.js";

const PAUSE_MS = 150;
const OFFENCES = ["false_win", "wrong_count", "other"];
const dialog = $("sheet");

let form = null; // what the open sheet holds
let outcome = null; // what the server says would follow: an answer, or a Problem
let turn = 0;
let timer;

const players = () => SEATS.map((seat) => [seat, nameAt(evening.game, seat), seat === evening.game.deal.dealer ? t("facts.is_dealer") : t(`seat.${seat}`)]);

function set(values) {
  Object.assign(form, values);
  outcome = null;
  draw();
  tryOut();
}

/** Ask what would follow, once the person stops changing it. */
function tryOut() {
  const own = ++turn;
  clearTimeout(timer);
  const content = form.content();
  if (!content) return;
  timer = setTimeout(async () => {
    if (own !== turn || !form) return; // saved or closed meanwhile
    const path = gamePath(evening.code, `/entries/preview${form.entry ? `?entry=${form.entry}` : ""}`);
    const answer = await call("POST", path, content, auth(evening.code)).catch((problem) => problem);
    if (own !== turn || !form) return;
    outcome = answer;
    drawOutcome();
  }, PAUSE_MS);
}

function next(game) {
  const { dealer, streak } = game.deal;
  return dealer === null ? t("sheet.next_open") : t("result.after", { dealer: nameAt(game, dealer), streak: streak ?? 0 });
}

function drawOutcome() {
  const place = $("outcome");
  if (!place) return;
  const { game } = evening;
  if (!outcome) return place.replaceChildren(h("p", { class: "hint" }, t(form.content() ? "dock.checking" : "sheet.incomplete")));
  if (outcome instanceof Error) {
    const text = outcome.offline ? t("sheet.away") : outcome.message;
    $("save-entry").disabled = !outcome.offline;
    return place.replaceChildren(h("p", { class: outcome.offline ? "hint" : "wrong", role: "alert" }, outcome.offline ? null : h("strong", null, outcome.body.title), " ", text));
  }
  const { entry } = outcome;
  $("save-entry").disabled = false;
  place.replaceChildren(
    h("p", { class: "label" }, t("sheet.outcome")),
    amounts(game.players.map((_, number) => playerName(game, number)), entry.deltas, signed),
    ...(entry.kitty ? [h("p", { class: "after" }, t("game.kitty", { points: signed(entry.kitty) }))] : []),
    ...(entry.lines.length ? [formula({ lines: entry.lines, per_payer: null })] : []),
    ...(form.entry ? [] : [h("p", { class: "after" }, next(outcome.game))]),
  );
}

function save() {
  const content = form.content();
  if (!content) return;
  const { entry } = form;
  enqueue({ method: entry ? "PUT" : "POST", path: entry ? `/entries/${entry}` : `/entries${form.before ? `?before=${form.before}` : ""}`, body: content, label: form.label() });
  dialog.close();
}

function draw() {
  const noteField = input("entry-note", t("sheet.note"), { maxlength: 200, value: form.note, oninput: (event) => (form.note = event.target.value) });
  const focused = dialog.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  openSheet(
    dialog,
    sheetHead(dialog, t(form.entry ? `sheet.edit.${form.kind}` : `sheet.title.${form.kind}`), t(`sheet.hint.${form.kind}`)),
    form.parts(),
    noteField,
    h("div", { id: "outcome", class: "outcome", "aria-live": "polite" }),
    button("save-entry", t("dock.save"), save, "primary wide", { disabled: form.content() === null }),
  );
  if (focused) dialog.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  dialog.onclose = () => {
    if (dialog.open) return;
    [form, outcome] = [null, null];
    turn += 1;
    dialog.replaceChildren();
  };
  drawOutcome();
}

function open(values) {
  form = { note: "", entry: null, before: null, ...values };
  outcome = null;
  draw();
  tryOut();
}

export function openDraw(known = {}) {
  open({
    kind: "draw",
    dealer: null,
    streak: null,
    ...known,
    content: () => ({ kind: "draw", dealer: form.dealer, streak: form.streak, note: form.note }),
    label: () => t("sheet.title.draw"),
    parts: () => null,
  });
}

export function openPenalty(known = {}) {
  const rule = evening.game.false_win_points;
  open({
    kind: "penalty",
    seat: null,
    offence: "false_win",
    points: rule || null,
    to_others: true,
    ...known,
    content: () => (form.seat && Number.isInteger(form.points) ? { kind: "penalty", seat: form.seat, offence: form.offence, points: form.points, to_others: form.to_others, note: form.note } : null),
    label: () => `${nameAt(evening.game, form.seat)}: ${t(`ledger.offence.${form.offence}`)} ${form.points}`,
    parts: () => [
      group(t("sheet.who"), choices("seat", players(), form.seat, (seat) => set({ seat }), t("sheet.who"))),
      group(t("sheet.offence"), choices("offence", OFFENCES.map((one) => [one, t(`ledger.offence.${one}`)]), form.offence, (offence) => set({ offence }), t("sheet.offence"))),
      group(t("sheet.goes_to"), choices("goes", [["others", t("sheet.to_others")], ["nobody", t("sheet.to_nobody")]], form.to_others ? "others" : "nobody", (goes) => set({ to_others: goes === "others" }), t("sheet.goes_to"))),
      input(
        "penalty-points",
        t(form.to_others ? "sheet.points_each" : "sheet.points_once"),
        { type: "number", inputmode: "numeric", min: 0, max: 1000000, step: 1, "data-key": "penalty-points", value: form.points ?? "", oninput: pointsTyped },
        rule ? t("sheet.by_rule", { points: rule }) : null,
      ),
    ],
  });
}

/** Typing must not redraw the field under the fingers. */
function pointsTyped(event) {
  form.points = event.target.value === "" ? null : event.target.valueAsNumber;
  outcome = null;
  $("save-entry").disabled = form.content() === null;
  drawOutcome();
  tryOut();
}

export function openEscape(known = {}) {
  const counts = { ...Object.fromEntries(SEATS.map((seat) => [seat, { flower_count: 0, golds: 0 }])), ...known.counts };
  const change = (seat, values) => set({ counts: { ...form.counts, [seat]: { ...form.counts[seat], ...values } } });
  const stayed = () => SEATS.filter((seat) => seat !== form.seat);
  open({
    kind: "escape",
    seat: null,
    ...known,
    counts,
    content: () => form.seat && { kind: "escape", seat: form.seat, remaining: stayed().map((seat) => ({ seat, ...form.counts[seat] })), note: form.note },
    label: () => `${nameAt(evening.game, form.seat)}: ${t("game.escape")}`,
    parts: () => [
      group(t("sheet.who_left"), choices("seat", players(), form.seat, (seat) => set({ seat }), t("sheet.who_left"))),
      form.seat &&
        stayed().map((seat) => {
          const name = nameAt(evening.game, seat);
          const { flower_count: flowers, golds } = form.counts[seat];
          return group(
            name,
            h("div", { class: "two" },
              h("div", null, h("p", { class: "label" }, t("sheet.flowers")), stepper(`flowers-${seat}`, flowers, (value) => change(seat, { flower_count: value }), `${name}, ${t("sheet.flowers")}`, { most: 60 })),
              h("div", null, h("p", { class: "label" }, t("sheet.golds")), stepper(`golds-${seat}`, golds, (value) => change(seat, { golds: value }), `${name}, ${t("sheet.golds")}`, { most: 4 })),
            ),
          );
        }),
    ],
  });
}

export function openDeal(known = {}) {
  open({
    kind: "deal",
    dealer: null,
    streak: 0,
    ...known,
    content: () => form.dealer && { kind: "deal", dealer: form.dealer, streak: form.streak, note: form.note },
    label: () => t("ledger.deal", { who: nameAt(evening.game, form.dealer), streak: form.streak }),
    parts: () => [
      group(t("facts.dealer"), choices("dealer", SEATS.map((seat) => [seat, nameAt(evening.game, seat), t(`seat.${seat}`)]), form.dealer, (dealer) => set({ dealer }), t("facts.dealer"))),
      group(t("facts.streak"), stepper("streak", form.streak, (streak) => set({ streak }), t("facts.streak"))),
    ],
  });
}

/** Correct an entry that is no win. */
export function openEntry({ id, content }) {
  const { kind, remaining, ...values } = content;
  const opening = { draw: openDraw, penalty: openPenalty, escape: openEscape, deal: openDeal }[kind];
  const counts = remaining && { counts: Object.fromEntries(remaining.map(({ seat, ...counted }) => [seat, counted])) };
  opening({ ...values, ...counts, entry: id });
}
