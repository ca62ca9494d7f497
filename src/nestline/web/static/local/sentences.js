/**
 * The sentences that games in the page share with the server's.
 * Written by `make generate`: change it there, not here.
 */
import { quoted } from "./texts.js";

/** @typedef {string | number} Filled */

export const LEVELS = [
  "random",
  "child-1",
  "child-2",
  "child-3",
  "child-4",
  "child-5",
  "child-6",
  "child-7",
  "child-8",
  "1",
  "2",
  "3",
  "4",
  "5",
  "6",
  "7",
  "8",
  "9",
  "10",
  "11",
  "12",
  "13",
  "14",
  "15",
  "16",
  "perfect",
  "maximum-1",
  "maximum",
  "maximum-20",
];
export const LEVEL_ALIASES = ["easy", "medium", "hard"];
export const KNOWN_TAGS = [
  "Rules",
  "First",
  "Second",
  "Date",
  "Result",
  "Termination",
  "Position",
  "FirstLevel",
  "SecondLevel",
  "Visibility",
  "TouchMove",
  "PlyLimit",
  "Touched",
  "DrawOffer",
];
export const OWN_TAGS = [
  "DrawOffer",
  "First",
  "FirstLevel",
  "PlyLimit",
  "Second",
  "SecondLevel",
  "Termination",
  "TouchMove",
  "Touched",
  "Visibility",
];
export const REASONS = [
  "line",
  "reveal",
  "both-lines",
  "no-move",
  "repetition",
  "all-placed",
  "board-full",
  "agreement",
  "touch",
  "resignation",
  "unfinished",
];
export const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"];
export const VISIBILITIES = ["open", "peek", "memory"];
export const MAX_NESTING = 30;
export const MOST_PLIES = 1000;
export const PLIES_WITHOUT_PEOPLE = 200;
/** @param {Filled} text */
export const notASquare = (text) => `${text} is not a square; squares are written like b2`;
/** @param {Filled} last */
export const rowsAndColumns = (last) => `rows and columns are 0 to ${last}, from the top left`;
/** @param {Filled} squareNames */
export const squaresAre = (squareNames) => `its squares are a1 to ${squareNames}`;
/** @param {Filled} split @param {Filled} board @param {Filled} allowed */
export const notOnTheBoard = (split, board, allowed) => `${split} is not on the ${board}x${board} board; ${allowed}`;
/** @param {Filled} text @param {Filled} sizes @param {Filled} target */
export const oneSquareOnly = (text, sizes, target) =>
  `${text} names one square only; put a size before it (${sizes}${target}) or the square the piece comes from`;
/** @param {Filled} text @param {Filled} example */
export const notAMove = (text, example) => `${text} is not a move; moves are written like ${example}`;
/** @param {Filled} rules */
export const lettersForThreeSizes = (rules) => `sizes are written as letters only where there are three; here ${rules}`;
/** @param {Filled} size @param {Filled} rules */
export const noSize = (size, rules) => `there is no size ${size}; ${rules}`;
/** @param {Filled} sizes */
export const sizesAre = (sizes) => `sizes are 1 to ${sizes}`;
export const onlySize = () => "the only size is 1";
/** @param {Filled} text @param {Filled} board */
export const notAPosition = (text, board) =>
  `${text} is not a position; it takes a board and w or b for the player to move, like ${board} w`;
/** @param {Filled} turn */
export const playerToMove = (turn) => `the player to move is w or b, not ${turn}`;
/** @param {Filled} rows @param {Filled} rows2 @param {Filled} name @param {Filled} board */
export const wrongRows = (rows, rows2, name, board) =>
  `the board has ${rows} row${rows2}; ${name} has ${board}, separated by /`;
/** @param {Filled} number @param {Filled} item */
export const notASquareOfARow = (number, item) =>
  `row ${number}: ${item} is not a square; it takes x, x2, … for empty squares, or the pieces of a stack from bottom to top like b1w3`;
/** @param {Filled} number @param {Filled} squares @param {Filled} squares2 @param {Filled} name @param {Filled} board */
export const wrongSquares = (number, squares, squares2, name, board) =>
  `row ${number} has ${squares} square${squares2}; ${name} has ${board}`;
/** @param {Filled} size @param {Filled} openSizes */
export const noStackShows = (size, openSizes) => `no stack shows a size ${size}; on top are ${openSizes}`;
/** @param {Filled} size @param {Filled} openSizes */
export const noneLeft = (size, openSizes) => `no size ${size} is left in the reserve; it holds ${openSizes}`;
/** @param {Filled} target */
export const ontoEmptySquares = (target) => `${target} is occupied; new pieces go onto empty squares`;
/** @param {Filled} target @param {Filled} line */
export const ontoThreats = (target, line) =>
  `${target} is occupied; a new piece goes onto an empty square, or onto one of the opponent's pieces where he shows all but one of a line of ${line}`;
/** @param {Filled} target @param {Filled} size @param {Filled} size2 */
export const tooLarge = (target, size, size2) =>
  `${target} shows a size ${size}; a size ${size2} can only land on smaller pieces`;
/** @param {Filled} name */
export const noMovingHere = (name) => `pieces on the board do not move in ${name}`;
/** @param {Filled} origin */
export const isEmpty = (origin) => `${origin} is empty`;
/** @param {Filled} origin @param {Filled} owner @param {Filled} turn */
export const opponentsPiece = (origin, owner, turn) => `${origin} shows ${owner}'s piece, and it is ${turn}'s turn`;
export const ownSquare = () => "a piece cannot go back to its own square";
/** @param {Filled} origin */
export const mayNotLift = (origin) => `lifting ${origin} reveals a line of the opponent's, which is forbidden`;
/** @param {Filled} target */
export const coversNothing = (target) => `${target} is occupied; pieces do not cover each other`;
/** @param {Filled} target */
export const coversOpponents = (target) => `${target} shows an own piece; only pieces of the opponent's can be covered`;
/** @param {Filled} target */
export const coversOwn = (target) => `${target} shows a piece of the opponent's; only own pieces can be covered`;
/** @param {Filled} name @param {Filled} size @param {Filled} sizes */
export const noSizeOnSquare = (name, size, sizes) => `${name}: there is no size ${size}; sizes are 1 to ${sizes}`;
/** @param {Filled} name @param {Filled} size @param {Filled} below */
export const cannotLieOn = (name, size, below) =>
  `${name}: a size ${size} cannot lie on a size ${below}; stacks are written from bottom to top, each piece larger than the one below`;
/** @param {Filled} owner @param {Filled} left @param {Filled} size @param {Filled} stock */
export const tooManyPieces = (owner, left, size, stock) =>
  `${owner} has ${left} pieces of size ${size} on the board; there are ${stock}`;
/** @param {Filled} owner @param {Filled} size @param {Filled} size2 */
export const nestedOrder = (owner, size, size2) =>
  `${owner} has more pieces of size ${size} on the board than of size ${size2}; nested stacks are played from the largest down`;
/** @param {Filled} names @param {Filled} counts @param {Filled} names2 @param {Filled} counts2 @param {Filled} turn */
export const notTheTurn = (names, counts, names2, counts2, turn) =>
  `${names} has ${counts} and ${names2} ${counts2} on the board, so it cannot be ${turn}'s turn; pieces are only placed here, by turns, and ${names} begins`;
/** @param {Filled} outcome */
export const overAlready = (outcome) => `the game is over, ${outcome}`;
/** @param {Filled} result @param {Filled} reason */
export const outcome = (result, reason) => `${result} (${reason})`;
export const noRulesTag = () => `the tag [Rules "…"], which names the rule set, is missing`;
/** @param {Filled} tagged @param {Filled} RESULTS */
export const unknownResult = (tagged, RESULTS) => `tag Result: ${quoted(tagged)} is none of ${RESULTS}`;
/** @param {Filled} tagged @param {Filled} written */
export const resultsDiffer = (tagged, written) => `the tag Result says ${tagged} and the moves end with ${written}`;
/** @param {Filled} name */
export const tagTwice = (name) => `the tag ${name} stands twice`;
/** @param {Filled} line */
export const notATag = (line) => `line ${line}: a tag is written like [Rules "gobblers"]`;
export const commentNeverEnds = () => "a comment that begins here never ends";
export const commentNeverBegan = () => "no {";
/** @param {Filled} MAXNesting */
export const nestedTooDeep = (MAXNesting) => `variations are nested more than ${MAXNesting} deep`;
/** @param {Filled} line @param {Filled} text @param {Filled} expected */
export const misplaced = (line, text, expected) =>
  `line ${line}: ${quoted(text)} stands where ${expected} was expected`;
export const nothingMore = () => "nothing";
export const moveOrResult = () => "a move or a result";
/** @param {Filled} line @param {Filled} line2 @param {Filled} found */
export const unclosed = (line, line2, found) =>
  `line ${line}: the variation that begins in line ${line2} needs a ) where ${found} stands`;
export const theEnd = () => "the end";
/** @param {Filled} number @param {Filled} turn */
export const moveOf = (number, turn) => `move ${number} of ${turn}`;
/** @param {Filled} name @param {Filled} value */
export const unprintable = (name, value) => `tag ${name}: ${quoted(value)} has characters that cannot be written`;
/** @param {Filled} limit */
export const notALimit = (limit) => `tag PlyLimit: ${quoted(limit)} is not a whole number of at least 1`;
/** @param {Filled} tag @param {Filled} text @param {Filled} meanings */
export const unknownWord = (tag, text, meanings) => `tag ${tag}: ${quoted(text)} is none of ${meanings}`;
/** @param {Filled} reason @param {Filled} REASONS */
export const unknownReason = (reason, REASONS) => `tag Termination: ${quoted(reason)} is none of ${REASONS}`;
/** @param {Filled} result @param {Filled} result2 */
export const resultContradicts = (result, result2) =>
  `the result ${result} contradicts the moves, which end ${result2}`;
/** @param {Filled} reason @param {Filled} reason2 */
export const reasonContradicts = (reason, reason2) =>
  `tag Termination: ${reason} contradicts the moves, which end by ${reason2}`;
/** @param {Filled} result @param {Filled} reason @param {Filled} allowed */
export const gameGoesOn = (result, reason, allowed) =>
  `the result ${result} by ${reason} contradicts the moves, after which the game goes on; allowed are ${allowed}`;
/** @param {Filled} VISIBILITIES @param {Filled} visibility */
export const noVisibility = (VISIBILITIES, visibility) =>
  `visibility is one of ${VISIBILITIES}, not ${quoted(visibility)}`;
/** @param {Filled} name */
export const noPeeking = (name) => `${name} does not allow looking under pieces`;
/** @param {Filled} name */
export const noTouchRule = (name) => `${name} has no rule about touched pieces`;
/** @param {Filled} name @param {Filled} person @param {Filled} computer */
export const personBegins = (name, person, computer) =>
  `in ${name} a person who plays the computer is ${person} and begins; the computer is ${computer}`;
export const fromMemory = () => "this game is played from memory, without looking under pieces";
/** @param {Filled} move @param {Filled} turn @param {Filled} touched */
export const mustPlayTouched = (move, turn, touched) => `${move}: ${turn} has touched ${touched} and must play it`;
/** @param {Filled} turn @param {Filled} touched */
export const touchStays = (turn, touched) =>
  `${turn} has touched ${touched} and must play it; taking back does not free a touched piece`;
export const noTouchMove = () => "touching a piece has no meaning here: touch-move is not played";
/** @param {Filled} turn @param {Filled} touched */
export const alreadyTouched = (turn, touched) => `${turn} has already touched ${touched}`;
/** @param {Filled} asks */
export const alreadyOffered = (asks) => `${asks} has already offered a draw, which waits for an answer`;
export const wasLifted = () => "a piece was lifted, and taking that back would be a look under it";
export const wasCovered = () => "a piece was covered, and taking that back would show it again";
export const wasShown = () => "the covered pieces have been shown; this game cannot go on";
export const nothingToRedo = () => "there is nothing to do again";
/** @param {Filled} turn */
export const toMove = (turn) => `${turn} is to move.`;
export const nothingToUndo = () => "there is nothing to take back";
/** @param {Filled} name */
export const finishedStays = (name) => `a finished game of ${name} cannot be taken back; start again instead`;
/** @param {Filled} explain */
export const isOver = (explain) => `the game is over: ${explain}`;
/** @param {Filled} turn @param {Filled} by */
export const notYourTurn = (turn, by) => `it is ${turn}'s turn, not ${by}'s`;
export const showsNothing = () => "is empty";
/** @param {Filled} side */
export const showsPiece = (side) => `shows ${side}'s piece`;
/** @param {Filled} square @param {Filled} shown @param {Filled} side */
export const onlyOwnPieces = (square, shown, side) => `${square} ${shown}; ${side} can only lift own pieces`;
/** @param {Filled} name */
export const noAgreement = (name) => `${name} knows no draw by agreement`;
/** @param {Filled} side */
export const noDrawOffered = (side) => `nobody has offered ${side} a draw`;
/** @param {Filled} winner @param {Filled} position */
export const winsWith = (winner, position) => `${winner} wins with the ${position}`;
/** @param {Filled} winner @param {Filled} loser @param {Filled} position */
export const winsByLosingLine = (winner, loser, position) =>
  `${winner} wins: ${loser} has made the ${position}, which loses`;
/** @param {Filled} other @param {Filled} position */
export const although = (other, position) => `, although ${other} has the ${position} too`;
/** @param {Filled} lifted */
export const liftingRevealed = (lifted) => `lifting ${lifted} revealed`;
export const thereStands = () => "there stands";
/** @param {Filled} winner @param {Filled} how @param {Filled} owner @param {Filled} position */
export const winsByReveal = (winner, how, owner, position) => `${winner} wins: ${how} ${owner}'s ${position}`;
/** @param {Filled} winner @param {Filled} loser */
export const winsWithoutMove = (winner, loser) => `${winner} wins: ${loser} has no legal move`;
/** @param {Filled} winner @param {Filled} loser @param {Filled} touched */
export const winsByTouch = (winner, loser, touched) =>
  `${winner} wins: ${loser} touched ${touched}, which cannot be played`;
/** @param {Filled} winner @param {Filled} loser */
export const winsByResignation = (winner, loser) => `${winner} wins: ${loser} resigned`;
export const drawBothLines = () => "Draw: both players have a line.";
/** @param {Filled} times */
export const drawByRepetition = (times) => `Draw: the same position has occurred ${times} times.`;
export const drawAllPlaced = () => "Draw: all pieces are on the board and nobody has a line.";
export const drawBoardFull = () => "Draw: every square is occupied and nobody has a line.";
/** @param {Filled} turn */
export const drawWithoutMove = (turn) => `Draw: ${turn} has no legal move.`;
export const drawByAgreement = () => "Draw by agreement.";
/** @param {Filled} plies @param {Filled} hasLimit */
export const unfinishedAfter = (plies, hasLimit) => `Unfinished after ${plies}${hasLimit}; it counts as a draw.`;
export const theLimit = () => ", the limit of this game";
export const noneTouched = () => "no piece has been touched";
export const useUndo = () => "here nobody has to be asked: use undo";
export const bothComputers = () => "the computer plays both sides; take a seat over first";
/** @param {Filled} side */
export const nobodyAsked = (side) => `nobody has asked ${side} to take anything back`;
/** @param {Filled} ply @param {Filled} allowed */
export const noPlyThere = (ply, allowed) => `ply ${ply} is not there to go to; allowed is ${allowed}`;
/** @param {Filled} least */
export const pliesAtLeast = (least) => `at least ${least}`;
/** @param {Filled} least @param {Filled} most */
export const pliesBetween = (least, most) => `${least} to ${most}`;
/** @param {Filled} ply @param {Filled} ply2 */
export const pliesAfterRedo = (ply, ply2) => `after doing everything again there are ${ply} moves, not ${ply2}`;
/** @param {Filled} side */
export const personAlready = (side) => `${side} is played by a person already`;
/** @param {Filled} side */
export const computerPlays = (side) => `the computer plays ${side}; take the seat over first`;
/** @param {Filled} rulesName */
export const closed = (rulesName) =>
  `a finished game of ${rulesName} stays as it is; ask for a rematch or begin a new game`;
export const rematchTooEarly = () => "a rematch can be asked for when the game is over";
/** @param {Filled} rematch */
export const rematchBegun = (rematch) => `the rematch has begun: it is game ${rematch}`;
/** @param {Filled} number @param {Filled} asked */
export const stale = (number, asked) =>
  `the game is at number ${number}, and this answers number ${asked}; look at it again`;
/** @param {Filled} level @param {Filled} names @param {Filled} names2 */
export const noLevel = (level, names, names2) => `there is no level ${quoted(level)}${names}; levels are ${names2}`;
/** @param {Filled} error */
export const levelProblem = (error) => `level: ${error}`;
/** @param {Filled} name */
export const notSolved = (name) => `level: there is no perfect play in ${name}, which is not solved here`;
/** @param {Filled} seat */
export const needsLevel = (seat) => `seats.${seat}: a computer needs a level`;
/** @param {Filled} seat */
export const hasNoLevel = (seat) => `seats.${seat}: only a computer has a level`;
/** @param {Filled} beside */
export const saidByRecord = (beside) => `${beside}: the record says it; leave it out beside record`;
/** @param {Filled} MOSTPlies */
export const tooManyMoves = (MOSTPlies) => `record: a game here has at most ${MOSTPlies} moves`;
export const recordIsSecret = () => "the record tells what is covered; it can be had when the game is over";
