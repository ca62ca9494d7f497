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
 *   law: number, head: number, shorts: number, small: number, completing: number) => number, movable: (own: bigint,
 *   opp: bigint, law: number) => bigint, noticed_win: (own: bigint, opp: bigint, law: number, moves: number,
 *   count: number, sees_wins: number, chance: number) => number, outcome: (own: bigint, opp: bigint,
 *   law: number) => number, perft: (own: bigint, opp: bigint, law: number, depth: number, moves: number) => bigint,
 *   play: (own: bigint, move: number) => bigint, plies_ahead: (depth: number, chance: number) => number,
 *   sha256: (content: number, length: number, words: number) => number, shuffle_moves: (root: number,
 *   chance: number) => number, takeable: (own: bigint, size: number, law: number) => number, transform: (word: bigint,
 *   symmetry: number, board: number) => bigint, unfold_weights: (law: number, sheet: number, weights: number,
 *   file: number, count: number) => number, visible: (own: bigint, opp: bigint) => bigint, weigh_by_hand: (law: number,
 *   sheet: number, weights: number) => number, write_lines: (law: number, lines: number) => number}} Exports
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
export const IMPROVED = 3;
export const INDEX_BYTES = 39366;
export const INDEX_SHORTS = 689417;
export const INDEX_WORDS = 9;
export const JUDGED_DEPTH = 3;
export const LARGEST_SMALL_BOARD = 3;
export const LAW_WORDS = 26;
export const LAYER_BITS = 16;
export const LINE_LENGTH = 101;
export const MAX_DEPTH = 60;
export const MAX_LINES = 64;
export const MAX_MOVES = 320;
export const MAX_WEIGHTS = 28213;
export const MEANWHILE = 0.8;
export const MOST_PAGES = 4096;
export const MOST_SECONDS = 1;
export const NEVER = 1099511627776;
export const NODES = 0;
export const NODES_ALLOWED = 5;
export const NO_MOVE = 320;
export const ROOT_DEPTH = 7;
export const ROOT_GUESSES = 656;
export const ROOT_LINES = 1296;
export const ROOT_MOVES = 16;
export const ROOT_SCORES = 976;
export const ROOT_WORDS = 67216;
export const SHARED = 10;
export const SHARED_WORDS = 16488;
export const SHEET_WORDS = 4664;
export const STOP = 1;
export const VARIATIONS = 3;
export const WIN = 10000;
export const WORKSPACE_WORDS = 108089;
export const PLACE_ONTO = ["empty", "smaller", "threat"];
export const COVER = ["any", "opponent", "own", "none"];
export const REVEAL = ["loses", "forbidden", "ignored"];
export const LINE_SIZES = ["any", "equal", "rising"];
/** The families of rule sets for which weights are learned. */
export const WEIGHTS = ["board3-line3-sizes3-smaller", "board4-line4-sizes4-smaller", "board4-line4-sizes4-threat"];
/** @typedef {{large: number, free: number, small: number, flat: number}} Numbers */
/** @type {Record<string, Numbers>} */
export const ALIASES = {
  easy: { large: 2, free: 2, small: 2, flat: 1 },
  medium: { large: 5, free: 5, small: 4, flat: 2 },
  hard: { large: 8, free: 8, small: 6, flat: 3 },
};
/** Full strength by the clock. @type {Record<string, number>} */
export const MAXIMUM_SECONDS = {
  "maximum-1": 1,
  maximum: 5,
  "maximum-20": 20,
};
/** @typedef {{nodes: number, depth: number, blur: number, forgets: number, seesWins: number}} Level */
/**
 * The numbered levels of each family of rule sets, weakest first.
 *
 * @type {{large: Level[], free: Level[], small: Level[], flat: Level[]}}
 */
export const LADDERS = {
  large: [
    { nodes: 10000, depth: 2, blur: 35, forgets: 0.2, seesWins: 1 },
    { nodes: 20000, depth: 3, blur: 23, forgets: 0.1, seesWins: 1 },
    { nodes: 1500, depth: 60, blur: 0, forgets: 0.04, seesWins: 1 },
    { nodes: 2400, depth: 60, blur: 0, forgets: 0.02, seesWins: 1 },
    { nodes: 3700, depth: 60, blur: 0, forgets: 0.01, seesWins: 1 },
    { nodes: 5600, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 9000, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 15500, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 27000, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 49000, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 105000, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 230000, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 500000, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 1100000, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 2300000, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 4700000, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
  ],
  free: [
    { nodes: 10000, depth: 2, blur: 17, forgets: 0.2, seesWins: 1 },
    { nodes: 20000, depth: 3, blur: 7, forgets: 0.1, seesWins: 1 },
    { nodes: 1500, depth: 60, blur: 0, forgets: 0.04, seesWins: 1 },
    { nodes: 2400, depth: 60, blur: 0, forgets: 0.02, seesWins: 1 },
    { nodes: 3700, depth: 60, blur: 0, forgets: 0.01, seesWins: 1 },
    { nodes: 5600, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 9000, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 15500, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
    { nodes: 75000, depth: 60, blur: 0, forgets: 0, seesWins: 1 },
  ],
  small: [
    { nodes: 107000, depth: 0, blur: 200, forgets: 0.2, seesWins: 0.05 },
    { nodes: 107000, depth: 0, blur: 120, forgets: 0.2, seesWins: 0.4 },
    { nodes: 107000, depth: 0.04, blur: 60, forgets: 0.15, seesWins: 1 },
    { nodes: 107000, depth: 0.36, blur: 30, forgets: 0.1, seesWins: 1 },
    { nodes: 107000, depth: 0.68, blur: 30, forgets: 0.05, seesWins: 1 },
    { nodes: 107000, depth: 0.91, blur: 0, forgets: 0.02, seesWins: 1 },
    { nodes: 107000, depth: 1.6, blur: 0, forgets: 0, seesWins: 1 },
  ],
  flat: [
    { nodes: 107000, depth: 0, blur: 150, forgets: 0, seesWins: 0.3 },
    { nodes: 107000, depth: 0.32, blur: 60, forgets: 0, seesWins: 1 },
    { nodes: 107000, depth: 0.77, blur: 60, forgets: 0, seesWins: 1 },
  ],
};
/** @typedef {Record<string, Level>} Children */
/**
 * The levels below the numbered ones, on boards of 4x4.
 *
 * @type {{large: Children, free: Children, small?: undefined, flat?: undefined}}
 */
export const CHILDREN = {
  large: {
    "child-1": { nodes: 107000, depth: 0, blur: 280, forgets: 0.2, seesWins: 0 },
    "child-2": { nodes: 107000, depth: 0, blur: 145, forgets: 0.2, seesWins: 0.03 },
    "child-3": { nodes: 107000, depth: 0, blur: 116, forgets: 0.2, seesWins: 0.11 },
    "child-4": { nodes: 107000, depth: 0, blur: 94, forgets: 0.2, seesWins: 0.22 },
    "child-5": { nodes: 107000, depth: 0, blur: 72, forgets: 0.2, seesWins: 0.38 },
    "child-6": { nodes: 107000, depth: 0, blur: 52, forgets: 0.2, seesWins: 0.6 },
    "child-7": { nodes: 107000, depth: 0.22, blur: 42, forgets: 0.2, seesWins: 1 },
    "child-8": { nodes: 107000, depth: 0.75, blur: 36, forgets: 0.2, seesWins: 1 },
  },
  free: {
    "child-1": { nodes: 107000, depth: 0, blur: 200, forgets: 0.2, seesWins: 0 },
    "child-2": { nodes: 107000, depth: 0, blur: 108, forgets: 0.2, seesWins: 0.03 },
    "child-3": { nodes: 107000, depth: 0, blur: 77, forgets: 0.2, seesWins: 0.12 },
    "child-4": { nodes: 107000, depth: 0, blur: 54, forgets: 0.2, seesWins: 0.23 },
    "child-5": { nodes: 107000, depth: 0, blur: 42, forgets: 0.2, seesWins: 0.4 },
    "child-6": { nodes: 107000, depth: 0, blur: 32, forgets: 0.2, seesWins: 0.65 },
    "child-7": { nodes: 107000, depth: 0.22, blur: 27, forgets: 0.2, seesWins: 1 },
    "child-8": { nodes: 107000, depth: 0.75, blur: 26, forgets: 0.2, seesWins: 1 },
  },
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
  { winner: null, reason: "both-lines" },
  { winner: "mover", reason: "line" },
  { winner: "other", reason: "reveal" },
];
