/** Shows the photos on their way: progress with a way out, or that they wait for the server. */
import { t } from "./boot.js";
import { askServer, isAway } from "./connection.js";
import { h, redraw, $ } from "./dom.js";
import { discard, outbox, readNow } from "./outbox.js";

const pictures = new Map();

function pictureOf({ key, blob }) {
  if (!pictures.has(key)) pictures.set(key, URL.createObjectURL(blob));
  return h("img", { class: "thumb", src: pictures.get(key), alt: t("outbox.photo"), onerror: (event) => (event.target.hidden = true) });
}

function freePictures() {
  const kept = new Set(outbox.items.map(({ key }) => key));
  for (const [key, url] of pictures) {
    if (kept.has(key)) continue;
    URL.revokeObjectURL(url);
    pictures.delete(key);
  }
}

const button = (key, look, onclick, label) => h("button", { type: "button", class: `button ${look}`, "data-key": key, onclick }, label);

function underWay(item) {
  const props = { class: "bar", role: "progressbar", "aria-label": t("scan.uploading"), "aria-valuemin": 0, "aria-valuemax": 100 };
  const parts = h("div", null, h("p", { id: "busy-text", role: "status" }), h("div", props, h("i")));
  return [
    h("div", { class: "sending", "data-sending": item.key }, pictureOf(item), parts),
    button("cancel-upload", "wide", () => discard(item.key), t("outbox.cancel")),
  ];
}

/** Moves the bar without drawing the rest again. */
function showShare(place, share) {
  const text = t(share < 1 ? "outbox.uploading" : "scan.reading", { percent: Math.round(share * 100) });
  const bar = place.querySelector("[role=progressbar]");
  if ($("busy-text").textContent !== text) $("busy-text").textContent = text;
  bar.setAttribute("aria-valuenow", Math.round(share * 100));
  bar.firstChild.style.width = `${5 + 75 * share}%`;
}

function lined(items) {
  return h(
    "ul",
    { class: "waiting" },
    items.map((item) =>
      h("li", null, pictureOf(item), h("button", { type: "button", class: "close", "data-key": `discard-${item.key}`, "aria-label": t("outbox.discard"), onclick: () => discard(item.key) }, "\u00d7")),
    ),
  );
}

function waiting(items) {
  const key = outbox.fault ? "stopped" : isAway() ? "away" : "next";
  return [
    h("strong", { role: "status" }, t(`outbox.${key}.title`, { count: items.length })),
    h("p", null, outbox.fault?.message ?? t(`outbox.${key}.text`)),
    lined(items),
    button(`go-${key}`, "wide", key === "away" ? askServer : readNow, t(`outbox.${key}.action`)),
  ];
}

export function drawOutbox() {
  const place = $("outbox");
  const { items, sending } = outbox;
  place.hidden = items.length === 0;
  if (!sending) redraw(place, items.length ? waiting(items) : []);
  else if (!place.querySelector(`[data-sending="${sending.item.key}"]`)) redraw(place, underWay(sending.item));
  if (sending) showShare(place, sending.share);
  freePictures();
}
