/** The log of the hand: what the camera proposed, what it asks, what people said; each can be put right. */
import { t } from "./boot.js";
import { button, sheetHead } from "./controls.js";
import { h, openSheet, redraw, $ } from "./dom.js";
import { act } from "./live_act.js";
import { openEvent } from "./live_sheets.js";
import { table } from "./live_socket.js";
import { eventText } from "./live_words.js";

const SHORT = 8;
let all = false;
const dialog = $("sheet");

export const picture = ({ crop, number }) => crop && h("img", { class: "evidence", src: crop, alt: t("live.picture_of", { number }), loading: "lazy" });

const percent = (event) => Math.round(event.confidence * 100);
const stateChip = (event) => h("span", { class: `chip ${event.state}` }, event.state === "confirmed" ? t("live.confirmed") : t(`live.${event.state}`, { percent: percent(event) }));

function item(event, writes) {
  const text = eventText(event);
  const inside = [h("span", { class: "number" }, String(event.number)), h("span", { class: "text" }, text, stateChip(event)), picture(event)];
  const props = { type: "button", class: "log-line", "data-key": `event-${event.key}`, onclick: () => openLine(event.key) };
  return h("li", { "data-event": event.key, "data-state": event.state }, writes ? h("button", props, inside) : h("div", { class: "log-line" }, inside));
}

export function drawLog(place, events, writes) {
  const shown = all ? events : events.slice(-SHORT);
  const more = events.length > SHORT && h("button", { type: "button", class: "button plain wide", id: "log-all", "data-key": "log-all", onclick: () => ((all = !all), drawLog(place, events, writes)) }, t(all ? "live.log_less" : "live.log_all", { count: events.length }));
  redraw(place, h("ol", { class: "live-log", "aria-label": t("live.log"), reversed: true }, [...shown].reverse().map((event) => item(event, writes))), more);
}

/** What the camera is not sure of, each with what else it may have been. */
export function drawAsked(place, events, writes) {
  const asked = events.filter(({ state }) => state === "asked");
  place.hidden = asked.length === 0 || !writes;
  if (place.hidden) return place.replaceChildren();
  redraw(
    place,
    h("h2", null, t("live.asks")),
    asked.map((event) =>
      h(
        "div",
        { class: "asked", "data-event": event.key },
        h("p", null, h("span", { class: "number" }, String(event.number)), " ", eventText(event), picture(event)),
        h(
          "div",
          { class: "answers" },
          h("button", { type: "button", class: "button", "data-key": `yes-${event.key}`, onclick: () => act({ act: "confirm", event: event.key }) }, t("live.so_it_is")),
          event.alternatives.map((other, place) => h("button", { type: "button", class: "button", "data-key": `other-${event.key}-${place}`, onclick: () => act({ act: "edit", event: event.key, text: other.text }) }, eventText(other))),
          h("button", { type: "button", class: "button plain", "data-key": `open-${event.key}`, onclick: () => openLine(event.key) }, t("live.something_else")),
        ),
      ),
    ),
  );
}

/** What can be done with one event. */
function openLine(key) {
  const event = table.hand?.events.find((one) => one.key === key);
  if (!event) return;
  const go = (what, said) => {
    dialog.close();
    act(what, said);
  };
  const isDeal = event.kind === "deal";
  openSheet(
    dialog,
    sheetHead(dialog, eventText(event), t("live.event_number", { number: event.number })),
    picture(event),
    event.state !== "confirmed" && button("event-confirm", t("live.so_it_is"), () => go({ act: "confirm", event: key }, t("live.said.confirmed")), "primary wide"),
    event.alternatives.map((other, place) => button(`event-other-${place}`, t("live.rather", { what: eventText(other) }), () => go({ act: "edit", event: key, text: other.text }), "wide")),
    !isDeal && button("event-edit", t("live.edit"), () => openEvent({ event }), "wide"),
    !isDeal && button("event-insert", t("live.insert_before"), () => openEvent({ before: key }), "wide"),
    !isDeal && button("event-delete", t("live.delete"), () => go({ act: "delete", event: key }, t("live.said.deleted")), "danger wide"),
  );
}
