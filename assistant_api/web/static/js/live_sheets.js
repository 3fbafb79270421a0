/** What a person enters at a live table: a new hand, an event the camera missed, a pass, a win. */
import { t, tileName } from "./boot.js";
import { button, choices, group, sheetHead } from "./controls.js";
import { face, h, openSheet, $ } from "./dom.js";
import { kindGrid } from "./kind_grid.js";
import { act } from "./live_act.js";
import { table } from "./live_socket.js";
import { ENTERED, eventLine, seatName, withoutSeat } from "./live_words.js";
import { SEATS } from "./names.js";

const dialog = $("sheet");
const seats = () => SEATS.map((seat) => [seat, seatName(seat), t(`seat.${seat}`)]);
const seatChoice = (name, chosen, pick, label) => group(label, choices(name, seats(), chosen, pick, label));

/** A hand has been dealt: who deals, and which seat the camera stands beside. */
export function openBegin(deal) {
  const form = { near: "E", dealer: deal?.dealer ?? null };
  const draw = () =>
    openSheet(
      dialog,
      sheetHead(dialog, t("live.begin"), t("live.begin_hint")),
      seatChoice("dealer", form.dealer, (dealer) => ((form.dealer = dealer), draw()), t("live.who_deals")),
      seatChoice("near", form.near, (near) => ((form.near = near), draw()), t("live.who_is_near")),
      button("begin-hand", t("live.begin"), async () => {
        dialog.close();
        await act({ act: "begin", near: form.near, dealer: form.dealer });
      }, "primary wide", { disabled: form.dealer === null }),
    );
  draw();
}

/** An event the camera missed or misread: `event` is put right, `before` a key; else it comes at the end. */
export function openEvent({ event = null, before = null } = {}) {
  const { turn, offered } = table.hand.state;
  const known = event && event.kind in ENTERED;
  const form = { kind: known ? event.kind : "discard", seat: event?.seat ?? (offered ? SEATS[(SEATS.indexOf(offered.seat) + 1) % 4] : turn), tiles: known ? tilesOf(event) : [] };
  const set = (values) => {
    Object.assign(form, values);
    draw();
  };
  const draw = () => {
    const wanted = ENTERED[form.kind];
    const several = form.kind === "flowers" || form.kind === "gold";
    const enough = form.tiles.length >= wanted;
    const pick = (code) => set({ tiles: enough && !several ? (wanted === 1 ? [code] : form.tiles) : [...form.tiles, code] });
    openSheet(
      dialog,
      sheetHead(dialog, t(event ? "live.edit" : "live.add"), t(form.kind === "chow" ? "live.chow_hint" : "live.add_hint")),
      h("div", { class: "question" }, choices("kind", Object.keys(ENTERED).map((kind) => [kind, t(`live.kind.${kind}`)]), form.kind, (kind) => set({ kind, tiles: [] }), t("live.what"))),
      !withoutSeat(form.kind) && seatChoice("seat", form.seat, (seat) => set({ seat }), t("live.who")),
      wanted > 0 && h("div", { class: "tiles added", role: "status", "aria-label": form.tiles.map(tileName).join(t("app.list_separator")) }, form.tiles.map(face)),
      form.tiles.length > 0 && button("tiles-clear", t("live.clear_tiles"), () => set({ tiles: [] }), "plain"),
      wanted > 0 && kindGrid(form.tiles.at(-1) ?? null, pick),
      button("save-event", t("live.save"), async () => {
        const text = eventLine(form.kind, form.seat, form.tiles);
        dialog.close();
        await act(event ? { act: "edit", event: event.key, text } : { act: "insert", before, text });
      }, "primary wide", { disabled: !enough }),
    );
  };
  draw();
}

function tilesOf({ kind, tile, tiles }) {
  if (kind === "chow") return [tile, ...tiles];
  if (kind === "flowers" || kind === "gold") return tiles;
  return tile && ENTERED[kind] > 0 ? [tile] : [];
}

/** Who lets the tile go by. Silence means the same; saying it makes it sure. */
export function openPass() {
  const giver = table.hand.state.offered?.seat;
  const may = seats().filter(([seat]) => seat !== giver);
  const pick = (seat) => {
    dialog.close();
    act({ act: "pass", seat }, t("live.said.pass", { seat: seatName(seat) }));
  };
  openSheet(dialog, sheetHead(dialog, t("live.pass"), t("live.pass_hint")), h("div", { class: "roles" }, may.map(([seat, name, wind]) => h("button", { type: "button", class: "choice", "data-key": `pass-${seat}`, onclick: () => pick(seat) }, name, h("small", null, wind)))));
}

/** Who declares a win, and how. What the table offers decides which ways there are. */
export function openWin() {
  const { offered, phase, turn } = table.hand.state;
  const form = { seat: null, source: null };
  const ways = () => {
    const found = [];
    if (offered && form.seat !== offered.seat) found.push([offered.kong ? "rob_kong" : "discard", t("live.on_tile", { tile: tileName(offered.tile) })]);
    if (!offered ? form.seat === turn : form.seat !== offered.seat) found.push(["self_draw", t("source.self_draw")]);
    if (phase === "opening") found.push([form.seat === turn ? "heavenly" : "opening_three", t(`source.${form.seat === turn ? "heavenly" : "opening_three"}`)]);
    if (phase === "rob_window") found.push(["rob_gold", t("source.rob_gold")]);
    return found.length ? found : [["self_draw", t("source.self_draw")]];
  };
  const draw = () => {
    const found = form.seat ? ways() : [];
    if (!found.some(([source]) => source === form.source)) form.source = found.length === 1 ? found[0][0] : null;
    openSheet(
      dialog,
      sheetHead(dialog, t("live.win"), t("live.win_hint")),
      seatChoice("winner", form.seat, (seat) => ((form.seat = seat), draw()), t("live.who_wins")),
      form.seat && group(t("live.how"), choices("way", found, form.source, (source) => ((form.source = source), draw()), t("live.how"))),
      button("declare", t("live.declare"), async () => {
        dialog.close();
        await act({ act: "claim", seat: form.seat, source: form.source });
      }, "primary wide", { disabled: !form.seat || !form.source }),
    );
  };
  draw();
}
