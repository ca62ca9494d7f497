/**
 * The rules of a game in the page: moves, results, dangers. Every answer comes from the compiled
 * kernel of the Python package; this file only knows how moves and boards are written.
 *
 * @import { Board, Outcome, RuleSet, SeatName } from "../server/types.js"
 * @import { Instance } from "./module.js"
 */

import { makesLine } from "../shared/lines.js";
import { readPiece } from "../shared/notation.js";
import {
  COVER,
  FIRST_BOARD_SOURCE,
  LAW_WORDS,
  LAYER_BITS,
  LINE_SIZES,
  MAX_LINES,
  MAX_MOVES,
  OUTCOMES,
  PLACE_ONTO,
  REVEAL,
} from "./layout.js";

/**
 * The fields of a rule set that decide moves and results.
 *
 * @typedef {Pick<RuleSet, "board" | "line" | "line_sizes" | "wrap" | "misere" | "stock" | "reserve" | "place_onto" |
 *   "cover" | "moving" | "same_square" | "reveal" | "both_lines" | "no_move" | "draw_all_placed" |
 *   "draw_board_full">} LawFields
 */

/**
 * The pieces of both players as the kernel's bitboards, and whose turn it is; never changed.
 *
 * @typedef {{readonly first: bigint, readonly second: bigint, readonly turn: SeatName}} Position
 */

const COLUMNS = "abcd";
const DEEPEST_PERFT = 12;

export class Law {
  /** @param {Instance} instance @param {LawFields} rules */
  constructor(instance, rules) {
    this.instance = instance;
    this.side = rules.board;
    this.sizes = rules.stock.length;
    this.line_sizes = rules.line_sizes;
    this.address = instance.reserve(8 * LAW_WORDS);
    instance.setNumbers(this.address, [
      rules.board,
      rules.line,
      this.sizes,
      ...[0, 1, 2, 3].map((size) => rules.stock[size] ?? 0),
      Number(rules.reserve === "nested"),
      PLACE_ONTO.indexOf(rules.place_onto),
      Number(rules.moving),
      Number(rules.same_square),
      Number(rules.both_lines === "mover"),
      Number(rules.no_move === "draw"),
      Number(rules.draw_all_placed),
      Number(rules.draw_board_full),
      Number(rules.both_lines === "draw"),
      REVEAL.indexOf(rules.reveal),
      COVER.indexOf(rules.cover),
      LINE_SIZES.indexOf(rules.line_sizes),
      Number(rules.wrap),
      Number(rules.misere),
    ]);
    instance.call.complete_law(this.address);
    this._moves = instance.scratch(8 * MAX_MOVES * DEEPEST_PERFT);
    /** The names of the squares in the order of their numbers. */
    this.squares = Array.from({ length: this.side ** 2 }, (_, square) => this._square(square));
    /** The lines of the board, each as the names of its squares. */
    this.lines = this._lines();
  }

  /** The empty board. @returns {Position} */
  start() {
    return { first: 0n, second: 0n, turn: "first" };
  }

  /**
   * The position on a board, which must be a possible one.
   *
   * @param {Pick<Board, "stacks" | "turn">} board
   * @returns {Position}
   */
  read({ stacks, turn }) {
    const words = { w: 0n, b: 0n };
    for (const [square, stack] of Object.entries(stacks)) {
      for (const piece of stack) {
        const layer = Number(piece.slice(1)) - 1;
        const bit = 1n << BigInt(LAYER_BITS * layer + this.squares.indexOf(square));
        words[piece[0] === "w" ? "w" : "b"] |= bit;
      }
    }
    return { first: BigInt.asIntN(64, words.w), second: BigInt.asIntN(64, words.b), turn };
  }

  /**
   * The pieces on each occupied square, from bottom to top.
   *
   * @param {Position} position
   * @returns {Record<string, string[]>}
   */
  stacks({ first, second }) {
    /** @type {Record<string, string[]>} */
    const stacks = {};
    for (const [square, name] of this.squares.entries()) {
      const stack = [];
      for (let size = 1; size <= this.sizes; size += 1) {
        const place = BigInt(LAYER_BITS * (size - 1) + square);
        if ((first >> place) & 1n) stack.push(`w${size}`);
        if ((second >> place) & 1n) stack.push(`b${size}`);
      }
      if (stack.length > 0) stacks[name] = stack;
    }
    return stacks;
  }

  /**
   * The sizes that a player can take from the reserve, ascending.
   *
   * @param {Position} position
   * @param {SeatName} seat
   */
  reserve(position, seat) {
    const sizes = [];
    for (let size = 1; size <= this.sizes; size += 1) {
      const count = this.instance.call.takeable(position[seat], size, this.address);
      for (let number = 0; number < count; number += 1) sizes.push(size);
    }
    return sizes;
  }

  /**
   * The moves of the player to move; none if the game is over.
   *
   * @param {Position} position
   * @returns {string[]}
   */
  legalMoves(position) {
    return this._state(position) === 0 ? this._written("legal_moves", position) : [];
  }

  /**
   * The moves that lose at once by revealing a line.
   *
   * @param {Position} position
   * @returns {string[]}
   */
  dangerousMoves(position) {
    return this._state(position) === 0 ? this._written("dangerous_moves", position) : [];
  }

  /** Whether a move may be played; its squares are on the board. @param {Position} position @param {string} move */
  isLegal(position, move) {
    if (this._state(position) !== 0) return false;
    const [own, opp] = words(position);
    return this.instance.call.is_legal(own, opp, this.code(move), this.address) === 1;
  }

  /**
   * Whether the piece on top of a square may be lifted by the player to move, whose piece it is.
   *
   * @param {Position} position
   * @param {string} square
   */
  mayLift(position, square) {
    const [own, opp] = words(position);
    const movable = { first: this.instance.call.movable(own, opp, this.address), second: 0n, turn: position.turn };
    return square in this.stacks(movable);
  }

  /**
   * The position after a legal move.
   *
   * @param {Position} position
   * @param {string} move
   * @returns {Position}
   */
  play({ first, second, turn }, move) {
    const code = this.code(move);
    return turn === "first"
      ? { first: this.instance.call.play(first, code), second, turn: "second" }
      : { first, second: this.instance.call.play(second, code), turn: "first" };
  }

  /**
   * How the game ended, as far as the position alone tells; null while it goes on.
   *
   * @param {Position} position
   * @returns {Outcome | null}
   */
  outcome(position) {
    const end = OUTCOMES[this._state(position)];
    if (!end) return null;
    const { first, second, turn } = position;
    const other = turn === "first" ? "second" : "first";
    const winner = end.winner === null ? null : end.winner === "mover" ? turn : other;
    const result = winner === null ? "1/2-1/2" : winner === "first" ? "1-0" : "0-1";
    const lines = [...this._linesOf(first, second), ...this._linesOf(second, first)];
    return { winner, reason: end.reason, result, lines };
  }

  /** The number of sequences of this many moves. @param {Position} position @param {number} depth */
  perft(position, depth) {
    if (depth > DEEPEST_PERFT) throw new RangeError(`perft counts at most ${DEEPEST_PERFT} plies`);
    const [own, opp] = words(position);
    return Number(this.instance.call.perft(own, opp, this.address, depth, this._moves));
  }

  /**
   * The moves in groups that symmetries of the position make equal, each in the order given.
   *
   * @param {Position} position
   * @param {string[]} moves
   * @returns {string[][]}
   */
  alike(position, moves) {
    /** @type {Map<string, string[]>} */
    const groups = new Map();
    for (const move of moves) {
      const key = this.key(this.play(position, move));
      groups.set(key, [...(groups.get(key) ?? []), move]);
    }
    return [...groups.values()];
  }

  /** The same text for all images of a position. @param {Position} position */
  key({ first, second }) {
    const { transform, canonical_symmetry } = this.instance.call;
    const symmetry = canonical_symmetry(first, second, this.side);
    return `${transform(first, symmetry, this.side)} ${transform(second, symmetry, this.side)}`;
  }

  /** The kernel's number of a move. @param {string} move  like `3b2` or `a1c3` */
  code(move) {
    const target = this.squares.indexOf(move.slice(-2));
    const start = move.slice(0, -2);
    const source = start.length === 1 ? Number(start) - 1 : FIRST_BOARD_SOURCE + this.squares.indexOf(start);
    return source * 16 + target;
  }

  /** The move with this number. @param {number} code */
  move(code) {
    const source = code >> 4;
    const start = source < FIRST_BOARD_SOURCE ? String(source + 1) : this._square(source - FIRST_BOARD_SOURCE);
    return start + this._square(code & 15);
  }

  /** @param {number} square */
  _square(square) {
    return `${COLUMNS[square % this.side]}${Math.floor(square / this.side) + 1}`;
  }

  _lines() {
    const address = this.instance.scratch(8 * 4 * MAX_LINES);
    const count = this.instance.call.write_lines(this.address, address);
    const [, length = 0] = this.instance.numbers(this.address, 2);
    return Array.from({ length: count }, (_, line) =>
      this.instance.numbers(address + 32 * line, length).map((square) => this._square(square)),
    );
  }

  /** @param {bigint} own @param {bigint} opp */
  _linesOf(own, opp) {
    const shown = this.stacks({ first: this.instance.call.visible(own, opp), second: 0n, turn: "first" });
    return this.lines.filter((line) => {
      const sizes = line.flatMap((square) => (shown[square] ?? []).map((piece) => readPiece(piece).size));
      return sizes.length === line.length && makesLine(this, sizes);
    });
  }

  /** @param {Position} position @returns {number} */
  _state(position) {
    const [own, opp] = words(position);
    return this.instance.call.outcome(own, opp, this.address);
  }

  /** @param {"legal_moves" | "dangerous_moves"} which @param {Position} position */
  _written(which, position) {
    const [own, opp] = words(position);
    const count = this.instance.call[which](own, opp, this.address, this._moves);
    return this.instance.numbers(this._moves, count).map((code) => this.move(code));
  }
}

/**
 * The bitboards of the player to move and of the other.
 *
 * @param {Position} position
 * @returns {[bigint, bigint]}
 */
export function words({ first, second, turn }) {
  return turn === "first" ? [first, second] : [second, first];
}
