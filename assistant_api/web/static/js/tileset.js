/** The set of tiles on the table, chosen by name where the server knows any; remembered on this phone. */
import { t } from "./boot.js";
import { h, redraw, $ } from "./dom.js";
import { recall, remember } from "./memory.js";

const KEPT_AS = "tileset";

export const tileset = () => recall(KEPT_AS);

/** Fills the place for the menu; without sets, or on a server that has none, it stays away. */
export async function drawTilesets() {
  const answer = await fetch("/api/tilesets", { headers: { Accept: "application/json" } }).catch(() => null);
  const body = answer?.ok ? await answer.json().catch(() => null) : null;
  const sets = Array.isArray(body) ? body : (body?.tilesets ?? []);
  const place = $("tileset");
  place.hidden = sets.length === 0;
  if (place.hidden) return;
  const options = [["", t("tileset.any")], ...sets.map(({ name, title }) => [name, title ?? name])];
  if (!options.some(([name]) => name === tileset())) remember(KEPT_AS, null);
  const menu = h(
    "select",
    { id: "tileset-menu", onchange: (event) => remember(KEPT_AS, event.target.value || null) },
    options.map(([name, title]) => h("option", { value: name, selected: name === (tileset() ?? "") }, title)),
  );
  redraw(place, h("label", { for: "tileset-menu" }, t("tileset.label")), menu);
}
