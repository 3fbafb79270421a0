/**
 * The service worker. The server puts VERSION and FILES (the static files of that version) in front.
 *
 * Pages come from the network; a kept copy is only shown while the server cannot be reached. Static files carry their
 * version in their address, so a kept one is never wrong. Nothing else is kept: no answer of the API, no photo.
 * A new version takes over at once and deletes what the old one kept, so nobody is held on an old page.
 */
const CACHE = `jinque-${VERSION}`;
const OFFLINE = "/offline";
const PATIENCE_MS = 6000; // then a kept page is better than a white one

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll([...FILES, new Request(OFFLINE, { cache: "reload" })]);
  await self.skipWaiting();
}

self.addEventListener("activate", (event) => {
  event.waitUntil(activate());
});

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("jinque-") && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event, url));
  else if (url.pathname.startsWith(`/static/${VERSION}/`)) event.respondWith(file(request));
});

async function file(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request)) ?? fetch(request);
}

/** A page may be kept when the server marks it as a shell of this version; then only its newest copy, by path. */
async function page(event, url) {
  const cache = await caches.open(CACHE);
  const fresh = fetch(event.request).then((answer) => {
    if (answer.ok && answer.headers.get("Jinque-Shell") === VERSION) event.waitUntil(keep(cache, url, answer.clone()));
    return answer;
  });
  fresh.catch(() => {}); // told below, also when a kept page was shown first
  const kept = async () => (await cache.match(url.pathname)) ?? (await cache.match(OFFLINE)) ?? Response.error();
  const waited = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)).then(() => cache.match(url.pathname));
  try {
    return (await Promise.race([fresh, waited])) ?? (await fresh);
  } catch {
    return kept();
  }
}

/** The offline page is kept in the language the person reads. */
async function keep(cache, url, answer) {
  const language = answer.headers.get("Content-Language");
  await cache.put(url.pathname, answer);
  const offline = await cache.match(OFFLINE);
  if (offline && offline.headers.get("Content-Language") !== language) await cache.add(new Request(OFFLINE, { cache: "reload" }));
}
