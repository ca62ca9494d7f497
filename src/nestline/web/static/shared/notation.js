/**
 * Reads the canonical moves and pieces that the server writes. It knows how they are spelled,
 * not which of them are legal.
 *
 * @import { Board, SeatName } from "../server/types.js"
 */

/**
 * A move from the reserve (with a size) or from a square (its origin).
 *
 * @typedef {{size: number | null, origin: string | null, target: string}} Step
 */

/**
 * @param {string} move  like `3b2` or `a1c3`
 * @returns {Step}
 */
export function readMove(move) {
  const target = move.slice(-2);
  const start = move.slice(0, -2);
  return start.length === 1 ? { size: Number(start), origin: null, target } : { size: null, origin: start, target };
}

/** @param {string} piece  like `w3` */
export function readPiece(piece) {
  /** @type {SeatName} */
  const seat = piece[0] === "w" ? "first" : "second";
  return { seat, size: Number(piece.slice(1)) };
}

/** @param {SeatName} seat @param {number} size */
export function writePiece(seat, size) {
  return `${seat === "first" ? "w" : "b"}${size}`;
}

/** @param {SeatName} seat @returns {SeatName} */
export function other(seat) {
  return seat === "first" ? "second" : "first";
}

/**
 * A position in the notation of docs/program/notation.md.
 *
 * @param {Record<string, string[]>} stacks
 * @param {SeatName} turn
 * @param {number} side  squares along an edge of the board
 */
export function writePosition(stacks, turn, side) {
  const rows = [];
  for (let row = side; row >= 1; row -= 1) {
    const cells = [];
    let empty = 0;
    for (let column = 0; column < side; column += 1) {
      const stack = stacks[`${"abcd"[column]}${row}`] ?? [];
      if (stack.length === 0) {
        empty += 1;
        continue;
      }
      if (empty) cells.push(empty === 1 ? "x" : `x${empty}`);
      empty = 0;
      cells.push(stack.join(""));
    }
    if (empty) cells.push(empty === 1 ? "x" : `x${empty}`);
    rows.push(cells.join(","));
  }
  return `${rows.join("/")} ${turn === "first" ? "w" : "b"}`;
}

/**
 * Who made the move that led to a board: whoever is not to move now.
 *
 * @param {Board} board
 */
export function mover(board) {
  return other(board.turn);
}
