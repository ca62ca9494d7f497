/**
 * Short games for the boards that play by themselves. A test plays them by the rules.
 *
 * @typedef {{moves: string[], lines: string[][]}} Demonstration  the moves, and the lines that end the game
 */

/** @param {string} moves @param {string} line @returns {Demonstration} */
const game = (moves, line) => ({ moves: moves.split(" "), lines: [line.split(" ")] });

const GOBBLERS = game("3b2 3c3 1c1 2c1 3c1 2a3 b2a3 c3b2 2b3 1c3 2c3", "a3 b3 c3");
const GOBBLET = game("4a1 4c1 4a4 4c3 3c4 3d2 4a2 c1a3 2b3 3b4 a2b4 4c4 a1d2 c4b3 1d4", "a4 b4 c4 d4");

/** By the name of the rule set. @type {Record<string, Demonstration>} */
export const DEMONSTRATIONS = {
  tictactoe: game("1b2 1c3 1c2 1a2 1a3 1a1 1c1", "c1 b2 a3"),
  gobblers: GOBBLERS,
  "gobblers-official": GOBBLERS,
  gobblet: GOBBLET,
  "gobblet-house": GOBBLET,
};
