/** Whose is this pile? A person drags over a part of the picture, or taps a pile, and says what lies there. */
import { t } from "./boot.js";
import { button, choices, group, sheetHead } from "./controls.js";
import { h, openSheet, s, $ } from "./dom.js";
import { act } from "./live_act.js";
import { table } from "./live_socket.js";
import { seatName } from "./live_words.js";
import { SEATS } from "./names.js";

const ZONES = ["river", "meld", "flowers", "hand", "gold", "wall"];
const NOBODYS = ["gold", "wall"];
const TAP = 0.02; // less than this share of the picture is a tap
const REACH = 1.6; // tiles of one pile lie nearer to each other, in lengths of a tile

const dialog = $("sheet");
const clamp = (share) => Math.min(1, Math.max(0, share));
const corners = ([x0, y0, x1, y1]) => [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
const around = (points) => [Math.min(...points.map(([x]) => x)), Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([x]) => x)), Math.max(...points.map(([, y]) => y))];

/** The tiles that lie together around a place of the picture, as a rectangle; null where none lies. */
function pileAt([x, y]) {
  const { size: [width, height] = [1, 1], boxes = [] } = table.sight ?? {};
  const tiles = boxes.map(({ quad, zone }) => ({ zone, quad, at: quad.reduce(([a, b], [c, d]) => [a + c / 4, b + d / 4], [0, 0]), long: Math.max(Math.hypot(quad[1][0] - quad[0][0], quad[1][1] - quad[0][1]), Math.hypot(quad[2][0] - quad[1][0], quad[2][1] - quad[1][1])) }));
  const away = (tile, place) => Math.hypot(tile.at[0] - place[0], tile.at[1] - place[1]);
  const [first] = tiles.filter((tile) => away(tile, [x * width, y * height]) < tile.long).sort((one, other) => away(one, [x * width, y * height]) - away(other, [x * width, y * height]));
  if (!first) return null;
  const pile = new Set([first]);
  for (const known of pile) for (const tile of tiles) if (tile.zone === first.zone && away(tile, known.at) < REACH * known.long) pile.add(tile);
  return around([...pile].flatMap(({ quad }) => quad).map(([a, b]) => [clamp(a / width), clamp(b / height)]));
}

function ask(points) {
  const form = { zone: null, seat: null };
  const draw = () => {
    const owned = form.zone && !NOBODYS.includes(form.zone);
    openSheet(
      dialog,
      sheetHead(dialog, t("live.area_what"), t("live.area_hint")),
      group(t("live.area_kind"), choices("zone", ZONES.map((zone) => [zone, t(`live.zone.${zone}`)]), form.zone, (zone) => (Object.assign(form, { zone }), draw()), t("live.area_kind"))),
      owned && group(t("live.area_whose"), choices("owner", SEATS.map((seat) => [seat, seatName(seat), t(`seat.${seat}`)]), form.seat, (seat) => (Object.assign(form, { seat }), draw()), t("live.area_whose"))),
      button("area-save", t("live.area_save"), () => {
        dialog.close();
        act({ act: "area", points, zone: form.zone, seat: owned ? form.seat : null }, t("live.said.area"));
      }, "primary wide", { disabled: !form.zone || (owned && !form.seat) }),
    );
  };
  draw();
}

/** Listen on the picture. `toggle()` begins and ends it, `active()` says whether it waits; `tools()` are its buttons. */
export function nameAreas(view, video, onChange) {
  const marks = s("svg", { class: "live-areas", viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
  view.append(marks);
  let waiting = false;
  let from = null;
  const share = ({ clientX, clientY }) => {
    const box = video.getBoundingClientRect();
    return [clamp((clientX - box.left) / box.width), clamp((clientY - box.top) / box.height)];
  };
  const outline = (points, look = "") => s("polygon", { class: look, points: points.map((point) => point.join(",")).join(" ") });
  const draw = (now = null) => marks.replaceChildren(...(table.hand?.state.areas ?? []).map(({ points, zone }) => outline(points, `in-${zone}`)), ...(now ? [outline(corners(now), "new")] : []));
  const set = (value) => {
    [waiting, from] = [value, null];
    view.classList.toggle("naming", waiting);
    draw();
    onChange();
  };
  view.addEventListener("pointerdown", (event) => {
    if (!waiting) return;
    from = share(event);
    view.setPointerCapture(event.pointerId);
  });
  view.addEventListener("pointermove", (event) => from && draw(around([from, share(event)])));
  view.addEventListener("pointercancel", () => ((from = null), draw()));
  view.addEventListener("pointerup", (event) => {
    if (!from) return;
    const to = share(event);
    const dragged = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])) > TAP;
    const found = dragged ? around([from, to]) : pileAt(to);
    from = null;
    if (!found) return draw();
    set(false);
    draw(found);
    ask(corners(found));
  });
  return {
    draw: () => from || draw(),
    stop: () => waiting && set(false),
    active: () => waiting,
    tools: () => [
      button("area", t(waiting ? "live.area_stop" : "live.area"), () => set(!waiting), "", { "aria-pressed": String(waiting) }),
      table.hand.state.areas.length > 0 && button("forget-areas", t("live.area_forget"), () => act({ act: "forget_areas" }, t("live.said.area_forgotten"))),
    ],
  };
}
