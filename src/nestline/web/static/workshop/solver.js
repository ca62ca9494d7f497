/**
 * Solves small games in the page: all positions that can come up, then their values backwards from the
 * finished ones. Moves and results are those of the compiled kernel.
 *
 * @import { Law, Position } from "../engine/law.js"
 * @import { Solved } from "./atlas.js"
 * @import { Values } from "./design.js"
 */
import { words } from "../engine/law.js";

/** The largest game that is solved in the page, by `entriesAbout`: some seconds. */
export const MOST_ENTRIES = 300_000;

/** What is known of a position: nothing yet, or how it ends for the player to move. */
const [OPEN, WON, LOST, DRAWN] = [0, 1, 2, 3];

/** @param {number} many @param {number} few */
function choose(many, few) {
  let ways = 1;
  for (let index = 0; index < few; index += 1) ways = (ways * (many - index)) / (index + 1);
  return ways;
}

/** Roughly how many positions a game has up to symmetry: its placements, divided by eight. @param {Values} values */
export function entriesAbout({ board, stock }) {
  const squares = board ** 2;
  let placements = 1;
  for (const pieces of stock) {
    let ways = 0;
    for (let own = 0; own <= Math.min(pieces, squares); own += 1) {
      for (let opp = 0; opp <= Math.min(pieces, squares - own); opp += 1) {
        ways += choose(squares, own) * choose(squares - own, opp);
      }
    }
    placements *= ways;
  }
  return Math.floor(placements / 8) + 1;
}

/**
 * @param {Law} law  of a small game
 * @param {(positions: number) => void} [report]  is called now and then with the positions found so far
 * @returns {Solved}
 */
export function solve(law, report) {
  const { known, after, distance } = settle(...reach(law, report));
  const start = { value: valueName(known[0]), distance: known[0] === DRAWN ? null : (distance[0] ?? 0) };
  return { ...start, reachable: known.length, longest: null, firstMoves: firstMoves(law, known, after, distance) };
}

/** @param {number | undefined} state @returns {Solved["value"]} */
function valueName(state) {
  return state === WON ? "win" : state === LOST ? "loss" : "draw";
}

/**
 * A position as the first player would see it, the same one for all its images.
 *
 * @param {Law} law @param {Position} position
 * @returns {Position}
 */
function imageOf({ instance, side }, position) {
  const [own, opp] = words(position);
  const { transform, canonical_symmetry } = instance.call;
  const symmetry = canonical_symmetry(own, opp, side);
  return { first: transform(own, symmetry, side), second: transform(opp, symmetry, side), turn: "first" };
}

/**
 * All positions that can come up, one of each kind up to symmetry: those that follow each of them, and
 * how the finished ones end.
 *
 * @param {Law} law
 * @param {(positions: number) => void} [report]
 * @returns {[number[][], number[]]}
 */
function reach(law, report) {
  /**
   * The number of a position, by the pieces of the player to move and of the other.
   * @type {Map<bigint, Map<bigint, number>>}
   */
  const numbers = new Map();
  /** @type {Position[]} */
  const positions = [];
  const numberOf = (/** @type {Position} */ position) => {
    const inner = numbers.get(position.first) ?? new Map();
    if (!inner.size) numbers.set(position.first, inner);
    const number = inner.get(position.second) ?? positions.length;
    if (number === positions.length) {
      inner.set(position.second, number);
      positions.push(position);
    }
    return number;
  };
  numberOf(law.start());
  /** @type {number[][]} */
  const after = [];
  /** @type {number[]} */
  const known = [];
  for (let number = 0; number < positions.length; number += 1) {
    const position = /** @type {Position} */ (positions[number]);
    const end = law.outcome(position);
    known.push(end ? (end.winner === null ? DRAWN : end.winner === position.turn ? WON : LOST) : OPEN);
    const moves = end ? [] : law.legalMoves(position);
    after.push([...new Set(moves.map((move) => numberOf(imageOf(law, law.play(position, move)))))]);
    if (number % 4096 === 0) report?.(positions.length);
  }
  return [after, known];
}

/**
 * The values of all positions, shortest wins first: a position is won with a move to a lost one, and lost
 * when all moves lead to won ones. What stays open is a draw.
 *
 * @param {number[][]} after
 * @param {number[]} known
 */
function settle(after, known) {
  const distance = new Uint16Array(known.length);
  let open = [...known.keys()].filter((number) => known[number] === OPEN);
  for (let plies = 1, idle = 0; idle < 2; plies += 1) {
    /** @type {[number, number][]} */
    const found = [];
    const still = [];
    for (const number of open) {
      const next = /** @type {number[]} */ (after[number]);
      const isWon = next.some((each) => known[each] === LOST);
      if (isWon) found.push([number, WON]);
      else if (next.every((each) => known[each] === WON)) found.push([number, LOST]);
      else still.push(number);
    }
    for (const [number, state] of found) {
      known[number] = state;
      distance[number] = plies;
    }
    open = still;
    idle = found.length ? 0 : idle + 1;
  }
  for (const number of open) known[number] = DRAWN;
  return { known, after, distance };
}

/**
 * The best moves of the start, one of each kind up to symmetry.
 *
 * @param {Law} law @param {number[]} known @param {number[][]} after @param {Uint16Array} distance
 */
function firstMoves(law, known, after, distance) {
  const start = law.start();
  const kinds = law.alike(start, law.legalMoves(start));
  // The positions after the start are in the order of its moves, each kind once.
  const worth = (after[0] ?? []).map((number) => {
    const plies = distance[number] ?? 0;
    if (known[number] === LOST) return 1000 - plies;
    return known[number] === WON ? plies - 1000 : 0;
  });
  const best = Math.max(...worth);
  return kinds.flatMap(([move], index) => (move && worth[index] === best ? [move] : []));
}
