/**
 * Exact values of a solved game: where they are in the table is compiled code, shared with Python;
 * `table_file` reads the table.
 *
 * @import { Value } from "../server/types.js"
 * @import { Position } from "./law.js"
 * @import { History, Search } from "./search.js"
 * @import { TableFile } from "./table_file.js"
 */

import { words } from "./law.js";
import { DRAWN_LINE_PLIES, FIRST_WIN, IMPOSSIBLE, INDEX_BYTES, INDEX_SHORTS, INDEX_WORDS } from "./layout.js";
import { EngineError } from "./module.js";

/**
 * A position's value for the player to move, and the plies until the end; null for an endless draw.
 *
 * @typedef {{value: Value, distance: number | null}} Probe
 */

/** A move's value for the player who makes it. @typedef {Probe & {move: string}} MoveValue */

/** Longer lines need so many blocks that the whole file is loaded for them. */
const MOST_PLIES_BY_PARTS = 2;

export class Table {
  /** @param {Search} search @param {TableFile} file */
  constructor(search, file) {
    this._search = search;
    this._law = search.law;
    this._file = file;
    this._head = this._shorts = this._small = 0;
  }

  /** Read the header, and check that the table belongs to these rules. */
  async open() {
    const { entries } = await this._file.header();
    // Not before there is a file: memory is never given back, and a missing one is asked for again and again.
    const { address, instance } = this._law;
    this._head = instance.reserve(8 * INDEX_WORDS);
    this._shorts = instance.reserve(2 * INDEX_SHORTS);
    this._small = instance.reserve(INDEX_BYTES);
    instance.call.fill_index(address, this._head, this._shorts, this._small);
    if (BigInt(entries) !== instance.word(this._head, 0)) {
      throw new EngineError("This is the tablebase of another game.");
    }
  }

  /** @param {Position} position @returns {Promise<Probe>} */
  async probe(position) {
    const [code = 0] = await this._codes([position]);
    return { value: resultOf(code), distance: distanceOf(code) };
  }

  /**
   * Every move of a game with its value for the mover, best first. A move that repeats a position
   * too often is a draw.
   *
   * @param {History} game
   * @returns {Promise<MoveValue[]>}
   */
  async moves(game) {
    const position = /** @type {Position} */ (game.positions.at(-1));
    const moves = game.moves ?? this._law.legalMoves(position);
    const codes = await this._codes(moves.map((move) => this._law.play(position, move)));
    const values = moves.map((move, place) => {
      const told = seenByMover(move, codes[place] ?? 0);
      const isDraw = told.value === "draw" || this._search.drawsByRepetition(game, move);
      return isDraw ? { move, value: /** @type {Value} */ ("draw"), distance: null } : told;
    });
    return values.sort((one, two) => rank(one) - rank(two));
  }

  /**
   * Best play by both sides: to the end, or for a few plies of a draw.
   *
   * @param {Position} position
   */
  async bestLine(position) {
    const line = [];
    let standing = await this.probe(position);
    const plies = standing.distance ?? DRAWN_LINE_PLIES;
    if (plies > MOST_PLIES_BY_PARTS) await this._file.loadWhole();
    while (line.length < plies) {
      const found = await this._firstBest(position, standing);
      if (!found) break;
      line.push(found.move);
      position = found.after;
      standing = found.standing;
    }
    return line;
  }

  /**
   * The first legal move that keeps what a position is worth. It looks at no more moves than it must: each one
   * may need another block.
   *
   * @param {Position} position
   * @param {Probe} standing  its value
   */
  async _firstBest(position, { value, distance }) {
    for (const move of this._law.legalMoves(position)) {
      const after = this._law.play(position, move);
      const [code = 0] = await this._codes([after]);
      const told = seenByMover(move, code);
      if (told.value === value && (value === "draw" || told.distance === distance)) {
        return { move, after, standing: { value: resultOf(code), distance: distanceOf(code) } };
      }
    }
    return null;
  }

  /**
   * A best move, the one that is hardest to answer: the fastest win, the draw that gives the
   * opponent the most ways to go wrong, or the slowest loss.
   *
   * @param {History} game
   */
  async choose(game) {
    const values = await this.moves(game);
    const best = /** @type {MoveValue} */ (values[0]);
    let equal = values.filter((each) => each.value === best.value && each.distance === best.distance);
    if (best.value === "draw") {
      const ways = await Promise.all(equal.map(({ move }) => this._waysToGoWrong(game, move)));
      const most = Math.max(...ways);
      equal = equal.filter((_, place) => ways[place] === most);
    }
    return this._search.pick(equal).move;
  }

  /** How many answers to a move lose. @param {History} game @param {string} move */
  async _waysToGoWrong(game, move) {
    if (this._search.drawsByRepetition(game, move)) return 0;
    const after = this._law.play(/** @type {Position} */ (game.positions.at(-1)), move);
    const answers = await this.moves({ positions: [after] });
    return answers.filter(({ value }) => value === "loss").length;
  }

  /** The entries of positions. @param {Position[]} positions */
  async _codes(positions) {
    const { blockEntries } = await this._file.header();
    const numbers = positions.map((position) => this._locate(position));
    const blockOf = (/** @type {number} */ number) => Math.floor(number / blockEntries);
    const blocks = await this._file.blocks(numbers.filter((number) => number >= 0).map(blockOf));
    return numbers.map((number) =>
      number < 0 ? -number : (blocks.get(blockOf(number))?.[number % blockEntries] ?? 0),
    );
  }

  /** Where a position's entry is; a negative number is the entry itself, changed in sign. @param {Position} position */
  _locate(position) {
    const [own, opp] = words(position);
    const { address, instance } = this._law;
    const { completing } = this._search;
    const number = instance.call.locate(own, opp, address, this._head, this._shorts, this._small, completing);
    if (number === -IMPOSSIBLE) throw new EngineError("This position cannot occur in this game.");
    return number;
  }
}

/** @param {number} code @returns {Value} */
function resultOf(code) {
  if (code < FIRST_WIN) return "draw";
  return (code - FIRST_WIN) % 2 === 0 ? "win" : "loss";
}

/** @param {number} code */
function distanceOf(code) {
  if (code < FIRST_WIN) return code > IMPOSSIBLE ? 0 : null;
  return (code - FIRST_WIN) >> 1;
}

/** @param {string} move @param {number} code @returns {MoveValue} */
function seenByMover(move, code) {
  const value = resultOf(code);
  if (value === "draw") return { move, value, distance: null };
  return { move, value: value === "win" ? "loss" : "win", distance: (distanceOf(code) ?? 0) + 1 };
}

/** The order of moves: fast wins, draws, slow losses. @param {MoveValue} move */
function rank({ value, distance }) {
  if (value === "draw") return 1000;
  return value === "win" ? (distance ?? 0) : 2000 - (distance ?? 0);
}
