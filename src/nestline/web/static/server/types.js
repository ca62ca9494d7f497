/**
 * What the server takes and sends, as its OpenAPI document says; nothing to run.
 * Written by `make generate`: change it there, not here.
 *
 * @typedef {"first" | "second"} SeatName
 * @typedef {"win" | "draw" | "loss"} Value
 * @typedef {"open" | "peek" | "memory"} Visibility
 * @typedef {{action: "accept-draw", number: number, seat?: SeatName | null}} AcceptDrawAction
 * @typedef {{action: "accept-undo", number: number, seat?: SeatName | null}} AcceptUndoAction
 * @typedef {{action: "ask-undo", number: number, seat?: SeatName | null, ply?: number | null}} AskUndoAction
 * @typedef {{text: string, turn: SeatName, stacks: Record<string, string[]>, reserves: Reserves}} Board
 * @typedef {{problem: string | null, game: string | null}} Check
 * @typedef {{record?: string | null, rules?: string | null, position?: string, moves?: string[]}} Checking
 * @typedef {{game: Game, tokens: Partial<Record<SeatName, string>>, invitations: Partial<Record<SeatName, string>>}}
 *   CreatedGame
 * @typedef {{toml: string}} CustomRules
 * @typedef {{action: "decline-draw", number: number, seat?: SeatName | null}} DeclineDrawAction
 * @typedef {{action: "decline-undo", number: number, seat?: SeatName | null}} DeclineUndoAction
 * @typedef {{error: ErrorDetails}} ErrorAnswer
 * @typedef {{code: string, message: string, number?: number, game?: string}} ErrorDetails
 * @typedef {{action: string, seat: SeatName}} EventAnswer
 * @typedef {{id: string, number: number, created: string, changed: string, rules: string, visibility: Visibility,
 *   hidden: boolean, touch_move: boolean, ply_limit: number | null, seats: Seats, between_people: boolean,
 *   start: Board, board: Board, ply: number, turn: SeatName, moves: PlayedMoves, last_move: string | null,
 *   legal: string[], dangerous: string[], touched: string | null, draw_offer: SeatName | null,
 *   undo_request: UndoRequest | null, can_undo: boolean, can_redo: boolean, outcome: Outcome | null, text: string,
 *   thinking: Thinking | null, rematch: string | null, rematch_offers: SeatName[], event: EventAnswer | null,
 *   expires: string | null, you: SeatName[]}} Game
 * @typedef {{part: "rules" | "search", remark: string}} GettingReady
 * @typedef {{action: "hand-over", number: number, seat?: SeatName | null, level: string}} HandOverAction
 * @typedef {{status: "ok", version: string}} Health
 * @typedef {{invitations: Partial<Record<SeatName, string>>}} Invitation
 * @typedef {{seat: SeatName}} Inviting
 * @typedef {{game: Game, tokens: Partial<Record<SeatName, string>>}} JoinedGame
 * @typedef {{invitation: string, name?: string | null}} Joining
 * @typedef {{value: Value | null, distance: number | null, score: number | null, depth: number | null, chance: number}}
 *   Judgement
 * @typedef {{action: "land", number: number, seat?: SeatName | null, square: string}} LandAction
 * @typedef {{action: "move", number: number, seat?: SeatName | null, move: string}} MoveAction
 * @typedef {{rules?: string | CustomRules | null, seats?: SeatChoices, visibility?: Visibility | null,
 *   touch_move?: boolean | null, ply_limit?: number | null, position?: string | null, record?: string | null}} NewGame
 * @typedef {{action: "offer-draw", number: number, seat?: SeatName | null}} OfferDrawAction
 * @typedef {{winner: SeatName | null, reason: string, result: string, lines: string[][]}} Outcome
 * @typedef {{square: string, stack: string[], number: number}} Peek
 * @typedef {{square: string, seat?: SeatName | null}} Peeking
 * @typedef {{move: string, board: Board}} PlayedMove
 * @typedef {{from: number, list: PlayedMove[]}} PlayedMoves
 * @typedef {{action: "redo", number: number, seat?: SeatName | null, ply?: number | null}} RedoAction
 * @typedef {{action: "rematch", number: number, seat?: SeatName | null}} RematchAction
 * @typedef {{action: "rename", number: number, seat?: SeatName | null, player: string}} RenameAction
 * @typedef {{first: number[], second: number[]}} Reserves
 * @typedef {{action: "resign", number: number, seat?: SeatName | null}} ResignAction
 * @typedef {{rules: string, start: Board, exact: boolean, result: string, count: number, moves: ReviewedMove[]}} Review
 * @typedef {{number: number, seat: SeatName, move: string, board: Board, before: Judgement, after: Judgement,
 *   thrown_away: "win" | "draw" | "plies" | null, plies_lost: number, chance_lost: number, mark: "" | "?!" | "?" |
 *   "??", best: string[], best_line: string[]}} ReviewedMove
 * @typedef {{record: string}} Reviewing
 * @typedef {{name: string, custom: boolean, sources: Record<string, string>, squares: string[],
 *   line_squares: string[][], start: Board, levels: string[], strengths: Strength[], visibilities: Visibility[],
 *   table: TableState, title: string, summary: string, board: number, line: number, line_sizes: string, wrap: boolean,
 *   misere: boolean, stock: number[], reserve: string, place_onto: string, cover: string, moving: boolean,
 *   same_square: boolean, reveal: string, both_lines: string, no_move: string, repetition: number,
 *   draw_all_placed: boolean, draw_board_full: boolean, draw_agreement: boolean, touch_move: boolean, peek: boolean,
 *   visibility: string, person_begins: boolean, take_back_after_end: boolean, players: [string, string],
 *   symbols: [string, string], labels: string, colours: [string, string]}} RuleSet
 * @typedef {{rules: RuleSet[]}} RuleSetList
 * @typedef {{player: "person" | "computer", name: string, level: string | null, taken: boolean}} Seat
 * @typedef {{player?: "here" | "link" | "computer", name?: string | null, level?: string | null}} SeatChoice
 * @typedef {{first?: SeatChoice, second?: SeatChoice}} SeatChoices
 * @typedef {{first: Seat, second: Seat}} Seats
 * @typedef {{version: string, instance: string, getting_ready: GettingReady | null, tables: Record<string, TableState>,
 *   limits: Record<string, number>, games: number, watchers: number}} Status
 * @typedef {{level: string, title: string, words: string, rating: number | null, seconds: number | null}} Strength
 * @typedef {{rules: string, board: Board, outcome: Outcome | null, text: string, words: string | null, exact: boolean,
 *   value: Value | null, distance: number | null, score: number | null, chance: number | null, depth: number | null,
 *   nodes: number | null, seconds: number | null, moves: StudyMove[], table: TableState}} Study
 * @typedef {{move: string, value: Value | null, distance: number | null, score: number | null, chance: number | null,
 *   dangerous: boolean, words: string | null, line: string[], after: string}} StudyMove
 * @typedef {{state: "ready" | "building" | "none", part: number, remark: string | null}} TableState
 * @typedef {{action: "take-over", number: number, seat?: SeatName | null}} TakeOverAction
 * @typedef {{seat: SeatName, level: string, remark: string | null}} Thinking
 * @typedef {{action: "touch", number: number, seat?: SeatName | null, square: string}} TouchAction
 * @typedef {{action: "undo", number: number, seat?: SeatName | null, ply?: number | null}} UndoAction
 * @typedef {{seat: SeatName, ply: number}} UndoRequest
 * @typedef {MoveAction | TouchAction | LandAction | ResignAction | OfferDrawAction | AcceptDrawAction |
 *   DeclineDrawAction | UndoAction | RedoAction | AskUndoAction | AcceptUndoAction | DeclineUndoAction |
 *   HandOverAction | TakeOverAction | RenameAction | RematchAction} Action
 */
export {};
