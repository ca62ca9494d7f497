/**
 * A good move in a game, and why it is good. The engine of the page finds it, in the tablebase where
 * there is one. Where covered pieces are secret, only what everybody sees is used.
 *
 * @import { Board, RuleSet, SeatName, Value } from "../server/types.js"
 * @import { Law, Position } from "../engine/law.js"
 * @import { MoveValue } from "../engine/table.js"
 * @import { WatchedGame } from "../server/connection.js"
 */
import { Engine } from "../engine/engine.js";
import { FORCED, WIN } from "../engine/layout.js";
import { EngineError } from "../engine/module.js";
import { refereeFor } from "../local/referees.js";
import { other, readMove, readPiece } from "../shared/notation.js";
import { counted, listing } from "../shared/words.js";
import { tableOf } from "../site/site.js";

/** @typedef {{move: string, why: string}} Advice */

const SECONDS = 1;

/** @type {Engine | null} */
let engine = null;
/**
 * @param {RuleSet} rules
 * @param {Board[]} boards  of the whole game, since positions may repeat
 * @param {string[]} legal
 * @returns {Promise<Advice>}
 */
export async function advise(rules, boards, legal) {
  const { law } = await refereeFor(rules);
  engine ??= new Engine(tableOf);
  const positions = boards.map((board) => law.read(board));
  const game = { positions, moves: legal };
  const position = /** @type {Position} */ (positions.at(-1));
  const values = await engine.values(rules, game).catch(ignoreEngineError);
  if (values) {
    const move = await engine.choose(rules, game, "perfect");
    const found = values.find((each) => each.move === move);
    return { move, why: reason(law, position, move, found?.value ?? null, found?.distance ?? null, values) };
  }
  const { variations } = await engine.think(rules, game, { seconds: SECONDS });
  const { moves = [], score = 0 } = variations[0] ?? {};
  const move = moves[0] ?? legal[0] ?? "";
  const value = score > FORCED ? "win" : score < -FORCED ? "loss" : null;
  return { move, why: reason(law, position, move, value, value && WIN - Math.abs(score), []) };
}

/** A table that cannot be read is as good as none. @param {unknown} error */
function ignoreEngineError(error) {
  if (error instanceof EngineError) return null;
  throw error;
}

/**
 * @param {Law} law
 * @param {Position} position
 * @param {string} move
 * @param {Value | null} value  of the move, as far as it is known
 * @param {number | null} distance
 * @param {MoveValue[]} values  of all moves, where they are known
 */
function reason(law, position, move, value, distance, values) {
  const outcome = law.outcome(law.play(position, move));
  if (outcome?.winner === position.turn) {
    const own = outcome.lines.filter((line) => line.includes(readMove(move).target));
    return own.length ? `It completes ${written(own)} and wins.` : "It wins at once.";
  }
  const stopped = value === "loss" ? [] : threats(law, position);
  const stops = stopped.length ? `It stops ${written(stopped)}.` : "";
  return `${stops} ${worth(value, distance, values)}`.trim();
}

/** @param {Value | null} value @param {number | null} distance @param {MoveValue[]} values */
function worth(value, distance, values) {
  const count = `${counted(distance ?? 0, "move")}, counting both sides`;
  if (value === "win") return `It wins by force in ${count}.`;
  if (value === "loss") return `Every move loses; this one holds out longest, for ${count}.`;
  if (value === null) return "The computer sees nothing better.";
  const isOnly = values.filter((each) => each.value === "draw").length === 1;
  return isOnly ? "It is the only move that keeps the draw." : "It keeps the draw.";
}

/** The lines that the other side would complete if it were to move. @param {Law} law @param {Position} position */
function threats(law, position) {
  const turned = { ...position, turn: other(position.turn) };
  const lines = law.legalMoves(turned).flatMap((move) => {
    const outcome = law.outcome(law.play(turned, move));
    const { target } = readMove(move);
    return outcome?.winner === turned.turn ? outcome.lines.filter((line) => line.includes(target)) : [];
  });
  return [...new Map(lines.map((line) => [line.join(), line])).values()];
}

/** @param {string[][]} lines */
function written(lines) {
  return listing(lines.map((line) => line.join("-")));
}

/**
 * Whether nothing is covered: then the uppermost pieces explain what is missing in the reserves.
 *
 * @param {RuleSet} rules @param {Board} board  as everybody sees it
 */
export async function isAllSeen(rules, board) {
  const { law } = await refereeFor(rules);
  const position = law.read(board);
  const seats = /** @type {SeatName[]} */ (["first", "second"]);
  return seats.every((seat) => law.reserve(position, seat).join() === board.reserves[seat].join());
}

/**
 * Advice from the uppermost pieces alone: complete a line, or stop one. None if there is nothing of either, or if a
 * line loses or needs certain sizes.
 *
 * @param {RuleSet} rules
 * @param {Pick<WatchedGame, "board" | "legal" | "turn">} game  with what everybody sees of the board
 * @returns {Advice | null}
 */
export function adviseFromTops(rules, { board, legal, turn }) {
  if (rules.misere || rules.line_sizes !== "any") return null;
  /** @type {Record<string, SeatName | undefined>} */
  const owners = {};
  for (const [square, stack] of Object.entries(board.stacks)) {
    const top = stack.at(-1);
    if (top) owners[square] = readPiece(top).seat;
  }
  const largestFirst = [...legal].sort((one, two) => sizeOf(board, two) - sizeOf(board, one));
  for (const move of largestFirst) {
    const line = rules.line_squares.find((each) => completes(each, move, owners, turn));
    if (line) return { move, why: `It completes ${line.join("-")}.` };
  }
  for (const line of rules.line_squares) {
    const others = line.filter((square) => owners[square] === other(turn));
    if (others.length < line.length - 1 || others.length === line.length) continue;
    const gap = line.find((square) => !others.includes(square)) ?? "";
    if (owners[gap] === turn) continue;
    const into = largestFirst.filter((move) => line.includes(readMove(move).target));
    const move = into.find((each) => readMove(each).target === gap) ?? into[0];
    if (move) return { move, why: `It stops ${line.join("-")}.` };
  }
  return null;
}

/**
 * @param {string[]} line @param {string} move
 * @param {Record<string, SeatName | undefined>} owners @param {SeatName} turn
 */
function completes(line, move, owners, turn) {
  const { origin, target } = readMove(move);
  if (!line.includes(target)) return false;
  return line.every((square) => square === target || (square !== origin && owners[square] === turn));
}

/** @param {Board} board @param {string} move */
function sizeOf(board, move) {
  const { size, origin } = readMove(move);
  return size ?? readPiece(board.stacks[origin ?? ""]?.at(-1) ?? "w1").size;
}
