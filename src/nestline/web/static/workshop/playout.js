/**
 * A short game of a design, for the board that plays by itself: moves by chance, but nobody overlooks
 * a line.
 *
 * @import { Law, Position } from "../engine/law.js"
 * @import { SeatName } from "../server/types.js"
 * @import { Demonstration } from "../board/demonstrations.js"
 */

const LONGEST = 24;
const TRIES = 12;

/** Numbers by chance, the same for the same text. @param {string} text @returns {() => number} from 0 to 1 */
function chanceOf(text) {
  let state = 2166136261;
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** @param {Law} law @param {Position} position @param {SeatName} seat */
function winningMove(law, position, seat) {
  return law.legalMoves(position).find((move) => law.outcome(law.play(position, move))?.winner === seat);
}

/** @param {Law} law @param {string} name  the same game for the same name @returns {Demonstration} */
export function playout(law, name) {
  const chance = chanceOf(name);
  /** @type {string[]} */
  const moves = [];
  let position = law.start();
  while (moves.length < LONGEST && !law.outcome(position)) {
    const move = winningMove(law, position, position.turn) ?? carefulMove(law, position, chance);
    moves.push(move);
    position = law.play(position, move);
  }
  return { moves, lines: law.outcome(position)?.lines ?? [] };
}

/** @param {Law} law @param {Position} position @param {() => number} chance @returns {string} */
function carefulMove(law, position, chance) {
  const legal = law.legalMoves(position);
  const any = () => /** @type {string} */ (legal[Math.floor(chance() * legal.length)]);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const move = any();
    const after = law.play(position, move);
    if (!law.outcome(after)?.winner && !winningMove(law, after, after.turn)) return move;
  }
  return any();
}
