/**
 * One phone at a live table: a WebSocket that is always on its way back. Frames go up, the state comes down; what a person
 * says carries a key, waits here while the server is away, and is done once. The server sends something every second, so
 * silence means that the connection is dead, however open it looks.
 */
import { Problem } from "./api.js";
import { lang, t } from "./boot.js";
import { newKey } from "./memory.js";
import { knownGame } from "./my_games.js";

const SILENCE_MS = 4000;
const CONNECT_MS = 8000;
const RETRY_MS = 1000;
const OFFLINE_RETRY_MS = 10000; // browsers make sockets wait that failed often; the event "online" comes first
const LOOK_MS = 250;
const MOST_ON_THE_WAY = 2;

const addressOf = (code) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/live/${encodeURIComponent(code)}`;

/** What is known of the table: `hand` is { state, events, alerts }, or null between hands. */
export const table = { code: null, welcome: null, version: -1, hand: null, sight: null, state: "connecting", ended: null };

let role = "table";
let listen = () => {};
let socket = null;
let heard = 0;
let sightAt = 0;
let retry;
let onTheWay = 0;
const waiting = new Map(); // key: { act, resolve, reject }

function become(state) {
  if (table.state === state) return;
  table.state = state;
  listen("state");
}

/** How old the picture behind the shown state is, in ms; null before there was one. */
export const age = () => (table.sight?.age_ms == null ? null : table.sight.age_ms + (Date.now() - sightAt));

function hangUp() {
  clearTimeout(retry);
  const old = socket;
  socket = null;
  onTheWay = 0;
  if (old) {
    old.onopen = old.onmessage = old.onclose = old.onerror = null;
    old.close();
  }
}

function connect() {
  hangUp();
  if (table.ended) return;
  heard = Date.now();
  if (table.state !== "away") become("connecting");
  const own = (socket = new WebSocket(addressOf(table.code)));
  own.onopen = () => own.send(JSON.stringify({ token: knownGame(table.code)?.token ?? null, role, lang }));
  own.onmessage = ({ data }) => {
    heard = Date.now();
    take(JSON.parse(data));
  };
  own.onclose = () => {
    if (own !== socket) return;
    socket = null;
    onTheWay = 0;
    become("away");
    retry = setTimeout(connect, navigator.onLine ? RETRY_MS : OFFLINE_RETRY_MS);
  };
}

function take(message) {
  const { type } = message;
  if (type === "welcome") {
    table.welcome = message;
    for (const [key, { act }] of waiting) send({ do: act, key }); // what was not answered is said again
    become("live");
  } else if (type === "snapshot") {
    Object.assign(table, { version: message.version, hand: message.hand });
  } else if (type === "delta") {
    if (message.version <= table.version) return;
    if (message.from_version !== table.version || !table.hand) return connect(); // something is missing between
    const known = new Map([...table.hand.events, ...message.events].map((event) => [event.key, event]));
    const events = message.order.map((key, place) => ({ ...known.get(key), number: place + 1 }));
    Object.assign(table, { version: message.version, hand: { state: message.state, alerts: message.alerts, events } });
  } else if (type === "sight") {
    table.sight = message;
    sightAt = Date.now();
  } else if (type === "got") {
    onTheWay = Math.max(0, onTheWay - 1);
    table.isCamera = message.camera;
    return;
  } else if (type === "done" || type === "refused") {
    const asked = waiting.get(message.key);
    waiting.delete(message.key);
    if (type === "done") asked?.resolve(message);
    else asked?.reject(new Problem(message.problem.detail, message.problem.code, message.problem));
    return;
  } else if (type === "gone") {
    table.ended = new Problem(message.problem.detail, message.problem.code, message.problem);
    hangUp();
  }
  listen(type);
}

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** Say something at the table. The promise waits for the answer, however long the server is away; a Problem says why not. */
export function say(act) {
  const key = newKey();
  return new Promise((resolve, reject) => {
    waiting.set(key, { act, resolve, reject });
    if (table.welcome && table.state === "live") send({ do: act, key });
  });
}

/** Whether a frame would go out now, instead of waiting behind others. */
export const mayShow = () => table.state === "live" && socket?.readyState === WebSocket.OPEN && socket.bufferedAmount === 0 && onTheWay < MOST_ON_THE_WAY;

export function show(frame) {
  if (!mayShow()) return;
  onTheWay += 1;
  socket.send(frame);
}

function wake() {
  const resting = !socket; // between two tries: the next one would come up to a second later
  if (document.visibilityState !== "hidden" && (resting || Date.now() - heard > 2500)) connect();
}

/** Go to the table and stay. `onChange(what)` is told of every message and of the connection. */
export function joinTable(code, { as = "table", onChange }) {
  table.code = code;
  [role, listen] = [as, onChange];
  for (const [target, name] of [[window, "pageshow"], [window, "focus"], [window, "online"], [document, "visibilitychange"]]) target.addEventListener(name, wake);
  window.addEventListener("pagehide", () => {
    hangUp();
    heard = 0; // a page that comes back reconnects at once
  });
  setInterval(() => {
    if (table.ended || document.visibilityState === "hidden") return;
    const limit = socket?.readyState === WebSocket.OPEN ? SILENCE_MS : CONNECT_MS;
    if (socket && Date.now() - heard > limit) {
      become("away");
      connect();
    }
  }, LOOK_MS);
  connect();
}

/** What a person reads while the server is away. */
export const awayText = () => t(waiting.size ? "live.away_waiting" : "live.away", { count: waiting.size });
