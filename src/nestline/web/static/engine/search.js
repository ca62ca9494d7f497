/**
 * The engine's search, in this thread: one ply deeper with each call. `worker` runs it beside the
 * page. Deepening, choice among equal moves and the levels' mistakes are the package's compiled code.
 *
 * @import { RuleSet } from "../server/types.js"
 * @import { Law, LawFields, Position } from "./law.js"
 */
import { words } from "./law.js";
import {
  ALIASES,
  BUCKET_BYTES,
  CHANCE_WORDS,
  CHILDREN,
  DEEPENED,
  GENERATIONS,
  IMPROVED,
  JUDGED_DEPTH,
  LADDERS,
  LARGEST_SMALL_BOARD,
  LINE_LENGTH,
  MAX_DEPTH,
  MAX_MOVES,
  MAX_WEIGHTS,
  NEVER,
  NO_MOVE,
  NODES,
  NODES_ALLOWED,
  ROOT_DEPTH,
  ROOT_GUESSES,
  ROOT_LINES,
  ROOT_MOVES,
  ROOT_SCORES,
  ROOT_WORDS,
  SHARED,
  SHARED_WORDS,
  SHEET_WORDS,
  STOP,
  VARIATIONS,
  WEIGHTS,
  WORKSPACE_WORDS,
} from "./layout.js";
import { EngineError } from "./module.js";

/**
 * A line of play and its score for the player to move, in hundredths of a logit; beyond 9,000 it is
 * a forced result (10,000 minus the plies).
 *
 * @typedef {{moves: string[], score: number}} Variation
 */

/**
 * The best variation first; `others` are the remaining moves with scores of a smaller depth, where asked for.
 *
 * @typedef {{depth: number, nodes: number, variations: Variation[], others: Variation[]}} Found
 */

/** @typedef {LawFields & Pick<RuleSet, "repetition">} SearchFields */

/**
 * A game to think about: all its positions, and the moves to choose from if not all legal ones.
 *
 * @typedef {{positions: Position[], moves?: string[]}} History
 */

/** @typedef {{depth?: number, nodes?: number, variations?: number, everyMove?: boolean}} Limits */

const MEBIBYTES = 16;

/**
 * The name of the learned weights that fit a rule set best; null if none do.
 *
 * @param {LawFields} rules
 */
export function weightsFor({ board, line, line_sizes, wrap, misere, stock, place_onto }) {
  const unusual = `${wrap ? "-wrap" : ""}${misere ? "-misere" : ""}${line_sizes === "any" ? "" : `-${line_sizes}`}`;
  const shape = `board${board}-line${line}${unusual}-sizes${stock.length}-`;
  if (WEIGHTS.includes(shape + place_onto)) return shape + place_onto;
  return WEIGHTS.find((name) => name.startsWith(shape)) ?? null;
}

/**
 * The family of rule sets that shares its levels with this one.
 *
 * @param {Pick<LawFields, "board" | "stock" | "place_onto">} rules
 * @returns {keyof typeof LADDERS}
 */
export function familyOf({ board, stock, place_onto }) {
  const covers = stock.length > 1;
  if (board > LARGEST_SMALL_BOARD) return covers && place_onto === "smaller" ? "free" : "large";
  return covers ? "small" : "flat";
}

/** A random generator's first state, which nobody can foresee. */
function entropy() {
  const state = crypto.getRandomValues(new Uint32Array(CHANCE_WORDS));
  state[CHANCE_WORDS - 1] = CHANCE_WORDS - 1;
  return Array.from(state);
}

export class Search {
  /**
   * @param {Law} law
   * @param {SearchFields} rules
   * @param {ArrayBuffer | null} learned  the file of `weightsFor`; null for weights set by hand
   * @param {{mebibytes?: number, chance?: number[], errors?: number[]}} [options]  first states of the random
   *   generators for the choice among equal moves, and for the mistakes of levels
   */
  constructor(law, rules, learned, { mebibytes = MEBIBYTES, chance = entropy(), errors = entropy() } = {}) {
    const instance = law.instance;
    this.law = law;
    this._repetition = rules.repetition;
    this._family = familyOf(rules);
    this._call = instance.call;
    this._sheet = instance.reserve(8 * SHEET_WORDS);
    /** The address of the squares that complete a line, by the squares shown. */
    this.completing = instance.reserve(4 << (law.side * law.side));
    this._weights = instance.reserve(2 * MAX_WEIGHTS);
    this._work = instance.reserve(8 * WORKSPACE_WORDS);
    this._root = instance.reserve(8 * ROOT_WORDS);
    this._chance = instance.reserve(8 * CHANCE_WORDS);
    this._errors = instance.reserve(8 * CHANCE_WORDS);
    this._moves = instance.reserve(8 * MAX_MOVES);
    this._history = { address: 0, room: 0 };
    this._buckets = 1 << Math.floor(Math.log2((mebibytes << 20) / BUCKET_BYTES));
    this._table = instance.reserve(this._buckets * BUCKET_BYTES + 8 * SHARED_WORDS);
    /** What each helping thread has for itself. @type {{work: number, root: number}[]} */
    this._helpers = [];
    this._generation = 0;
    this._most = NEVER;
    instance.setNumbers(this._chance, chance);
    instance.setNumbers(this._errors, errors);
    this._call.lay_out(law.address, this._sheet, this.completing);
    if (learned === null) this._call.weigh_by_hand(law.address, this._sheet, this._weights);
    else this._load(learned);
  }

  /** @param {ArrayBuffer} learned */
  _load(learned) {
    const { instance, address } = this.law;
    const file = instance.reserve(learned.byteLength);
    new Uint8Array(instance.memory.buffer).set(new Uint8Array(learned), file);
    const count = learned.byteLength / 2;
    const read = this._call.unfold_weights(address, this._sheet, this._weights, file, count);
    if (read !== count) throw new EngineError("The engine cannot be loaded: its weights are damaged.");
  }

  /** Clear the transposition table, as for a new game. */
  forget() {
    const length = this._buckets * BUCKET_BYTES;
    new Uint8Array(this.law.instance.memory.buffer, this._table, length).fill(0);
    this._generation = 0;
  }

  /**
   * Begin a search; `forgets` is the chance that a covered piece is forgotten.
   *
   * @param {History} game
   * @param {Limits & {forgets?: number}} [limits]
   */
  begin(game, { depth = MAX_DEPTH, nodes = NEVER, variations = 1, everyMove = false, forgets = 0 } = {}) {
    const { instance } = this.law;
    const last = /** @type {Position} */ (game.positions.at(-1));
    const moves = (game.moves ?? this.law.legalMoves(last)).map((move) => this.law.code(move));
    if (moves.length === 0) throw new RangeError("there is no move to choose: the game is over");
    const judged = everyMove ? JUDGED_DEPTH : 0;
    this._most = nodes;
    this._everyMove = everyMove ? moves : [];
    this._variations = Math.min(variations, moves.length);
    this._generation = (this._generation + 1) % GENERATIONS;
    const [own, opp] = words(last);
    instance.setWord(this._root, 0, own);
    instance.setWord(this._root, 1, opp);
    instance.setNumbers(this._root + 16, [moves.length, this._variations, depth, nodes, judged]);
    instance.setNumbers(this._root + 8 * ROOT_MOVES, moves);
    if (forgets) this._call.forget(this._root, forgets, this._errors);
    this._call.shuffle_moves(this._root, this._chance);
    const { address, count } = this._store(game.positions);
    const { _repetition: repetition, _generation: generation } = this;
    this._call.begin_search(this.law.address, this._work, this._root, address, count, repetition, generation);
    this._hasHelp = false;
  }

  /**
   * Let helping threads search the position that `begin` was given, too: all share the transposition table, and the
   * first to finish a depth tells the others (lazy SMP). Their searches are described by what `advance` is called with.
   *
   * @param {number} count
   * @returns {number[][]}
   */
  prepareHelpers(count) {
    const { instance } = this.law;
    while (this._helpers.length < count) {
      this._helpers.push({ work: instance.reserve(8 * WORKSPACE_WORDS), root: instance.reserve(8 * ROOT_WORDS) });
    }
    const memory = new Uint8Array(instance.memory.buffer);
    const shared = this._table + this._buckets * BUCKET_BYTES;
    memory.fill(0, shared, shared + 8 * SHARED_WORDS);
    instance.setNumbers(this._work + 8 * SHARED, [1]);
    this._hasHelp = true;
    return this._helpers.slice(0, count).map(({ work, root }) => {
      memory.copyWithin(work, this._work, this._work + 8 * WORKSPACE_WORDS);
      memory.copyWithin(root, this._root, this._root + 8 * ROOT_WORDS);
      // One variation, to the same depth, with no limit of nodes, from the second ply on.
      instance.setNumbers(root + 8 * VARIATIONS, [1]);
      instance.setNumbers(root + 8 * NODES_ALLOWED, [NEVER, 0]);
      instance.setNumbers(root + 8 * ROOT_SCORES, [0]);
      instance.setNumbers(work + 8 * NODES, [0]);
      return this._given(work, root);
    });
  }

  /** Stop the helping threads, which then end by themselves. */
  stopHelpers() {
    for (const { work } of this._helpers) this.law.instance.setNumbers(work + 8 * STOP, [1]);
  }

  /** The address of a word which stops the search when it is not zero; another thread may write it. */
  get stopAddress() {
    return this._work + 8 * STOP;
  }

  /** Whether somebody has asked it to stop. */
  get isStopped() {
    return this.law.instance.word(this._work, STOP) !== 0n;
  }

  /** Go on after a stop. */
  goOn() {
    this.law.instance.setNumbers(this.stopAddress, [0]);
  }

  /** What `advance` is called with. @param {number} work @param {number} root */
  _given(work, root) {
    const { address } = this.law;
    return [address, this._sheet, this.completing, this._weights, this._table, this._buckets, work, root];
  }

  /**
   * Search one ply deeper, or to the limits; a better move found on the way to them counts.
   *
   * @returns {Found | null} null if the limits are reached or there is nothing more to find
   */
  advance() {
    // @ts-expect-error  It takes as many numbers as `_given` has.
    const done = this._call.advance(...this._given(this._work, this._root));
    if (done !== DEEPENED && done !== IMPROVED) return null;
    const variations = this._found();
    const [depth = 0] = this.law.instance.numbers(this._root + 8 * ROOT_DEPTH, 1);
    return { depth, nodes: this.nodes, variations, others: this._others(variations) };
  }

  /** Change the limit of nodes; the first depth is finished in any case. @param {number} nodes */
  allow(nodes) {
    const allowed = Math.min(this._most, Math.ceil(nodes));
    this.law.instance.setNumbers(this._root + 8 * NODES_ALLOWED, [allowed]);
  }

  /** The positions looked at since `begin`. */
  get nodes() {
    const { instance } = this.law;
    const own = Number(instance.word(this._work, NODES));
    if (!this._hasHelp) return own;
    return this._helpers.reduce((sum, { work }) => sum + Number(instance.word(work, NODES)), own);
  }

  _found() {
    const { instance } = this.law;
    const scores = instance.numbers(this._root + 8 * ROOT_SCORES, this._variations ?? 0);
    return scores.map((score, place) => {
      const address = this._root + 8 * (ROOT_LINES + place * LINE_LENGTH);
      const [length = 0] = instance.numbers(address, 1);
      return { moves: instance.numbers(address + 8, length).map((code) => this.law.move(code)), score };
    });
  }

  /** The moves without a line of their own; none of them is as good as the lines. @param {Variation[]} found */
  _others(found) {
    const { instance } = this.law;
    const listed = new Set(found.map(({ moves }) => this.law.code(moves[0] ?? "")));
    const highest = found.at(-1)?.score ?? 0;
    const others = (this._everyMove ?? []).filter((code) => !listed.has(code));
    return others
      .map((code) => {
        const [guess = 0] = instance.numbers(this._root + 8 * (ROOT_GUESSES + code), 1);
        return { moves: [this.law.move(code)], score: Math.min(guess, highest) };
      })
      .sort((one, two) => two.score - one.score);
  }

  /** Whether a move draws the game by repetition. @param {History} game @param {string} move */
  drawsByRepetition(game, move) {
    const { address, count } = this._store(game.positions);
    const { address: law } = this.law;
    return this._call.draws_by_repetition(address, count, this.law.code(move), this._repetition, law) === 1;
  }

  /** One of these, at random. @template Kind @param {Kind[]} choices @returns {Kind} */
  pick(choices) {
    return /** @type {Kind} */ (choices[this._call.below(this._chance, choices.length)]);
  }

  /**
   * Begin the search of a numbered level, which `advance` continues.
   *
   * @param {History} game
   * @param {string} level
   * @returns {string | null} the move, if the level need not think about it
   */
  beginLevel(game, level) {
    const { nodes, depth, blur, forgets, seesWins } = this._level(level);
    const last = /** @type {Position} */ (game.positions.at(-1));
    const moves = game.moves ?? this.law.legalMoves(last);
    const [own, opp] = words(last);
    const codes = moves.map((move) => this.law.code(move));
    this.law.instance.setNumbers(this._moves, codes);
    const { _moves: listed, _errors: errors } = this;
    const win = this._call.noticed_win(own, opp, this.law.address, listed, codes.length, seesWins, errors);
    if (win !== NO_MOVE) return this.law.move(win);
    const plies = this._call.plies_ahead(depth, errors);
    this.begin(game, { nodes, depth: plies, forgets, variations: blur ? moves.length : 1 });
    return null;
  }

  /** The move of a level after its search. @param {string} level @param {Found} found */
  chooseLevel(level, found) {
    const { blur, seesWins } = this._level(level);
    const place = blur ? this._call.best_misjudged(this._root, blur, seesWins, this._errors) : 0;
    return /** @type {string} */ (found.variations[place]?.moves[0]);
  }

  /**
   * What a level does; a number beyond the highest is the highest, and on a small board a child's
   * level is the lowest.
   *
   * @param {string} level
   */
  _level(level) {
    const ladder = LADDERS[this._family];
    const child = CHILDREN.large[level] && (CHILDREN[this._family]?.[level] ?? ladder[0]);
    const number = ALIASES[level]?.[this._family] ?? (/^[1-9]\d*$/.test(level) ? Number(level) : Number.NaN);
    const found = child ?? ladder[Math.min(number, ladder.length) - 1];
    if (!found) throw new EngineError(`There is no level ${level}.`);
    return found;
  }

  /** Put the positions of a game into memory. @param {Position[]} positions */
  _store(positions) {
    const { instance } = this.law;
    if (positions.length > this._history.room) {
      const room = 2 * positions.length + 100;
      this._history = { address: instance.reserve(16 * room), room };
    }
    const { address } = this._history;
    for (const [index, position] of positions.entries()) {
      const [own, opp] = words(position);
      instance.setWord(address, 2 * index, own);
      instance.setWord(address, 2 * index + 1, opp);
    }
    return { address, count: positions.length };
  }
}
