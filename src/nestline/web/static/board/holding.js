/**
 * What a click, a key or a drop on a place means, with or without a held piece.
 *
 * It knows only the legal moves it is given; the board shows the result.
 */
import { readMove } from "../shared/notation.js";

/**
 * A place is a square (`b2`) or a size of the reserve of the player to move (`3`).
 *
 * @typedef {{does: "play", move: string} | {does: "hold", place: string} | {does: "release"} |
 *   {does: "refuse"}} Meaning
 */

/** @param {string} move */
export function placeOf(move) {
  const { size, origin } = readMove(move);
  return origin ?? String(size);
}

/**
 * The squares a piece from a place can go to.
 *
 * @param {string[]} legal
 * @param {string} place
 */
export function targetsFrom(legal, place) {
  return legal.filter((move) => placeOf(move) === place).map((move) => readMove(move).target);
}

/** @param {string[]} legal */
export function places(legal) {
  return [...new Set(legal.map(placeOf))];
}

/**
 * @param {string[]} legal
 * @param {string | null} held  the place whose piece is held
 * @param {string} place  where something happened
 * @param {boolean} committed  the held piece has been touched and must be played
 * @returns {Meaning}
 */
export function meaning(legal, held, place, committed = false) {
  if (held !== null) {
    const move = legal.find((each) => placeOf(each) === held && readMove(each).target === place);
    if (move) return { does: "play", move };
    if (committed) return { does: "refuse" };
    if (place === held) return { does: "release" };
  }
  const sources = places(legal);
  if (sources.includes(place)) return { does: "hold", place };
  // If all legal moves play the same piece, there is only the square to choose.
  const only = legal.find((each) => readMove(each).target === place);
  if (held === null && only && sources.length === 1) return { does: "play", move: only };
  return { does: "refuse" };
}
