/** People's own sets of tiles: a photo of all faces, checked by tapping, becomes a set that photos are read with. */
import "./shell.js";
import { call, sendPhoto } from "./api.js";
import { t, tileName } from "./boot.js";
import { face, h, onFile, openSheet, redraw, s, toast, $ } from "./dom.js";
import { kindGrid } from "./kind_grid.js";
import { newKey } from "./memory.js";

const PASSED_OVER = "?";
const MARGIN = 0.12; // shown around a face, as a share of its size
let checked = null; // { photo, rows } while a photo is being checked

function fault(problem) {
  const place = $("fault");
  place.hidden = problem === null;
  if (problem !== null) redraw(place, h("strong", null, problem.body?.title ?? ""), problem.message);
}

async function drawSets() {
  const sets = await call("GET", "/api/tilesets");
  const place = $("sets");
  place.hidden = sets.length === 0;
  const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" });
  redraw(
    place,
    h("h2", null, t("tilesets.kept")),
    h(
      "ul",
      { class: "sets" },
      sets.map((set) =>
        h(
          "li",
          { "data-set": set.name },
          h("div", null, h("strong", null, set.name), h("small", null, t("tilesets.faces", { faces: set.faces, day: day.format(new Date(set.created)) }))),
          h("button", { type: "button", class: "button danger", onclick: () => confirmRemove(set.name) }, t("tilesets.remove")),
        ),
      ),
    ),
  );
}

function confirmRemove(name) {
  const dialog = $("confirm");
  const remove = async () => {
    dialog.close();
    await attempt(async () => {
      await call("DELETE", `/api/tilesets/${encodeURIComponent(name)}`);
      toast(t("tilesets.removed"));
      await drawSets();
    });
  };
  openSheet(
    dialog,
    h("h2", null, t("tilesets.remove_ask", { name })),
    h(
      "div",
      { class: "pair" },
      h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("tilesets.keep")),
      h("button", { type: "button", class: "button danger", id: "really", onclick: remove }, t("tilesets.remove")),
    ),
  );
}

/** Run a step; what goes wrong is told on the page. */
async function attempt(step) {
  fault(null);
  try {
    await step();
  } catch (problem) {
    fault(problem);
  }
}

async function take(blob) {
  checked = null;
  drawCheck();
  $("choose").classList.add("busy");
  await attempt(async () => {
    const { photo } = await sendPhoto({ blob, name: blob.name, key: newKey() }, () => {}).answer;
    if (photo === null) throw Object.assign(new Error(t("scan.no_tiles")), { body: null });
    const draft = await call("POST", "/api/tilesets/draft", { photo_id: photo.id });
    checked = { photo, rows: draft.rows, inOrder: draft.in_order };
  });
  $("choose").classList.remove("busy");
  drawCheck();
}

/** The part of the photo that shows a face. */
function closeUp({ photo }, quad) {
  const [xs, ys] = [quad.map(([x]) => x), quad.map(([, y]) => y)];
  const [left, top, width, height] = [Math.min(...xs), Math.min(...ys), Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
  const view = [left - width * MARGIN, top - height * MARGIN, width * (1 + 2 * MARGIN), height * (1 + 2 * MARGIN)];
  return s("svg", { class: "close-up", "aria-hidden": "true", viewBox: view.join(" ") }, s("image", { href: photo.url, width: photo.width, height: photo.height }));
}

function faceButton(found, row, place) {
  const differs = found.read !== found.tile;
  const name = found.tile === PASSED_OVER ? t("tilesets.passed_over") : tileName(found.tile);
  return h(
    "button",
    {
      type: "button",
      class: `found${differs ? " differs" : ""}`,
      "data-key": `${row}-${place}`,
      "data-tile": found.tile,
      "aria-label": name,
      onclick: () => correct(found),
    },
    closeUp(checked, found.quad),
    face(found.tile),
  );
}

function correct(found) {
  const dialog = $("picker");
  const choose = (code) => {
    dialog.close();
    found.tile = code;
    drawCheck();
  };
  openSheet(
    dialog,
    h("div", { class: "sheet-head" }, closeUp(checked, found.quad), h("strong", null, t("tilesets.which"))),
    kindGrid(found.tile, choose),
    h("button", { type: "button", class: "button wide", id: "pass-over", onclick: () => choose(PASSED_OVER) }, t("tilesets.pass_over")),
  );
  dialog.setAttribute("aria-label", t("tilesets.which"));
}

function drawCheck() {
  const place = $("check");
  place.hidden = checked === null;
  if (checked === null) return;
  const named = checked.rows.flat().filter((found) => found.tile !== PASSED_OVER);
  redraw(
    place,
    h("h2", null, t("tilesets.check")),
    h("p", { class: "hint", role: "status" }, t(checked.inOrder ? "tilesets.in_order" : "tilesets.out_of_order", { count: named.length })),
    checked.rows.map((row, number) => h("div", { class: "found-row" }, row.map((found, column) => faceButton(found, number, column)))),
    h("label", { class: "consent", for: "keep-pictures" }, h("input", { type: "checkbox", id: "keep-pictures", "data-key": "keep" }), t("tilesets.keep_pictures")),
    h("button", { type: "button", class: "button primary wide", id: "save-set", disabled: named.length === 0, onclick: save }, t("tilesets.save")),
  );
}

async function save() {
  const name = $("set-name");
  if (!name.value.trim()) {
    name.focus();
    toast(t("tilesets.name_missing"));
    return;
  }
  const faces = checked.rows.flat().map(({ tile, quad }) => ({ tile, quad }));
  const body = { name: name.value, photos: [{ photo_id: checked.photo.id, faces }], keep_pictures: $("keep-pictures").checked };
  await attempt(async () => {
    const set = await call("POST", "/api/tilesets", body);
    call("DELETE", `/api/photos/${checked.photo.id}`).catch(() => {}); // it has done its work
    checked = null;
    drawCheck();
    toast(t("tilesets.saved", { name: set.name, faces: set.faces }));
    await drawSets();
  });
}

onFile($("set-photo"), take);
attempt(drawSets);
