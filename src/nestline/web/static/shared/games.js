/**
 * What several views have to know about a game.
 *
 * @import { WatchedGame } from "../server/connection.js"
 */

/** Whether both players are there. @param {WatchedGame} game */
export function isFull({ seats }) {
  return seats.first.taken && seats.second.taken;
}
