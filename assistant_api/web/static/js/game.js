/** The evening: the table as it stands, what to enter, the entries, followed live by everybody who has it open. */
import "./shell.js";
import { lang, t } from "./boot.js";
import { drawChart } from "./chart.js";
import { drawChanges, newChanges } from "./changes.js";
import { drawEnter } from "./enter.js";
import { drawEntries, lightUp } from "./entry_list.js";
import { evening, openEvening, took } from "./evening.js";
import { showFault } from "./fault.js";
import { drawTable } from "./game_table.js";
import { ask } from "./ledger.js";
import { drawManage } from "./manage.js";
import { chooseGame, forgetGame, knownGame, noteGame } from "./my_games.js";
import { gameTitle } from "./names.js";
import { h, toast, $ } from "./dom.js";
import { openQueue } from "./queue.js";
import { drawQueue } from "./queue_view.js";

const code = decodeURIComponent(location.pathname.split("/")[2]);

function drawHead() {
  const { game } = evening;
  const date = new Intl.DateTimeFormat(lang, { dateStyle: "medium" }).format(new Date(game.created_at));
  document.title = `${gameTitle(game)} · ${t("app.name")}`;
  $("title").textContent = game.title || t("game.untitled");
  $("subtitle").textContent = [game.ruleset_title, date, game.can_write ? null : t("game.looking")].filter(Boolean).join(" · ");
}

/** How fresh the page is: only said when it is not. */
function drawState() {
  const stale = evening.state !== "live" && evening.game !== null;
  $("stale").hidden = !stale || !$("away").hidden;
}

function draw() {
  if (!evening.game) return;
  $("loading").hidden = true;
  drawHead();
  drawTable();
  drawEnter();
  drawQueue();
  drawChanges();
  drawChart();
  drawEntries();
  drawManage();
  drawState();
}

/** Its own link was opened by somebody who may write: then the page for writing is meant. */
function moveToOwn(game) {
  if (code !== game.id && knownGame(game.id)?.token) location.replace(`/g/${game.id}`);
}

function onChange(what) {
  moveToOwn(evening.game);
  if (evening.game.can_write && !evening.game.finished_at) chooseGame(code);
  newChanges(what);
  lightUp(what.fresh);
  draw();
}

/** Nothing to follow: the game is gone, or it does not open for this phone. */
async function onEnd(answer) {
  const gone = { message: t("game.gone"), body: { title: t("game.gone_title") } };
  const problem = answer ? await ask(code).then(() => gone, (refusal) => refusal) : gone;
  if (!answer || answer.status === 404) forgetGame(code);
  $("loading").hidden = true;
  for (const id of ["evening", "queue", "stale"]) $(id).hidden = true;
  showFault(problem, h("p", null, h("a", { class: "button", href: "/games" }, t("nav.games"))));
}

function taken(answer) {
  showFault(null);
  took(answer);
  toast(t("game.saved"));
}

openQueue(code, { change: () => evening.game && (drawQueue(), drawEnter()), taken });
openEvening(code, { onChange, onState: drawState, onEnd });
const said = new URLSearchParams(location.search).get("said");
if (said) {
  history.replaceState(null, "", location.pathname);
  toast(t(`game.said.${said}`));
}
addEventListener("pageshow", () => evening.game && noteGame(code, evening.game));
