/** Warnings with their proof, and the declared win: what the log says of it, and the way to its settlement. */
import { t, tileName } from "./boot.js";
import { button } from "./controls.js";
import { announce, h, redraw } from "./dom.js";
import { icon } from "./icons.js";
import { act } from "./live_act.js";
import { picture } from "./live_log.js";
import { table } from "./live_socket.js";
import { alertText, eventText, ruleText, seatName } from "./live_words.js";

export const proof = (evidence) =>
  evidence.length > 0 &&
  h("ul", { class: "proof", "aria-label": t("live.proof") }, evidence.map((event) => h("li", null, h("span", { class: "number" }, String(event.number)), " ", event.kind ? eventText(event) : event.text, picture(event))));

export function drawAlerts(place, alerts) {
  place.hidden = alerts.length === 0;
  announce("alerts", alerts.map(alertText).join(". "));
  redraw(
    place,
    [...alerts].reverse().map((alert) =>
      h("section", { class: `card alert ${alert.certain ? "certain" : "possible"}`, "data-alert": alert.kind, "data-seat": alert.seat, "data-certain": String(alert.certain) }, h("h2", null, icon(alert.certain ? "wrong" : "warning"), alertText(alert)), ruleText(alert.rule), proof(alert.evidence)),
    ),
  );
}

function verdict({ stands, certain, message }) {
  if (message) return h("p", { class: certain && stands === false ? "wrong" : "maybe" }, t(stands === null ? "live.perhaps" : "live.because", { why: message }));
  return h("p", { class: "hint" }, t(stands === null ? "live.hand_closed" : "live.log_clear"));
}

export function drawClaim(place, claim, writes) {
  place.hidden = !claim;
  if (!claim) return place.replaceChildren();
  const { seat, source, from, tile } = claim;
  const how = from ? t("live.won_from", { seat: seatName(from), tile: tile ? tileName(tile) : "" }) : t(`source.${source}`);
  redraw(
    place,
    h("h2", null, t("live.claims_win", { seat: seatName(seat) })),
    h("p", null, how),
    verdict(claim),
    claim.rule && ruleText(claim.rule),
    proof(claim.evidence),
    writes && h("a", { class: "button primary wide", id: "scan-claim", href: `/?game=${encodeURIComponent(table.code)}&live=1` }, t("live.scan_hand")),
    writes && h("div", { class: "grid" }, button("refuse", t("live.refuse"), () => act({ act: "refuse" }, t("live.said.refused"))), button("take-back", t("live.take_back"), () => act({ act: "undo" }))),
  );
}
