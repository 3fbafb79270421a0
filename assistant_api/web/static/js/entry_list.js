/** The entries, newest first; each opens to its formula, payments, tiles and what can be done with it. */
import { lang, signed, t, tileName } from "./boot.js";
import { amounts, confirm } from "./controls.js";
import { draft } from "./draft.js";
import { face, h, redraw, $ } from "./dom.js";
import { evening } from "./evening.js";
import { ask } from "./ledger.js";
import { handLabel, namesBySeat, playerName } from "./names.js";
import { enqueue } from "./queue.js";
import { compass, formula } from "./result.js";
import { openDraw, openEntry, openPenalty } from "./sheets.js";

const open = new Map(); // entry -> its details, null while they are under way
const loading = new Set();
let lit = new Set();

export function lightUp(ids) {
  lit = new Set(ids);
  for (const id of ids) if (open.get(id)) open.set(id, null);
}

const time = new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit" });

export function tileRow(tiles) {
  const melds = [...new Set(tiles.filter(({ group }) => group === "meld").map(({ meld }) => meld))];
  const parts = [
    tiles.filter(({ group }) => group === "hand"),
    tiles.filter(({ group }) => group === "winning"),
    ...melds.map((number) => tiles.filter(({ group, meld }) => group === "meld" && meld === number)),
    tiles.filter(({ group }) => group === "flowers"),
    tiles.filter(({ group }) => group === "gold"),
  ].filter((part) => part.length);
  const names = tiles.filter(({ group }) => group !== "other").map(({ tile }) => tileName(tile));
  return h("div", { class: "row", role: "img", "aria-label": names.join(t("app.list_separator")) }, parts.flatMap((part, place) => [place ? h("span", { class: "gap" }) : null, ...part.map(({ tile }) => face(tile))]));
}

async function load(id) {
  if (loading.has(id)) return;
  loading.add(id);
  if (!open.has(id)) open.set(id, null);
  try {
    open.set(id, await ask(evening.code, `/entries/${id}`));
  } catch (problem) {
    open.set(id, problem);
  }
  loading.delete(id);
  drawEntries();
}

function payments({ transfers, kitty }, names) {
  const seat = (code) => names["ESWN".indexOf(code)];
  if (transfers.length === 0 && !kitty) return h("p", { class: "after" }, t("entry.nobody_pays"));
  return h("ul", { class: "pays" }, transfers.map(({ from, to, points }) => h("li", null, to === null ? t("report.to_nobody", { from: seat(from), points }) : t("result.pays", { from: seat(from), to: seat(to), points }))));
}

function details(entry) {
  const found = open.get(entry.id);
  if (!found) return h("p", { class: "hint" }, t("dock.checking"));
  if (found instanceof Error) return h("p", { class: "wrong", role: "alert" }, found.message);
  const names = namesBySeat(evening.game, found.places);
  draft.names = names; // whom the settlement's seats name
  const wins = found.settlements.map((settlement, number) => [
    compass(settlement),
    h("p", { class: "label" }, t("result.formula")),
    formula(settlement),
    tileRow(number === 0 ? found.content.tiles : found.content.also_won[number - 1].tiles),
  ]);
  return [
    wins,
    found.lines.length > 0 && formula({ lines: found.lines, per_payer: null }),
    wins.length === 0 && payments(found, names),
    found.photo_url && h("p", null, h("a", { class: "quiet", href: found.photo_url }, t("hands.photo"))),
    h("p", { class: "label" }, t("entry.totals_after")),
    amounts(evening.game.players.map((_, place) => playerName(evening.game, place)), found.totals, signed),
    tools(found),
  ];
}

async function remove(entry) {
  const text = t("entry.remove_note");
  const title = t("entry.remove_ask", { what: entry.text });
  if (await confirm($("sheet"), { id: "remove-yes", title, text, yes: t("entry.remove"), no: t("hands.keep") }))
    enqueue({ method: "DELETE", path: `/entries/${entry.id}`, body: undefined, label: `${t("entry.remove")}: ${entry.text}` });
}

function tools(entry) {
  if (!evening.game.can_write || evening.game.finished_at) return null;
  const scan = `/?game=${encodeURIComponent(evening.code)}`;
  const tool = (key, text, act, look = "") => h("button", { type: "button", class: `button ${look}`, "data-key": `${key}-${entry.id}`, "data-tool": key, onclick: act }, text);
  const edit = entry.kind === "win" ? h("a", { class: "button", "data-tool": "edit", href: `${scan}&entry=${entry.id}` }, t("entry.edit")) : tool("edit", t("entry.edit"), () => openEntry(entry));
  return [
    h("div", { class: "pair" }, edit, tool("remove", t("entry.remove"), () => remove(entry), "danger")),
    h(
      "details",
      { class: "more" },
      h("summary", null, t("entry.forgotten")),
      h("div", { class: "grid" }, h("a", { class: "button", href: `${scan}&before=${entry.id}` }, t("entry.win_before")), tool("draw-before", t("game.draw"), () => openDraw({ before: entry.id })), tool("penalty-before", t("game.penalty"), () => openPenalty({ before: entry.id }))),
    ),
  ];
}

function item(entry, names) {
  const toggle = (event) => {
    if (!event.target.open) return void open.delete(entry.id);
    if (!open.get(entry.id)) load(entry.id);
  };
  const meta = [handLabel(entry), entry.streak > 0 && t("entry.streak", { streak: entry.streak }), time.format(new Date(entry.created_at)), entry.edited && t("entry.edited")];
  return h(
    "li",
    { "data-entry": entry.id, "data-kind": entry.kind, class: lit.has(entry.id) ? "fresh" : null },
    h("p", { class: "meta" }, meta.filter(Boolean).join(" · ")),
    h("strong", null, entry.text),
    entry.note && h("p", { class: "note" }, entry.note),
    entry.win_types.length > 0 && h("div", { class: "types" }, entry.win_types.map(({ name }) => h("span", { class: "type" }, name))),
    entry.deltas.some(Boolean) && amounts(names, entry.deltas, signed),
    entry.kitty !== 0 && h("p", { class: "after" }, t("game.kitty", { points: signed(entry.kitty) })),
    h("details", { class: "more", open: open.has(entry.id), ontoggle: toggle }, h("summary", { "data-key": `open-${entry.id}` }, t("entry.details")), open.has(entry.id) ? details(entry) : null),
  );
}

export function drawEntries() {
  const { game, entries } = evening;
  for (const { id } of entries) if (open.has(id) && open.get(id) === null) load(id);
  const names = game.players.map((_, place) => playerName(game, place));
  $("no-entries").hidden = entries.length > 0;
  redraw($("entries"), entries.map((entry) => item(entry, names)).reverse());
}
