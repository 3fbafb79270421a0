/** The server's answers. An error is a Problem whose message is one sentence for the person. */
import { lang, t } from "./boot.js";

export class Problem extends Error {
  constructor(message, code, body = {}) {
    super(message);
    this.code = code;
    this.body = body;
  }
}

const headers = { Accept: "application/json", "Accept-Language": lang };

function failure(status, body) {
  return new Problem(body?.detail ?? t("problem.internal_error.detail"), body?.code ?? `http_${status}`, body ?? {});
}

/** One call that sends and takes JSON. */
export async function call(method, path, body, extra = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: { ...headers, ...(body ? { "Content-Type": "application/json" } : {}), ...extra },
      body: body ? JSON.stringify(body) : undefined,
    });
  } catch {
    throw new Problem(t("problem.offline.detail"), "offline");
  }
  if (answer.status === 204) return null;
  const json = await answer.json().catch(() => null);
  if (!answer.ok) throw failure(answer.status, json);
  return json;
}

/** Send a photo; progress goes from 0 to 1 while it is under way. */
export function sendPhoto(file, onProgress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append("photo", file, file.name || "photo");
    request.open("POST", "/api/photos");
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.responseType = "json";
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onerror = () => reject(new Problem(t("problem.offline.detail"), "offline"));
    request.onload = () =>
      request.status < 300 ? resolve(request.response) : reject(failure(request.status, request.response));
    request.send(form);
  });
}
