/**
 * What the host of a game does, and the server as one. `local` has the other: this browser.
 *
 * @import { Action, Game, Peek, RuleSet } from "../server/types.js"
 * @import { Watcher } from "../server/connection.js"
 */
import { fetchRecord, fetchRuleSet } from "../server/api.js";
import { connection } from "../server/connection.js";
import { tokensOf } from "./settings.js";

/**
 * @typedef {object} Host
 * @property {boolean} isOpen  whether actions reach it now
 * @property {() => void} open
 * @property {(id: string) => Promise<Game>} fetchGame
 * @property {(id: string, name: string) => Promise<RuleSet>} fetchRules  of a game
 * @property {(watcher: Watcher) => () => void} watch  tells every change until it is left
 * @property {(id: string) => void} watchAgain
 * @property {(id: string, action: Action) => Promise<unknown>} act
 * @property {(id: string, square: string) => Promise<Pick<Peek, "square" | "stack">>} peek
 * @property {(id: string) => Promise<string>} record
 */

/** How the ids of games in this browser begin; the server's have letters and digits only. */
export const LOCAL = "local-";

/** The server. @type {Host} */
export const online = {
  get isOpen() {
    return connection.isOpen;
  },
  open: () => connection.open(),
  fetchGame: (id) => connection.fetchGame(id, tokensOf(id).slice(0, 2)),
  fetchRules: (_id, name) => fetchRuleSet(name),
  watch: (watcher) => connection.watch(watcher),
  watchAgain: (id) => connection.watchAgain(id),
  act: (id, action) => connection.ask({ type: "act", game: id, ...action }),
  peek: (id, square) => connection.ask({ type: "peek", game: id, square }),
  record: (id) => fetchRecord(id, tokensOf(id)[0]),
};

/** Whether a game lives in this browser. @param {string} id */
export function isLocal(id) {
  return id.startsWith(LOCAL);
}
