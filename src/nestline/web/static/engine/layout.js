/**
 * What the engine shares with the Python package: numbers, types of functions.
 * Written by `make generate`: change it there, not here.
 *
 * @typedef {{complete_law: (law: number) => number, write_lines: (law: number, lines: number) => number,
 *   legal_moves: (own: bigint, opp: bigint, law: number, moves: number) => number, dangerous_moves: (own: bigint,
 *   opp: bigint, law: number, moves: number) => number, is_legal: (own: bigint, opp: bigint, move: number,
 *   law: number) => number, play: (own: bigint, move: number) => bigint, outcome: (own: bigint, opp: bigint,
 *   law: number) => number, visible: (own: bigint, opp: bigint) => bigint, takeable: (own: bigint, size: number,
 *   law: number) => number, transform: (word: bigint, symmetry: number, board: number) => bigint,
 *   canonical_symmetry: (own: bigint, opp: bigint, board: number) => number, perft: (own: bigint, opp: bigint,
 *   law: number, depth: number, moves: number) => bigint}} Exports
 */
export const LAW_WORDS = 20;
export const LAYER_BITS = 16;
export const FIRST_BOARD_SOURCE = 4;
export const MAX_MOVES = 320;
export const MAX_LINES = 42;
export const PLACE_ONTO = ["empty", "smaller", "threat"];
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
