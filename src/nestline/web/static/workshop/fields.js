/**
 * The fields of a rule set in words, what contradicts what, and what is the same game.
 * Written by `make generate`: change it there, not here.
 *
 * @typedef {{group: string, label: string, words: string, allowed: string, kind: string,
 *   choices: [any, string][], default: any, pattern?: string, least?: number,
 *   most?: number, missing?: number[]}} Field
 */
export const GROUPS = [
  "Board and pieces",
  "Moves",
  "Winning and draws",
  "More rules",
  "At the table",
  "Names and looks",
];
/** @type {Record<string, Field>} */
export const FIELDS = {
  title: {
    group: "Names and looks",
    label: "Name",
    words: "What the game is called.",
    allowed: "a text of one line",
    kind: "text",
    choices: [],
    default: null,
  },
  summary: {
    group: "Names and looks",
    label: "Summary",
    words: "A sentence or two for people choosing a game.",
    allowed: "a text of one line",
    kind: "text",
    choices: [],
    default: null,
  },
  board: {
    group: "Board and pieces",
    label: "Board",
    words: "The side of the square board.",
    allowed: "a whole number from 1 to 4",
    kind: "number",
    choices: [
      [1, "1 by 1"],
      [2, "2 by 2"],
      [3, "3 by 3"],
      [4, "4 by 4"],
    ],
    default: null,
    least: 1,
    most: 4,
    missing: [],
  },
  line: {
    group: "Board and pieces",
    label: "Line",
    words: "How many visible pieces in a row, a column or a diagonal win.",
    allowed: "a whole number from 1 to the side of the board",
    kind: "number",
    choices: [
      [1, "1"],
      [2, "2"],
      [3, "3"],
      [4, "4"],
    ],
    default: null,
    least: 1,
    most: 4,
    missing: [],
  },
  line_sizes: {
    group: "Board and pieces",
    label: "Sizes of a line",
    words: "Which sizes the pieces of a line need.",
    allowed: '"any" or "equal" or "rising"',
    kind: "choice",
    choices: [
      ["any", "Any sizes"],
      ["equal", "All the same size"],
      ["rising", "Rising from one end to the other"],
    ],
    default: "any",
  },
  wrap: {
    group: "Board and pieces",
    label: "Lines over the edge",
    words: "Whether lines go on at the opposite edge, as on a ring.",
    allowed: "true or false",
    kind: "choice",
    choices: [
      [true, "Yes"],
      [false, "No"],
    ],
    default: false,
  },
  misere: {
    group: "Winning and draws",
    label: "A line loses",
    words: "Whether a line loses for its player instead of winning.",
    allowed: "true or false",
    kind: "choice",
    choices: [
      [true, "Yes"],
      [false, "No"],
    ],
    default: false,
  },
  stock: {
    group: "Board and pieces",
    label: "Pieces",
    words: "How many pieces of each size a player has, the smallest first. A larger piece covers a smaller one.",
    allowed:
      "a list of one to 4 whole numbers, the pieces of size 1, 2, …, each at least 1 and at most the squares of the board",
    kind: "counts",
    choices: [],
    default: null,
  },
  reserve: {
    group: "Board and pieces",
    label: "Reserve",
    words: "Which pieces can be taken from beside the board.",
    allowed: '"loose" or "nested"',
    kind: "choice",
    choices: [
      ["loose", "Any piece"],
      ["nested", "Stacks: only the outermost piece of each"],
    ],
    default: null,
  },
  place_onto: {
    group: "Moves",
    label: "New pieces go",
    words: "Where a piece from the reserve may be put.",
    allowed: '"empty" or "smaller" or "threat"',
    kind: "choice",
    choices: [
      ["empty", "Onto empty squares"],
      ["smaller", "Onto empty squares and smaller pieces"],
      ["threat", "Onto empty squares, and onto a smaller piece of a line that is nearly full"],
    ],
    default: null,
  },
  cover: {
    group: "Moves",
    label: "What may be covered",
    words: "Whose smaller pieces may be covered, by new pieces and by moving ones.",
    allowed: '"any" or "opponent" or "own" or "none"',
    kind: "choice",
    choices: [
      ["any", "Everybody's"],
      ["opponent", "The opponent's only"],
      ["own", "One's own only"],
      ["none", "None at all"],
    ],
    default: "any",
  },
  moving: {
    group: "Moves",
    label: "Pieces move",
    words:
      "Whether pieces on the board may move, to empty squares and onto smaller pieces. A piece that moves away shows what it covered.",
    allowed: "true or false",
    kind: "choice",
    choices: [
      [true, "Yes"],
      [false, "No"],
    ],
    default: null,
  },
  same_square: {
    group: "Moves",
    label: "Back to its square",
    words: "Whether a lifted piece may go back to its own square, which then counts as a move.",
    allowed: "true or false",
    kind: "choice",
    choices: [
      [true, "Yes"],
      [false, "No"],
    ],
    default: null,
  },
  reveal: {
    group: "Winning and draws",
    label: "Uncovering a line",
    words: "What happens when a lifted piece uncovers a line of the opponent's.",
    allowed: '"loses" or "forbidden" or "ignored"',
    kind: "choice",
    choices: [
      ["loses", "It loses, unless the piece lands on that line"],
      ["forbidden", "Such a piece cannot be lifted"],
      ["ignored", "Nothing: only the mover's own line counts after a move"],
    ],
    default: "loses",
  },
  both_lines: {
    group: "Winning and draws",
    label: "Both have a line",
    words: "Whose line counts when a move leaves both players with one.",
    allowed: '"opponent" or "mover" or "draw"',
    kind: "choice",
    choices: [
      ["opponent", "The other player's"],
      ["mover", "That of the player who moved"],
      ["draw", "Neither: a draw"],
    ],
    default: null,
  },
  no_move: {
    group: "Winning and draws",
    label: "No move left",
    words: "What happens to a player who cannot move.",
    allowed: '"loses" or "draw"',
    kind: "choice",
    choices: [
      ["loses", "That player loses"],
      ["draw", "The game is a draw"],
    ],
    default: null,
  },
  repetition: {
    group: "Winning and draws",
    label: "Draw by repetition",
    words:
      "The game is drawn when the same position, with the same player to move, has occurred this many times; 0 for no such rule.",
    allowed: "0 (no such rule) or a whole number from 2 to 100",
    kind: "number",
    choices: [],
    default: null,
    least: 0,
    most: 100,
    missing: [1],
  },
  draw_all_placed: {
    group: "Winning and draws",
    label: "Draw with all pieces placed",
    words: "Whether the game is drawn when all pieces are on the board and nobody has a line.",
    allowed: "true or false",
    kind: "choice",
    choices: [
      [true, "Yes"],
      [false, "No"],
    ],
    default: null,
  },
  draw_board_full: {
    group: "Winning and draws",
    label: "Draw on a full board",
    words: "Whether the game is drawn when every square is occupied and nobody has a line.",
    allowed: "true or false",
    kind: "choice",
    choices: [
      [true, "Yes"],
      [false, "No"],
    ],
    default: null,
  },
  draw_agreement: {
    group: "Winning and draws",
    label: "Draw by agreement",
    words: "Whether the players may agree to a draw.",
    allowed: "true or false",
    kind: "choice",
    choices: [
      [true, "Yes"],
      [false, "No"],
    ],
    default: null,
  },
  touch_move: {
    group: "At the table",
    label: "Touch-move",
    words: "Whether a touched piece on the board must be played. Touching one that cannot be played loses.",
    allowed: "true or false",
    kind: "choice",
    choices: [
      [true, "Yes"],
      [false, "No"],
    ],
    default: null,
  },
  peek: {
    group: "At the table",
    label: "Looking under pieces",
    words: "Whether players may lift one of their own pieces to look under it, and put it back.",
    allowed: "true or false",
    kind: "choice",
    choices: [
      [true, "Yes"],
      [false, "No"],
    ],
    default: null,
  },
  visibility: {
    group: "At the table",
    label: "Covered pieces",
    words: "What is seen of covered pieces, unless a game is set up otherwise.",
    allowed: '"open" or "peek" or "memory"',
    kind: "choice",
    choices: [
      ["open", "Always shown"],
      ["peek", "Hidden, lift yours to look"],
      ["memory", "Hidden, remember them"],
    ],
    default: "open",
  },
  person_begins: {
    group: "At the table",
    label: "A person begins",
    words: "Whether somebody who plays the computer always has the first move.",
    allowed: "true or false",
    kind: "choice",
    choices: [
      [true, "Yes"],
      [false, "No"],
    ],
    default: false,
  },
  take_back_after_end: {
    group: "At the table",
    label: "Taking back the end",
    words: "Whether a finished game can be taken up again by taking back moves.",
    allowed: "true or false",
    kind: "choice",
    choices: [
      [true, "Yes"],
      [false, "No"],
    ],
    default: true,
  },
  players: {
    group: "Names and looks",
    label: "Players",
    words: "What the first and the second player are called.",
    allowed: "a list of two different names of letters, digits and single blanks, none like a square",
    kind: "pair",
    choices: [],
    default: null,
    pattern: "^(?:(?!.*(?<![\\p{L}\\p{N}_])[a-dA-D][1-4](?![\\p{L}\\p{N}_]))[\\p{L}\\p{N}]+(?:[ '-][\\p{L}\\p{N}]+)*)$",
  },
  symbols: {
    group: "Names and looks",
    label: "Letters",
    words: "One letter for each player, for boards drawn as text.",
    allowed: "a list of two different single letters",
    kind: "pair",
    choices: [],
    default: null,
    pattern: "^(?:[A-Za-z])$",
  },
  labels: {
    group: "Names and looks",
    label: "Rows",
    words: "How the rows are labelled on boards drawn as text.",
    allowed: '"numbers" or "letters"',
    kind: "choice",
    choices: [
      ["numbers", "With numbers"],
      ["letters", "With letters, like the columns"],
    ],
    default: null,
  },
  colours: {
    group: "Names and looks",
    label: "Colours",
    words: "The colour of each player's pieces.",
    allowed: 'a list of two different colours like "#d1495b"',
    kind: "pair",
    choices: [],
    default: null,
    pattern: "^(?:#[0-9a-fA-F]{6})$",
  },
};
export const OUTSIDE_PLAY = [
  "colours",
  "labels",
  "person_begins",
  "players",
  "summary",
  "symbols",
  "take_back_after_end",
  "title",
  "visibility",
];
export const PLAY_FIELDS = [
  "board",
  "line",
  "line_sizes",
  "wrap",
  "misere",
  "stock",
  "reserve",
  "place_onto",
  "cover",
  "moving",
  "same_square",
  "reveal",
  "both_lines",
  "no_move",
  "draw_all_placed",
  "draw_board_full",
];
export const VISIBILITIES = ["open", "peek", "memory"];
export const MAX_SIZES = 4;
/** @type {Record<string, import("../server/types.js").Strength[]>} */
export const STRENGTHS = {
  flat: [
    {
      level: "random",
      title: "First steps",
      words: "Puts pieces anywhere. Good for small children.",
      rating: null,
      seconds: null,
    },
    { level: "1", title: "Beginner", words: "Overlooks most of its own wins.", rating: null, seconds: null },
    {
      level: "2",
      title: "Casual",
      words: "Takes every win, and stops you about every third time.",
      rating: null,
      seconds: null,
    },
    { level: "3", title: "Skilled", words: "Stops you most of the time.", rating: null, seconds: null },
    {
      level: "maximum-1",
      title: "Maximum, one second",
      words: "Full strength, thinking one second about every move.",
      rating: null,
      seconds: 1,
    },
    {
      level: "maximum",
      title: "Maximum, 5 seconds",
      words: "Full strength, thinking 5 seconds about every move.",
      rating: null,
      seconds: 5,
    },
    {
      level: "maximum-20",
      title: "Maximum, 20 seconds",
      words: "Full strength, thinking 20 seconds about every move.",
      rating: null,
      seconds: 20,
    },
  ],
  small: [
    {
      level: "random",
      title: "First steps",
      words: "Puts pieces anywhere. Good for small children.",
      rating: null,
      seconds: null,
    },
    {
      level: "1",
      title: "Beginner",
      words: "Plays by guesswork, and overlooks most of its own wins.",
      rating: null,
      seconds: null,
    },
    {
      level: "2",
      title: "Learner",
      words: "Sees its own win now and then, but not what you are up to.",
      rating: null,
      seconds: null,
    },
    {
      level: "3",
      title: "Casual",
      words: "Takes every win, and hardly looks at what you are up to.",
      rating: null,
      seconds: null,
    },
    { level: "4", title: "Steady", words: "Looks at your answer about every third time.", rating: null, seconds: null },
    {
      level: "5",
      title: "Skilled",
      words: "Mostly sees your answer, and seldom forgets a covered piece.",
      rating: null,
      seconds: null,
    },
    { level: "6", title: "Strong", words: "Nearly always sees your answer.", rating: null, seconds: null },
    {
      level: "7",
      title: "Expert",
      words: "Often looks a move further, and forgets nothing.",
      rating: null,
      seconds: null,
    },
    {
      level: "maximum-1",
      title: "Maximum, one second",
      words: "Full strength, thinking one second about every move.",
      rating: null,
      seconds: 1,
    },
    {
      level: "maximum",
      title: "Maximum, 5 seconds",
      words: "Full strength, thinking 5 seconds about every move.",
      rating: null,
      seconds: 5,
    },
    {
      level: "maximum-20",
      title: "Maximum, 20 seconds",
      words: "Full strength, thinking 20 seconds about every move.",
      rating: null,
      seconds: 20,
    },
  ],
  large: [
    {
      level: "random",
      title: "First steps",
      words: "Puts pieces anywhere. Good for small children.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-1",
      title: "Dreamer",
      words: "Hardly looks at the board, and overlooks its own wins.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-2",
      title: "Guesser",
      words: "Plays by guesswork, and overlooks nearly all of its own wins.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-3",
      title: "Playful",
      words: "Guesses a lot, and sees its own win one time in ten.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-4",
      title: "Curious",
      words: "Guesses a lot, and sees its own win about every fifth time.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-5",
      title: "Hopeful",
      words: "Guesses, and sees its own win more than every third time.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-6",
      title: "Eager",
      words: "Mostly sees its own win, but not what you are up to.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-7",
      title: "Nimble",
      words: "Takes every win, and now and then looks at your answer.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-8",
      title: "Watchful",
      words: "Takes every win, and mostly looks at your answer.",
      rating: null,
      seconds: null,
    },
    {
      level: "1",
      title: "Beginner",
      words: "Looks two moves ahead, guesses a lot, and often forgets a covered piece.",
      rating: null,
      seconds: null,
    },
    {
      level: "2",
      title: "Learner",
      words: "Looks three moves ahead, and guesses a little.",
      rating: null,
      seconds: null,
    },
    {
      level: "3",
      title: "Casual",
      words: "Guesses no more, and sometimes forgets a covered piece.",
      rating: null,
      seconds: null,
    },
    {
      level: "4",
      title: "Steady",
      words: "Thinks a little longer, and seldom forgets a covered piece.",
      rating: null,
      seconds: null,
    },
    {
      level: "5",
      title: "Handy",
      words: "Thinks longer still, and hardly ever forgets a covered piece.",
      rating: null,
      seconds: null,
    },
    { level: "6", title: "Skilled", words: "Forgets nothing.", rating: null, seconds: null },
    { level: "7", title: "Clever", words: "Thinks nearly twice as long as Skilled.", rating: null, seconds: null },
    { level: "8", title: "Strong", words: "Thinks nearly twice as long as Clever.", rating: null, seconds: null },
    { level: "9", title: "Sharp", words: "Thinks nearly twice as long as Strong.", rating: null, seconds: null },
    { level: "10", title: "Expert", words: "Thinks nearly twice as long as Sharp.", rating: null, seconds: null },
    { level: "11", title: "Veteran", words: "Thinks about twice as long as Expert.", rating: null, seconds: null },
    { level: "12", title: "Master", words: "Thinks about twice as long as Veteran.", rating: null, seconds: null },
    { level: "13", title: "Grandmaster", words: "Thinks about twice as long as Master.", rating: null, seconds: null },
    {
      level: "14",
      title: "Champion",
      words: "Thinks about twice as long as Grandmaster.",
      rating: null,
      seconds: null,
    },
    { level: "15", title: "Legend", words: "Thinks about twice as long as Champion.", rating: null, seconds: null },
    {
      level: "16",
      title: "Titan",
      words: "Thinks about twice as long as Legend, nearly a second on a fast computer.",
      rating: null,
      seconds: null,
    },
    {
      level: "maximum-1",
      title: "Maximum, one second",
      words: "Full strength, thinking one second about every move.",
      rating: null,
      seconds: 1,
    },
    {
      level: "maximum",
      title: "Maximum, 5 seconds",
      words: "Full strength, thinking 5 seconds about every move.",
      rating: null,
      seconds: 5,
    },
    {
      level: "maximum-20",
      title: "Maximum, 20 seconds",
      words: "Full strength, thinking 20 seconds about every move.",
      rating: null,
      seconds: 20,
    },
  ],
  free: [
    {
      level: "random",
      title: "First steps",
      words: "Puts pieces anywhere. Good for small children.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-1",
      title: "Dreamer",
      words: "Hardly looks at the board, and overlooks its own wins.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-2",
      title: "Guesser",
      words: "Plays by guesswork, and overlooks nearly all of its own wins.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-3",
      title: "Playful",
      words: "Guesses a lot, and sees its own win one time in ten.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-4",
      title: "Curious",
      words: "Guesses a lot, and sees its own win about every fifth time.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-5",
      title: "Hopeful",
      words: "Guesses, and sees its own win more than every third time.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-6",
      title: "Eager",
      words: "Mostly sees its own win, but not what you are up to.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-7",
      title: "Nimble",
      words: "Takes every win, and now and then looks at your answer.",
      rating: null,
      seconds: null,
    },
    {
      level: "child-8",
      title: "Watchful",
      words: "Takes every win, and mostly looks at your answer.",
      rating: null,
      seconds: null,
    },
    {
      level: "1",
      title: "Beginner",
      words: "Looks two moves ahead, guesses a lot, and often forgets a covered piece.",
      rating: null,
      seconds: null,
    },
    {
      level: "2",
      title: "Learner",
      words: "Looks three moves ahead, and guesses a little.",
      rating: null,
      seconds: null,
    },
    {
      level: "3",
      title: "Casual",
      words: "Guesses no more, and sometimes forgets a covered piece.",
      rating: null,
      seconds: null,
    },
    {
      level: "4",
      title: "Steady",
      words: "Thinks a little longer, and seldom forgets a covered piece.",
      rating: null,
      seconds: null,
    },
    {
      level: "5",
      title: "Handy",
      words: "Thinks longer still, and hardly ever forgets a covered piece.",
      rating: null,
      seconds: null,
    },
    { level: "6", title: "Skilled", words: "Forgets nothing.", rating: null, seconds: null },
    { level: "7", title: "Clever", words: "Thinks nearly twice as long as Skilled.", rating: null, seconds: null },
    { level: "8", title: "Strong", words: "Thinks nearly twice as long as Clever.", rating: null, seconds: null },
    { level: "9", title: "Champion", words: "Thinks five times as long as Strong.", rating: null, seconds: null },
    {
      level: "maximum-1",
      title: "Maximum, one second",
      words: "Full strength, thinking one second about every move.",
      rating: null,
      seconds: 1,
    },
    {
      level: "maximum",
      title: "Maximum, 5 seconds",
      words: "Full strength, thinking 5 seconds about every move.",
      rating: null,
      seconds: 5,
    },
    {
      level: "maximum-20",
      title: "Maximum, 20 seconds",
      words: "Full strength, thinking 20 seconds about every move.",
      rating: null,
      seconds: 20,
    },
  ],
};
/** @type {[string, (v: any) => boolean, string][]} */
export const CONTRADICTIONS = [
  [
    "line",
    (v) => v.line > v.board,
    "{line} is longer than the board's side {board}; it takes a whole number from 1 to {board}",
  ],
  [
    "line_sizes",
    (v) => v.line_sizes === "equal" && Math.max(...v.stock) < v.line,
    '"equal" contradicts stock = {stock}: nobody has {line} pieces of one size',
  ],
  [
    "line_sizes",
    (v) => v.line_sizes === "rising" && v.stock.length < v.line,
    '"rising" contradicts stock = {stock}: a line of {line} needs {line} sizes',
  ],
  [
    "line_sizes",
    (v) => v.line_sizes === "rising" && v.wrap && v.line === v.board,
    '"rising" contradicts wrap = true: a line that goes round the board has no end to rise to',
  ],
  [
    "wrap",
    (v) => v.wrap && (v.board < 3 || v.line === 1),
    "true contradicts board = {board}, line = {line}: going over the edge adds no line there",
  ],
  [
    "stock",
    (v) => Math.max(...v.stock) > v.board ** 2,
    "{stock} has more pieces of one size than the board has squares; each is at most {squares}",
  ],
  [
    "stock",
    (v) => v.reserve === "nested" && new Set(v.stock).size > 1,
    '{stock} does not nest; with reserve = "nested" every size has the same number',
  ],
  [
    "place_onto",
    (v) => v.place_onto !== "empty" && v.cover === "none",
    '{place_onto} contradicts cover = "none": nothing may be covered; it takes "empty"',
  ],
  [
    "place_onto",
    (v) => v.place_onto === "threat" && v.cover === "own",
    '"threat" contradicts cover = "own": it would cover pieces of the opponent\'s',
  ],
  [
    "reveal",
    (v) => v.reveal !== "loses" && !v.moving,
    "{reveal} contradicts moving = false: pieces that never move reveal nothing",
  ],
  [
    "reveal",
    (v) => v.reveal !== "loses" && !(covers(v) && v.cover !== "own"),
    "{reveal} contradicts stock = {stock}, cover = {cover}: no piece of the opponent's is ever covered",
  ],
  [
    "both_lines",
    (v) => v.both_lines !== "mover" && v.reveal === "ignored",
    '{both_lines} contradicts reveal = "ignored": only the line of the mover counts; it takes "mover"',
  ],
  [
    "same_square",
    (v) => v.same_square && !v.moving,
    "true contradicts moving = false: pieces that never move cannot return",
  ],
  [
    "repetition",
    (v) => v.repetition > 0 && !v.moving,
    "{repetition} contradicts moving = false: positions cannot repeat; it takes 0 there",
  ],
  [
    "draw_all_placed",
    (v) => v.draw_all_placed && 2 * Math.max(...v.stock) > v.board ** 2,
    "true contradicts stock = {stock}: the board has no room for all of them",
  ],
  [
    "draw_all_placed",
    (v) => v.draw_all_placed && v.cover === "none" && 2 * sum(v.stock) > v.board ** 2,
    'true contradicts stock = {stock}, cover = "none": the board has no room for all of them',
  ],
  [
    "touch_move",
    (v) => v.touch_move && !v.moving,
    "true contradicts moving = false: no piece on the board can be played",
  ],
  [
    "peek",
    (v) => v.peek && v.stock.length === 1,
    "true contradicts stock = {stock}: with one size nothing is ever covered",
  ],
  ["peek", (v) => v.peek && !covers(v), 'true contradicts cover = "none": nothing is ever covered'],
  [
    "peek",
    (v) => v.peek && v.touch_move,
    "true contradicts touch_move = true: a lifted piece has been touched and must be played",
  ],
  [
    "visibility",
    (v) => v.visibility === "peek" && !v.peek,
    '"peek" contradicts peek = false: nobody may look under pieces',
  ],
  [
    "visibility",
    (v) => v.visibility !== "open" && v.stock.length === 1,
    "{visibility} contradicts stock = {stock}: with one size nothing is ever covered",
  ],
  [
    "visibility",
    (v) => v.visibility !== "open" && !covers(v),
    '{visibility} contradicts cover = "none": nothing is ever covered',
  ],
];

/** @param {any} values */
function covers(values) {
  return values.stock.length > 1 && values.cover !== "none";
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** One choice where several are the same game. @param {Record<string, any>} values */
export function settle(values) {
  const stock = values.stock;
  const squares = values.board ** 2;
  if (!values.moving) {
    values.both_lines = "opponent";
    values.same_square = false;
    if (values.no_move === "draw") {
      values.draw_all_placed = false;
    }
    if (stock.length === 1) {
      if (values.no_move === "draw") {
        values.draw_board_full = false;
      }
      if (!values.draw_all_placed) {
        values.stock = [Math.min(stock[0], Math.floor((squares + 1) / 2))];
      }
    }
  }
  if (stock.length === 1) {
    values.place_onto = "empty";
    values.reserve = "loose";
    values.cover = "any";
    if (values.line_sizes === "equal") {
      values.line_sizes = "any";
    }
  }
  if (values.line === 1) {
    values.line_sizes = "any";
  }
  if (["own", "none"].includes(values.cover) || values.reveal === "forbidden") {
    values.both_lines = "opponent";
  }
  if (sum(stock) < values.line) {
    values.both_lines = "opponent";
    values.reveal = "loses";
    values.line_sizes = "any";
    values.wrap = false;
    values.misere = false;
  }
  if (values.place_onto === "threat" && sum(stock) < values.line - 1) {
    values.place_onto = "empty";
  }
  if (2 * sum(stock) < squares) {
    values.draw_board_full = false;
  }
}
