/**
 * Runs before anything can be seen: on a slow phone buttons are tapped while the modules behind them are still on their way.
 * Such taps are kept, and made when the page listens (shell.js); each button counts once.
 */
window.makeEarlyTaps = (() => {
  const taps = new Set();
  const keep = (event) => {
    const button = event.target.closest("main button");
    if (!button) return;
    event.preventDefault(); // a form nobody listens to would leave the page
    taps.add(button);
  };
  document.addEventListener("click", keep, true);
  return () => {
    document.removeEventListener("click", keep, true);
    for (const button of taps) button.click();
  };
})();
