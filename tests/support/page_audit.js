/** Measures a page as it is shown; evaluated by `tests/support/page_audit.py`. Gives { contrast, small, sideways }. */
() => {
  const LARGE_ENOUGH = 43.5; // 44 px, but for rounding
  const NINE_IN_A_ROW = 40; // the tiles of a suit fill the width of a phone, each 57 px high
  const RATIO = 4.5;
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  /** Any CSS colour as red, green, blue, alpha from 0 to 1. */
  function colour(text) {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = "#000";
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r / 255, g / 255, b / 255, a / 255];
  }

  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];

  function luminance([r, g, b]) {
    const line = (one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * line(r) + 0.7152 * line(g) + 0.0722 * line(b);
  }

  function ratio(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  /** The elements from the page down to this one, from the last one that covers everything below. */
  const above = (element) => (element ? [...above(element.parentElement ?? element.getRootNode().host), element] : []);

  /** What lies behind the text of an element, and the share of it that shows; null for a picture, which nobody can measure. */
  function ground(element) {
    let found = colour(getComputedStyle(document.documentElement).colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff");
    let shown = 1;
    for (const one of above(element)) {
      const style = getComputedStyle(one);
      if (style.backgroundImage !== "none") return null;
      shown *= Number(style.opacity);
      found = over(colour(style.backgroundColor), found);
    }
    return { found, shown };
  }

  function visible(element) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false;
    const { width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return width > 1 && height > 1 && !(style.clipPath !== "none" && style.position === "absolute");
  }

  const behindDialog = (element) => document.querySelector("dialog:modal") && !element.closest("dialog:modal");
  const name = (element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}.${element.getAttribute("class") ?? ""} "${element.textContent.trim().slice(0, 40)}"`;

  const contrast = [];
  let texts = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || element.closest("script, style, noscript, option") || !visible(element) || behindDialog(element)) continue;
    texts += 1;
    const style = getComputedStyle(element);
    const behind = ground(element);
    if (!behind) contrast.push(`${name(element)}: on a picture`);
    else {
      const ink = element instanceof SVGElement ? style.fill : style.color;
      const [r, g, b, a] = colour(ink);
      const found = ratio(over([r, g, b, a * behind.shown], behind.found), behind.found);
      if (found < RATIO) contrast.push(`${name(element)}: ${found.toFixed(2)}`);
    }
  }

  const CONTROLS = "a[href], button, select, summary, textarea, input:not([type=hidden]), [role=button], [role=radio], [role=tab], [role=switch], [role=checkbox], [tabindex='0']";
  const small = [];
  let controls = 0;
  for (const element of document.querySelectorAll(CONTROLS)) {
    const box = element.matches("[type=checkbox], [type=radio], [type=file]");
    const target = (box && element.labels?.[0]) || element; // a tap on the label does it
    const inText = element.tagName === "A" && getComputedStyle(element).display === "inline" && element.closest("p, li");
    const inPhoto = element instanceof SVGElement; // boxes on the photo are as large as the tiles; each tile is in the list too
    const scrolls = element.matches("[tabindex='0']:not(a, button, input, [role])");
    if (!visible(target) || behindDialog(element) || inText || inPhoto || scrolls) continue;
    controls += 1;
    const { width, height } = target.getBoundingClientRect();
    const wide = element.matches(".kind") ? NINE_IN_A_ROW : LARGE_ENOUGH;
    if (height < LARGE_ENOUGH || width < wide) small.push(`${name(element)}: ${width.toFixed(0)} x ${height.toFixed(0)}`);
  }

  const sideways = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  return { contrast, small, sideways, texts, controls };
};
