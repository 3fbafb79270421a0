/** What went wrong, as one sentence that says what to do; it stays until something works again. */
import { t } from "./boot.js";
import { h, $ } from "./dom.js";

export function showFault(problem, ...actions) {
  const place = $("fault");
  place.hidden = !problem;
  if (!problem) return;
  place.replaceChildren(h("strong", null, problem.body?.title ?? t("app.went_wrong")), problem.message, ...actions.filter(Boolean));
  place.scrollIntoView({ block: "nearest" });
}
