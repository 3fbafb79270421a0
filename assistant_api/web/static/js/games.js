/** The games of this phone: go on with the last one, look at others, open one by its code, begin one. */
import "./shell.js";
import { call } from "./api.js";
import { lang, signed, t } from "./boot.js";
import { h, redraw, toast, $ } from "./dom.js";
import { showFault } from "./fault.js";
import { currentGame, knownGames, noteGame } from "./my_games.js";
import { gameTitle, roleName } from "./names.js";

const MOST = 100;
const when = new Intl.DateTimeFormat(lang, { dateStyle: "medium" });

/** What the server knows of them now, by id; nothing while it is away. */
async function fresh(games) {
  const codes = games.slice(0, MOST).map(({ share }) => `code=${encodeURIComponent(share)}`);
  const answer = await call("GET", `/api/games?limit=100&${codes.join("&")}`);
  return new Map(answer.games.map((game) => [game.id, game]));
}

const scores = (players) => h("p", { class: "scores" }, players.map(({ name, score }, place) => h("span", null, name || t(`seat.${"ESWN"[place]}`), " ", h("b", { class: score > 0 ? "plus" : score < 0 ? "minus" : null }, signed(score)))));

function item(game) {
  const state = [game.finished && t("game.finished"), t("game.hands", { count: game.hands }), roleName(game.role), when.format(new Date(game.at))];
  return h("li", { "data-game": game.id }, h("a", { class: "card game", href: `/g/${game.code}` }, h("strong", null, gameTitle(game)), scores(game.players), h("span", { class: "hint small" }, state.filter(Boolean).join(" · "))));
}

function draw() {
  const games = knownGames();
  const last = [currentGame(), ...games].find((game) => game && !game.finished);
  redraw($("resume"), last && h("a", { class: "button primary wide", id: "continue", href: `/g/${last.code}` }, t("games.continue", { what: gameTitle(last) })));
  $("new").classList.toggle("primary", !last);
  redraw($("games"), games.map(item));
  $("none").hidden = games.length > 0;
}

/** A link, a path, or the bare code in it. */
function readCode(text) {
  const join = /\/t\/([\w-]+)#([\w-]+)/.exec(text);
  if (join) return `/t/${join[1]}#${join[2]}`;
  const code = /(?:\/g\/)?([\w-]{8,64})(?:[/?#].*)?$/.exec(text.trim());
  return code && `/g/${code[1]}`;
}

$("open").addEventListener("submit", (event) => {
  event.preventDefault();
  const target = readCode($("code").value);
  if (target) return location.assign(target);
  showFault({ message: t("games.bad_code"), body: { title: t("games.open") } });
  $("code").focus();
});

draw();
if (new URLSearchParams(location.search).get("said") === "deleted") {
  history.replaceState(null, "", "/games");
  toast(t("hands.deleted"));
}
try {
  const games = knownGames();
  const now = games.length ? await fresh(games) : new Map();
  for (const { code, id, role, writes, at } of games) if (now.has(id)) noteGame(code, { ...now.get(id), role, can_write: writes }, { at });
  draw();
} catch (problem) {
  if (!problem.offline) showFault(problem);
}
const earlier = await call("GET", "/api/hands?limit=1").catch(() => null);
$("earlier").hidden = !earlier?.count;
