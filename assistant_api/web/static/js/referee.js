/** The live table for everybody but the camera: what lies where, what the camera proposes, warnings, and what people say. */
import "./shell.js";
import { t } from "./boot.js";
import { button, confirm } from "./controls.js";
import { h, redraw, toast, $ } from "./dom.js";
import { showFault } from "./fault.js";
import { ask } from "./ledger.js";
import { drawAlerts, drawClaim } from "./live_claim.js";
import { act } from "./live_act.js";
import { drawAsked, drawLog } from "./live_log.js";
import { openBegin, openEvent, openPass, openWin } from "./live_sheets.js";
import { drawSides } from "./live_sides.js";
import { joinTable, table } from "./live_socket.js";
import { stateLine } from "./live_state.js";
import { ruleText, setGame } from "./live_words.js";
import { noteGame } from "./my_games.js";
import { gameTitle } from "./names.js";
import { stayAwake } from "./wakelock.js";

const code = decodeURIComponent(location.pathname.split("/")[2]);
let game = null;

function drawHead() {
  $("back").href = `/g/${code}`;
  $("title").textContent = game ? gameTitle(game) : t("live.title");
}

function drawBegin(writes) {
  const place = $("begin");
  place.hidden = table.hand !== null || table.version < 0;
  if (place.hidden) return;
  redraw(
    place,
    h("h2", null, t("live.between")),
    h("p", { class: "hint" }, t(writes ? "live.between_hint" : "live.between_look")),
    writes && button("begin-open", t("live.begin"), () => openBegin(game?.deal), "primary wide"),
    writes && h("a", { class: "button wide", id: "to-camera", href: `/g/${encodeURIComponent(code)}/camera` }, t("live.be_camera")),
  );
}

async function end() {
  const sure = await confirm($("sheet"), { title: t("live.end"), text: t("live.end_ask"), yes: t("live.end"), no: t("hands.keep"), id: "end-yes" });
  if (sure) act({ act: "end", drawn: false });
}

function drawActions(writes) {
  const place = $("actions");
  place.hidden = !writes || table.hand === null;
  if (place.hidden) return;
  const { claim, offered, events } = table.hand.state;
  redraw(
    place,
    h("div", { class: "live-actions" }, button("win", t("live.win"), openWin, "primary", { disabled: Boolean(claim) }), button("pass", t("live.pass"), openPass, "", { disabled: !offered }), button("add-event", t("live.add"), () => openEvent()), button("undo-event", t("game.undo"), () => act({ act: "undo" }, t("live.said.deleted")), "", { disabled: events < 2 })),
  );
}

/** What the words of this moment mean, for who is new to the game. */
function drawWords(words) {
  $("words").hidden = !words?.length;
  redraw($("words").lastElementChild, (words ?? []).map(ruleText));
}

function draw() {
  const writes = Boolean(table.welcome?.can_write);
  drawHead();
  drawBegin(writes);
  drawActions(writes);
  const { hand } = table;
  for (const id of ["sides", "log-card"]) $(id).hidden = hand === null;
  drawAlerts($("alerts"), hand?.alerts ?? []);
  drawClaim($("claim"), hand?.state.claim ?? null, writes);
  drawAsked($("asked"), hand?.events ?? [], writes);
  drawWords(hand?.state.words);
  if (!hand) return;
  drawSides($("sides"), hand.state, table.welcome?.role);
  drawLog($("log"), hand.events, writes);
  const more = $("log-more");
  more.hidden = !writes;
  if (writes) redraw(more, h("a", { class: "button plain wide", href: `/g/${encodeURIComponent(code)}/camera` }, t("live.be_camera")), button("end", t("live.end"), end, "plain wide"));
}

const drawState = stateLine($("state"));
async function learnGame() {
  try {
    game = await ask(code);
    setGame(game);
    noteGame(code, game);
    draw();
  } catch (problem) {
    if (!problem.offline) showFault(problem);
  }
}

joinTable(code, {
  onChange: (what) => {
    drawState();
    if (what === "gone") return showFault(table.ended, h("p", null, h("a", { class: "button", href: "/games" }, t("nav.games"))));
    if (what === "sight" || what === "pong") return;
    if (what === "snapshot" && !table.hand) learnGame(); // the ledger has moved on
    draw();
  },
});
stayAwake(true);
if (new URLSearchParams(location.search).get("said") === "settled") {
  history.replaceState(null, "", location.pathname);
  toast(t("live.settled"));
}
await learnGame();
