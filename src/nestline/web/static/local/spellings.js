/**
 * Squares, moves and positions as people write them, read in every accepted spelling: what
 * `nestline.notation` is in Python. What is canonical, `shared/notation` writes.
 *
 * @import { RuleSet, SeatName } from "../server/types.js"
 */
import { Refusal } from "../server/api.js";
import * as say from "./sentences.js";
import { quotedShortly, strip, tidy, words } from "./texts.js";

const COLUMNS = "abcd";
const SIZE_LETTERS = "sml";
const COORDINATES = "-?[0-9]{1,3} *, *-?[0-9]{1,3}";
const NAMED = `[a-z][0-9]{1,3}|[a-h]{2}|\\( *${COORDINATES} *\\)`;
const SQUARE = `(?:${NAMED}|${COORDINATES})`;
const BETWEEN = " *(?:->|→|-|x)? *";
const PLACE = whole(`([0-9]|[${SIZE_LETTERS}])(?: *(${NAMED})| +(${COORDINATES}))`);
const MOVE = whole(`(${SQUARE})${BETWEEN}(${SQUARE})`);
const ALONE = whole(SQUARE);
const RUN = whole("x([1-9]?)");
const STACK = whole("(?:[wb][0-9])+");

/** @param {string} pattern */
function whole(pattern) {
  return new RegExp(`^(?:${pattern})$`, "u");
}

/** @param {string} message */
function invalid(message) {
  return new Refusal("invalid", message);
}

/** In lower case, every blank the same one. @param {string} text */
function lowered(text) {
  return Array.from(strip(text).toLowerCase(), (letter) => (words(letter).length ? letter : " ")).join("");
}

/**
 * The name of a square.
 *
 * @param {string} text  like `b2`, `BB` or `(1,1)`
 * @param {RuleSet} rules
 */
export function readSquare(text, rules) {
  const word = lowered(text);
  if (!ALONE.test(word)) throw invalid(say.notASquare(quotedShortly(text)));
  const [one = Number.NaN, two = Number.NaN] = (word.match(/-?[0-9]+/g) ?? []).map(Number);
  let [row, column] = [rules.board - 1 - one, two];
  let allowed = say.rowsAndColumns(rules.board - 1);
  if (!word.includes(",")) {
    column = COLUMNS.indexOf(word.charAt(0));
    row = Number.isNaN(one) ? COLUMNS.indexOf(word.charAt(1)) : one - 1;
    allowed = say.squaresAre(rules.squares.at(-1) ?? "");
  }
  if (!(row >= 0 && row < rules.board && column >= 0 && column < rules.board)) {
    throw invalid(say.notOnTheBoard(tidy(text), rules.board, allowed));
  }
  return `${COLUMNS[column]}${row + 1}`;
}

/**
 * A move in its canonical spelling; it need not be legal.
 *
 * @param {string} text
 * @param {RuleSet} rules
 */
export function readTypedMove(text, rules) {
  const word = lowered(text);
  const placed = PLACE.exec(word);
  if (placed) {
    const target = readSquare(placed[2] ?? placed[3] ?? "", rules);
    return `${readSize(placed[1] ?? "", rules)}${target}`;
  }
  const moved = MOVE.exec(word);
  if (moved) return readSquare(moved[1] ?? "", rules) + readSquare(moved[2] ?? "", rules);
  const sizes = rules.stock.length;
  if (ALONE.test(word)) {
    const target = readSquare(word, rules);
    if (sizes === 1) return `1${target}`;
    throw invalid(say.oneSquareOnly(quotedShortly(text), sizes, target));
  }
  const last = rules.squares.at(-1);
  const example = `${sizes}${last}${rules.moving ? ` or a1${last}` : ` or ${last}`}`;
  throw invalid(say.notAMove(quotedShortly(text), example));
}

/** @param {string} text @param {RuleSet} rules */
function readSize(text, rules) {
  const sizes = rules.stock.length;
  const all = sizes > 1 ? say.sizesAre(sizes) : say.onlySize();
  const letter = SIZE_LETTERS.indexOf(text);
  if (letter >= 0) {
    if (sizes !== SIZE_LETTERS.length) throw invalid(say.lettersForThreeSizes(all));
    return letter + 1;
  }
  const size = Number(text);
  if (size < 1 || size > sizes) throw invalid(say.noSize(size, all));
  return size;
}

/**
 * The stacks and the turn of a position; whether such pieces exist is not checked here.
 *
 * @param {string} text  like `x3/x,b1w3,x/w2,x2 b`, or `start`
 * @param {RuleSet} rules
 * @returns {{stacks: Record<string, string[]>, turn: SeatName}}
 */
export function readBoard(text, rules) {
  const parts = words(lowered(text).replaceAll("_", " "));
  const [board = "", turn = ""] = parts;
  if (parts.length === 1 && board === "start") return { stacks: {}, turn: "first" };
  if (parts.length !== 2) {
    const empty = rules.board > 1 ? `x${rules.board}` : "x";
    throw invalid(say.notAPosition(quotedShortly(text), Array(rules.board).fill(empty).join("/")));
  }
  if (turn !== "w" && turn !== "b") throw invalid(say.playerToMove(quotedShortly(turn)));
  const rows = board.split("/");
  if (rows.length !== rules.board) {
    throw invalid(say.wrongRows(rows.length, plural(rows.length), rules.name, rules.board));
  }
  /** @type {Record<string, string[]>} */
  const stacks = {};
  for (const [index, row] of rows.entries()) {
    const number = rules.board - index;
    for (const [column, stack] of readRow(row, number, rules).entries()) {
      if (stack.length > 0) stacks[`${COLUMNS[column]}${number}`] = stack;
    }
  }
  return { stacks, turn: turn === "w" ? "first" : "second" };
}

/** @param {string} text @param {number} number @param {RuleSet} rules */
function readRow(text, number, rules) {
  /** @type {string[][]} */
  const squares = [];
  for (const item of text.split(",")) {
    const run = RUN.exec(item);
    if (run) for (let count = Number(run[1] || 1); count > 0; count -= 1) squares.push([]);
    else if (STACK.test(item)) squares.push(item.match(/../g) ?? []);
    else throw invalid(say.notASquareOfARow(number, quotedShortly(item)));
  }
  if (squares.length !== rules.board) {
    throw invalid(say.wrongSquares(number, squares.length, plural(squares.length), rules.name, rules.board));
  }
  return squares;
}

/** @param {number} count */
function plural(count) {
  return count === 1 ? "" : "s";
}
