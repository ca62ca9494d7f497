/**
 * What the engine shares with the Python package: numbers, types of functions.
 * Written by `make generate`: change it there, not here.
 *
 * @typedef {{advance: (law: number, sheet: number, completing: number, weights: number, table: number, buckets: number,
 *   work: number, root: number) => number, begin_search: (law: number, work: number, root: number, history: number,
 *   positions: number, repetition: number, generation: number) => number, below: (chance: number,
 *   limit: number) => number, best_misjudged: (root: number, blur: number, sees_wins: number,
 *   chance: number) => number, blake2b: (content: number, length: number, words: number) => number,
 *   canonical_symmetry: (own: bigint, opp: bigint, board: number) => number, complete_law: (law: number) => number,
 *   dangerous_moves: (own: bigint, opp: bigint, law: number, moves: number) => number,
 *   draws_by_repetition: (history: number, positions: number, move: number, repetition: number, law: number) => number,
 *   fill_index: (law: number, head: number, shorts: number, small: number) => number, forget: (root: number,
 *   forgets: number, chance: number) => number, is_legal: (own: bigint, opp: bigint, move: number,
 *   law: number) => number, lay_out: (law: number, sheet: number, completing: number) => number,
 *   legal_moves: (own: bigint, opp: bigint, law: number, moves: number) => number, locate: (own: bigint, opp: bigint,
 *   law: number, head: number, shorts: number, small: number, completing: number) => number, outcome: (own: bigint,
 *   opp: bigint, law: number) => number, perft: (own: bigint, opp: bigint, law: number, depth: number,
 *   moves: number) => bigint, play: (own: bigint, move: number) => bigint, sha256: (content: number, length: number,
 *   words: number) => number, shuffle_moves: (root: number, chance: number) => number, takeable: (own: bigint,
 *   size: number, law: number) => number, transform: (word: bigint, symmetry: number, board: number) => bigint,
 *   visible: (own: bigint, opp: bigint) => bigint, weigh_by_hand: (law: number, sheet: number,
 *   weights: number) => number, win_at_once: (own: bigint, opp: bigint, law: number, moves: number,
 *   count: number) => number, write_lines: (law: number, lines: number) => number}} Exports
 */
export const BUCKET_BYTES = 64;
export const CHANCE_WORDS = 625;
export const DEEPENED = 0;
export const DRAWN_LINE_PLIES = 4;
export const FIRST_BOARD_SOURCE = 4;
export const FIRST_WIN = 3;
export const FORCED = 9000;
export const GENERATIONS = 64;
export const IMPOSSIBLE = 1;
export const INDEX_BYTES = 39366;
export const INDEX_SHORTS = 689417;
export const INDEX_WORDS = 9;
export const LAW_WORDS = 20;
export const LAYER_BITS = 16;
export const LINE_LENGTH = 101;
export const MAX_DEPTH = 60;
export const MAX_LINES = 42;
export const MAX_MOVES = 320;
export const MAX_WEIGHTS = 19957;
export const MEANWHILE = 0.8;
export const MOST_SECONDS = 1;
export const NEVER = 1099511627776;
export const NODES = 0;
export const NODES_ALLOWED = 5;
export const NO_MOVE = 320;
export const PIECE_WEIGHTS = 272;
export const ROOT_LINES = 1296;
export const ROOT_MOVES = 16;
export const ROOT_SCORES = 976;
export const ROOT_WORDS = 66576;
export const SHEET_WORDS = 1994;
export const WIN = 10000;
export const WORKSPACE_WORDS = 92153;
export const PLACE_ONTO = ["empty", "smaller", "threat"];
/** The families of rule sets for which weights are learned. */
export const WEIGHTS = ["board3-line3-sizes3-smaller", "board4-line4-sizes4-smaller", "board4-line4-sizes4-threat"];
/** @type {Record<string, string>} */
export const ALIASES = { easy: "2", medium: "5", hard: "8" };
/** @type {Record<string, {nodes: number, depth: number, blur: number, forgets: number, seesWins: boolean}>} */
export const LEVELS = {
  1: { nodes: 10000, depth: 2, blur: 35, forgets: 0.2, seesWins: false },
  2: { nodes: 20000, depth: 3, blur: 23, forgets: 0.1, seesWins: false },
  3: { nodes: 1700, depth: 60, blur: 0, forgets: 0.04, seesWins: true },
  4: { nodes: 3700, depth: 60, blur: 0, forgets: 0.02, seesWins: true },
  5: { nodes: 5200, depth: 60, blur: 0, forgets: 0.01, seesWins: true },
  6: { nodes: 6200, depth: 60, blur: 0, forgets: 0, seesWins: true },
  7: { nodes: 11000, depth: 60, blur: 0, forgets: 0, seesWins: true },
  8: { nodes: 22000, depth: 60, blur: 0, forgets: 0, seesWins: true },
  9: { nodes: 50000, depth: 60, blur: 0, forgets: 0, seesWins: true },
  10: { nodes: 107000, depth: 60, blur: 0, forgets: 0, seesWins: true },
};
/** What the kernel's states mean; the winner as seen by the player to move. */
export const OUTCOMES = [
  null,
  { winner: "other", reason: "line" },
  { winner: "mover", reason: "reveal" },
  { winner: null, reason: "all-placed" },
  { winner: null, reason: "board-full" },
  { winner: "other", reason: "no-move" },
  { winner: null, reason: "no-move" },
];
