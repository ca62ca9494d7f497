/**
 * Copies texts, and says whether that worked.
 */
import { notice } from "./announce.js";

/** @param {string} text @param {string} done */
export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    notice(done);
  } catch {
    notice("The browser does not allow copying; select the text and copy it yourself.");
  }
}
