/**
 * Finds the host of a game: the server, or this browser. Both do the same, and the views do not
 * know the difference. The games of this browser are loaded when there is one.
 *
 * @import { Host } from "../shared/hosts.js"
 */
import { isLocal, online } from "../shared/hosts.js";

/** @param {string} id @returns {Promise<Host>} */
export async function hostOf(id) {
  return isLocal(id) ? localHost() : online;
}

/** The host of the games in this browser. */
export async function localHost() {
  return (await import("./host.js")).localHost;
}
