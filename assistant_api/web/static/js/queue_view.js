/** Entries that wait for the server, and one that it refused. */
import { t } from "./boot.js";
import { button } from "./controls.js";
import { isAway } from "./connection.js";
import { h, redraw, $ } from "./dom.js";
import { discard, queue, tryAgain, waiting } from "./queue.js";

function refused([first, ...rest]) {
  return [
    h("strong", null, t("queue.refused", { what: first.label })),
    h("p", null, queue.fault.message),
    rest.length > 0 && h("p", null, t("queue.behind", { count: rest.length })),
    h("div", { class: "pair" }, button("queue-again", t("queue.again"), tryAgain), button("queue-drop", t("queue.drop"), () => discard(first.key), "danger")),
  ];
}

export function drawQueue() {
  const items = waiting();
  const place = $("queue");
  place.hidden = items.length === 0;
  place.classList.toggle("fault", queue.fault !== null);
  if (place.hidden) return;
  if (queue.fault) return redraw(place, refused(items));
  redraw(place, h("strong", null, t(isAway() ? "queue.away" : "queue.sending", { count: items.length })), isAway() && h("p", null, t("queue.safe")), h("ul", null, items.map(({ label }) => h("li", null, label))));
}
