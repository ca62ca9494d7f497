/**
 * The shapes of what the server sends, as in docs/api.md. There is nothing to run here.
 *
 * @typedef {"first" | "second"} Seat
 * @typedef {{text: string, turn: Seat, stacks: Record<string, string[]>,
 *   reserves: Record<Seat, number[]>}} Board
 * @typedef {{state: "ready" | "building" | "none", part: number, remark: string | null}} Table
 * @typedef {{name: string, custom: boolean, title: string, summary: string, board: number,
 *   line: number, stock: number[], reserve: "loose" | "nested", place_onto: string, moving: boolean,
 *   same_square: boolean, both_lines: string, no_move: string, repetition: number,
 *   draw_all_placed: boolean, draw_board_full: boolean, draw_agreement: boolean,
 *   touch_move: boolean, peek: boolean, players: [string, string], symbols: [string, string],
 *   labels: string, colours: [string, string], sources: Record<string, string>, squares: string[],
 *   line_squares: string[][], start: Board, levels: string[], visibilities: string[],
 *   table: Table}} RuleSet
 * @typedef {{winner: Seat | null, reason: string, result: string, lines: string[][]}} Outcome
 * @typedef {{player: "person" | "computer", name: string, level: string | null,
 *   taken: boolean}} SeatFacts
 * @typedef {{move: string, board: Board}} Played
 * @typedef {{id: string, number: number, created: string, changed: string, rules: string,
 *   visibility: string, hidden: boolean, touch_move: boolean, ply_limit: number | null,
 *   seats: Record<Seat, SeatFacts>, between_people: boolean, start: Board, board: Board,
 *   ply: number, turn: Seat, moves: {from: number, list: Played[]}, last_move: string | null,
 *   legal: string[], dangerous: string[], touched: string | null, draw_offer: Seat | null,
 *   undo_request: {seat: Seat, ply: number} | null, can_undo: boolean, can_redo: boolean,
 *   outcome: Outcome | null, text: string,
 *   thinking: {seat: Seat, level: string, remark: string | null} | null,
 *   rematch: string | null, rematch_offers: Seat[],
 *   event: {action: string, seat: Seat} | null, you?: Seat[]}} Game
 * @typedef {{game: Game, tokens: Partial<Record<Seat, string>>,
 *   invitations?: Partial<Record<Seat, string>>}} Created
 * @typedef {"win" | "draw" | "loss" | null} Value
 * @typedef {{move: string, value: Value, distance: number | null, score: number | null,
 *   chance: number | null, dangerous: boolean, words: string, line: string[], after: string}} StudiedMove
 * @typedef {{rules: string, board: Board, outcome: Outcome | null, text: string, words: string,
 *   exact: boolean, value: Value, distance: number | null, score: number | null,
 *   chance: number | null, depth: number | null, nodes: number | null, seconds: number | null, moves: StudiedMove[],
 *   table: Table}} Study
 * @typedef {{value: Value, distance: number | null, score: number | null,
 *   depth: number | null, chance: number | null}} Judgement
 * @typedef {{number: number, seat: Seat, move: string, board: Board, before: Judgement,
 *   after: Judgement, thrown_away: "win" | "draw" | "plies" | null, plies_lost: number | null,
 *   chance_lost: number | null, mark: string, best: string[], best_line: string[]}} ReviewedMove
 * @typedef {{rules: string, start: Board, exact: boolean, result: string, count: number,
 *   moves: ReviewedMove[]}} Review
 * @typedef {{square: string, stack: string[], number: number}} Peeked
 */
export {};
