/** What was done in a game: each step with before and after, newest first. */
import "./shell.js";
import { lang, signed, t } from "./boot.js";
import { h, $ } from "./dom.js";
import { showFault } from "./fault.js";
import { ask } from "./ledger.js";
import { gameTitle, handLabel, playerName, roleName } from "./names.js";

const code = decodeURIComponent(location.pathname.split("/")[2]);
const when = new Intl.DateTimeFormat(lang, { dateStyle: "short", timeStyle: "short" });
let game = null;
let before = null;

const points = (shown) => game.players.map((_, place) => `${playerName(game, place)} ${signed(shown.deltas[place])}`).join("  ");
const entry = (shown, look) => h("p", { class: look }, look === "was" ? h("s", null, shown.text, " ", points(shown)) : [shown.text, " ", points(shown)]);

/** A setting and its value in words where there are any. */
function setting([name, [old, now]]) {
  const value = (one) => (one !== null && typeof one === "object" ? null : String(one ?? "–"));
  if (name === "options") {
    const changed = Object.keys(now).filter((option) => JSON.stringify(old[option]) !== JSON.stringify(now[option]));
    return h("p", null, t("history.options", { names: changed.join(t("app.list_separator")) }));
  }
  const list = (one) => (Array.isArray(one) ? one.join(t("app.list_separator")) : value(one));
  return h("p", null, `${t(`history.setting.${name}`)}: ${list(old)} → ${list(now)}`);
}

function item(change) {
  const hand = handLabel(change.after ?? change.before ?? {});
  return h(
    "li",
    { class: change.undone ? "undone" : null, "data-action": change.action },
    h("p", { class: "meta" }, [when.format(new Date(change.at)), roleName(change.role), change.undone && t("history.undone")].filter(Boolean).join(" · ")),
    h("strong", null, t(`history.action.${change.action}`), hand ? ` · ${hand}` : ""),
    change.before && entry(change.before, "was"),
    change.after && entry(change.after, "is"),
    change.settings && Object.entries(change.settings).map(setting),
  );
}

async function load() {
  try {
    const page = await ask(code, `/history?limit=50${before ? `&before=${before}` : ""}`);
    $("history").append(...page.changes.map(item));
    before = page.next_before;
    $("more").hidden = before === null;
    showFault(null);
  } catch (problem) {
    showFault(problem);
  }
}

$("back").href = `/g/${code}`;
$("more").addEventListener("click", load);
try {
  game = await ask(code);
  $("subtitle").textContent = gameTitle(game);
  await load();
} catch (problem) {
  showFault(problem);
}
