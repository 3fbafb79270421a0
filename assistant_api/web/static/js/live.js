/**
 * Follows a stream of server-sent events, for as long as the page is open: a snapshot first, then changes.
 *
 * Each message has a version (its `id:`). A `delta` continues `from_version`; one that was seen is dropped, one that does
 * not fit asks for a fresh snapshot. The server sends a line at least every two seconds, if only a comment: phones keep
 * streams that look open and are dead, so silence is what tells. Whatever wakes the page reconnects at once, without
 * waiting longer each time; there is never more than one connection.
 *
 * It reads with `fetch`, since an EventSource sends no token and hides the comments.
 */
export const SILENCE_MS = 4000;
const CONNECT_MS = 8000;
const STALE_MS = 2500;
const RETRY_MS = 1000;
const LOOK_MS = 250;

/** Takes the text of a stream piece by piece and gives its messages; a piece without one still shows that it lives. */
export function reader(onMessage) {
  let rest = "";
  let message = {};
  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) {
      const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line);
      if (line === "") {
        if (message.data !== undefined) onMessage(message);
        message = {};
      } else if (name === "data") message.data = message.data === undefined ? value : `${message.data}\n${value}`;
      else if (name === "event" || name === "id") message[name] = value;
    }
  };
}

/**
 * Follow the stream at `url`.
 *
 * onSnapshot(body) and onDelta(body) get the parsed data; onState("connecting" | "live" | "away") tells how it stands;
 * onEnd(answer) says that there is nothing to follow any more: the game is gone (null), or the server refused (its
 * answer). Returns { close(), version() }.
 */
export function follow(url, { headers = {}, onSnapshot, onDelta, onState = () => {}, onEnd = () => {}, silenceMs = SILENCE_MS }) {
  let version = null;
  let state = null;
  let connection = null; // { abort, open }
  let heard = 0;
  let retry;

  const say = (next) => {
    if (next !== state) onState((state = next));
  };

  function hangUp() {
    clearTimeout(retry);
    const old = connection;
    connection = null;
    old?.abort.abort();
  }

  function close() {
    hangUp();
    clearInterval(watch);
    for (const [target, name, listener] of listening) target.removeEventListener(name, listener);
  }

  function end(answer) {
    close();
    onEnd(answer);
  }

  function take({ event, id, data }) {
    if (event === "gone") return end(null);
    const body = JSON.parse(data);
    const next = Number(id ?? body.version);
    if (event === "snapshot") {
      version = next;
      onSnapshot(body);
    } else if (event === "delta" && version !== null && next > version) {
      if (body.from_version !== version) {
        version = null; // something is missing between
        return connect();
      }
      version = next;
      onDelta(body);
    }
  }

  function handle(message) {
    try {
      take(message);
    } catch (error) {
      version = null; // only a fresh snapshot helps
      console.error(error);
      throw error;
    }
  }

  async function connect() {
    hangUp();
    const own = (connection = { abort: new AbortController(), open: false });
    const current = () => own === connection;
    heard = Date.now();
    if (state !== "away") say("connecting");
    const known = version === null ? {} : { "Last-Event-ID": String(version) };
    try {
      const answer = await fetch(url, {
        cache: "no-store",
        headers: { Accept: "text/event-stream", ...headers, ...known },
        signal: own.abort.signal,
      });
      if (current() && answer.status >= 400 && answer.status < 500 && answer.status !== 429) return end(answer);
      if (!answer.ok) throw new Error(`answer ${answer.status}`);
      own.open = true;
      const feed = reader((message) => current() && handle(message));
      const text = new TextDecoder();
      const chunks = answer.body.getReader();
      for (let part = await chunks.read(); current() && !part.done; part = await chunks.read()) {
        heard = Date.now();
        say("live");
        feed(text.decode(part.value, { stream: true }));
      }
    } catch {
      // the connection ended, or a message could not be used: begin again in a moment
    }
    if (!current()) return;
    connection = null;
    say("away");
    retry = setTimeout(connect, RETRY_MS);
  }

  /** One reconnection however many events say that the page is back, and none while the stream is fresh. */
  function wake() {
    if (document.visibilityState === "hidden") return;
    const quiet = Date.now() - heard;
    if (!connection || quiet > (connection.open ? STALE_MS : CONNECT_MS)) connect();
  }

  function look() {
    if (connection && Date.now() - heard > (connection.open ? silenceMs : CONNECT_MS)) {
      say("away");
      connect();
    }
  }

  const listening = [
    [window, "pageshow", wake],
    [window, "focus", wake],
    [window, "online", wake],
    [document, "visibilitychange", wake],
    [window, "pagehide", hangUp],
  ];
  for (const [target, name, listener] of listening) target.addEventListener(name, listener);
  const watch = setInterval(look, LOOK_MS);
  connect();
  return { close, version: () => version };
}
