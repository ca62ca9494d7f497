/**
 * The system's share sheet, where there is one.
 */
import { notice } from "./announce.js";

export function canShare() {
  return typeof navigator.share === "function";
}

/** @param {string} title @param {string} url */
export async function shareWithOthers(title, url) {
  try {
    await navigator.share({ title, url });
  } catch (error) {
    // Closing the sheet means a change of mind.
    if (!(error instanceof DOMException && error.name === "AbortError")) notice("It could not be shared.");
  }
}
