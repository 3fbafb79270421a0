/** This phone joins a game: it chooses what it is, and gets a token of its own for the one that was handed on. */
import "./shell.js";
import { call } from "./api.js";
import { t } from "./boot.js";
import { h, redraw, $ } from "./dom.js";
import { showFault } from "./fault.js";
import { gamePath } from "./ledger.js";
import { newKey } from "./memory.js";
import { chooseGame, knownGame, noteGame } from "./my_games.js";
import { gameTitle, nameAt, SEATS } from "./names.js";

const code = decodeURIComponent(location.pathname.split("/")[2]);
const handed = location.hash.slice(1);
const bearer = handed ? { Authorization: `Bearer ${handed}` } : {};
let joining = false;
const key = newKey();

async function join(role) {
  if (joining) return;
  joining = true;
  try {
    const { game, token } = await call("POST", gamePath(code, "/join"), { role }, { ...bearer, "Idempotency-Key": `${key}${role}` });
    noteGame(game.id, game, { token });
    if (game.can_write) chooseGame(game.id);
    location.replace(role === "camera" ? (window.isSecureContext ? `/g/${game.id}/camera` : `/?game=${game.id}`) : `/g/${game.id}`);
  } catch (problem) {
    joining = false;
    showFault(problem);
  }
}

function draw(game) {
  const choice = (role, text, small) => h("button", { type: "button", class: "choice", "data-role": role, onclick: () => join(role) }, text, h("small", null, small));
  $("title").textContent = gameTitle(game);
  const known = knownGame(game.id);
  redraw(
    $("roles"),
    known?.token && h("a", { class: "button primary wide", id: "already", href: `/g/${game.id}` }, t("join.already")),
    game.can_write && h("p", { class: "label" }, t("join.seat")),
    game.can_write && h("div", { class: "roles" }, SEATS.map((seat) => choice(seat, nameAt(game, seat), t(`seat.${seat}`)))),
    h("p", { class: "label" }, t("join.other")),
    h("div", { class: "roles" }, game.can_write && choice("camera", t("role.camera"), t("join.camera")), choice("viewer", t("role.viewer"), t("join.viewer"))),
  );
}

try {
  draw(await call("GET", gamePath(code), undefined, bearer));
} catch (problem) {
  showFault(problem, h("p", null, h("a", { class: "button", href: "/games" }, t("nav.games"))));
}
