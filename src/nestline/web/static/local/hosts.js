/**
 * Finds the host of a game: the server, or this browser. Both do the same, and the views do not
 * know the difference. The games of this browser are loaded when there is one.
 *
 * @import { Host } from "../shared/hosts.js"
 */
import { loaded, Refusal } from "../server/api.js";
import { isLocal, online } from "../shared/hosts.js";
import { hasServer } from "../site/site.js";

/** @param {string} id @returns {Promise<Host>} */
export async function hostOf(id) {
  if (isLocal(id)) return localHost();
  if (!hasServer) throw new Refusal("no-server", "This site has no games by link.");
  return online;
}

/** The host of the games in this browser. */
export async function localHost() {
  return (await loaded(import("./host.js"))).localHost;
}
