/**
 * Tells that it is one's turn while the page is hidden, to whoever wants that.
 */
import { notice } from "../shared/announce.js";
import { prefer, preferences } from "../shared/settings.js";

export function canNotify() {
  return "Notification" in window;
}

export function isNotifying() {
  return canNotify() && preferences().notify && Notification.permission === "granted";
}

/** Turn it on or off; the browser asks for permission. */
export async function toggleNotifying() {
  if (isNotifying()) return prefer({ notify: false });
  if ((await Notification.requestPermission()) === "granted") {
    prefer({ notify: true });
    notice("You will be told when it is your turn and this page is hidden.");
  } else notice("The browser does not allow notifications from this page.");
  return undefined;
}

/** @param {string} title @param {string} body @param {string} tag  of which only the last is shown */
export function notify(title, body, tag) {
  if (!document.hidden || !isNotifying()) return;
  try {
    const shown = new Notification(title, { body, tag, icon: new URL("../icon.svg", import.meta.url).href });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Phones show notifications of installed pages only.
  }
}
