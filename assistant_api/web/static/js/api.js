/** The server's answers. An error is a Problem whose message is one sentence for the person. */
import { lang, t } from "./boot.js";
import { lost } from "./connection.js";
import { auth } from "./my_games.js";

const PATIENCE_MS = 20_000;
const PHOTO_PATIENCE_MS = 120_000;
const GATEWAY = [502, 504];

export class Problem extends Error {
  constructor(message, code, body = {}) {
    super(message);
    this.code = code;
    this.body = body;
  }

  /** The server was not there at all: the same call will do later. */
  get offline() {
    return this.code === "offline";
  }
}

const headers = { Accept: "application/json", "Accept-Language": lang };

function failure(status, body) {
  if (GATEWAY.includes(status)) return unreachable();
  return new Problem(body?.detail ?? t("problem.internal_error.detail"), body?.code ?? `http_${status}`, { status, ...body });
}

function unreachable() {
  lost();
  return new Problem(t("problem.offline.detail"), "offline");
}

/** One call that sends and takes JSON. */
export async function call(method, path, body, extra = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: { ...headers, ...(body ? { "Content-Type": "application/json" } : {}), ...extra },
      body: body ? JSON.stringify(body) : undefined,
      signal: AbortSignal.timeout?.(PATIENCE_MS),
    });
  } catch {
    throw unreachable();
  }
  if (answer.status === 204) return null;
  const json = await answer.json().catch(() => null);
  if (!answer.ok) throw failure(answer.status, json);
  return json;
}

/**
 * Send a photo. The key makes sure that a photo sent again is not kept twice.
 * Progress goes from 0 to 1 while it is under way. Returns the answer to come, and how to stop it.
 */
export function sendPhoto({ blob, name, key, tileset, game }, onProgress) {
  const request = new XMLHttpRequest();
  const form = new FormData();
  form.append("photo", blob, name || "photo");
  if (tileset) form.append("tileset", tileset);
  const answer = new Promise((resolve, reject) => {
    request.open("POST", `/api/photos${game ? `?game=${encodeURIComponent(game)}` : ""}`);
    for (const [header, value] of Object.entries({ ...headers, ...(game && auth(game)), "Idempotency-Key": key })) request.setRequestHeader(header, value);
    request.responseType = "json";
    request.timeout = PHOTO_PATIENCE_MS;
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onerror = request.ontimeout = () => reject(unreachable());
    request.onabort = () => reject(new Problem("", "cancelled"));
    request.onload = () =>
      request.status < 300 ? resolve(request.response) : reject(failure(request.status, request.response));
    request.send(form);
  });
  return { answer, cancel: () => request.abort() };
}
