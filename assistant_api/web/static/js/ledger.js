/** Calls about one game, with this phone's token. */
import { call } from "./api.js";
import { auth } from "./my_games.js";

export const gamePath = (code, path = "") => `/api/games/${encodeURIComponent(code)}${path}`;

export const ask = (code, path = "") => call("GET", gamePath(code, path), undefined, auth(code));

/** A write; the key lets it be sent again without being done twice, the version refuses it when somebody was faster. */
export function tell(code, method, path, body, { key = null, version = null } = {}) {
  const extra = { ...auth(code), ...(key && { "Idempotency-Key": key }), ...(version !== null && { "If-Match": String(version) }) };
  return call(method, gamePath(code, path), body, extra);
}
