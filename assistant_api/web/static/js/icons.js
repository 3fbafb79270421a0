/** Signs drawn as lines, since not every phone's font has them. What they mean stands beside them in words. */
import { s } from "./dom.js";

const PATHS = {
  warning: ["M12 3 22 20H2Z", "M12 9.5v5", "M12 17.2v.3"],
  wrong: ["M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19Z", "M8.5 8.5l7 7", "M15.5 8.5l-7 7"],
};

export const icon = (name) => s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, PATHS[name].map((d) => s("path", { d })));
