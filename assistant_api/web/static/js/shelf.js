/** Photos that were taken and are not read yet, kept on the phone (IndexedDB) until the server has answered. */
const NAME = "jinque";
const STORE = "photos";

let opening = null;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

async function run(mode, act) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const work = database.transaction(STORE, mode);
    const request = act(work.objectStore(STORE));
    work.oncomplete = () => resolve(request.result);
    work.onerror = work.onabort = () => reject(work.error);
  });
}

/** Each item: key, blob, name, tileset, at. A browser that keeps nothing rejects; the photo then lives in the page only. */
export const put = (item) => run("readwrite", (store) => store.put(item));
export const drop = (key) => run("readwrite", (store) => store.delete(key));
export const all = async () => (await run("readonly", (store) => store.getAll())).sort((one, other) => one.at - other.at);
