/**
 * What each move of a game was worth, and what it gave away, by the page's own engine and the solved
 * tables. It is `nestline.engine.review` in the page, and tells the same Review message as the server.
 *
 * @import { Judgement, Outcome, Review, ReviewedMove, RuleSet } from "../server/types.js"
 * @import { Game } from "../local/game.js"
 * @import { Line, Worth } from "./analyse.js"
 */
import { fetchReview } from "../server/api.js";
import { studyRecord } from "../shared/addresses.js";
import { engine, gameAfter, historyOf, orByServer, worthOf } from "./analyse.js";

/** From how much lost winning chance on a move is called one of these. @type {[number, ReviewedMove["mark"]][]} */
const MARKS = [
  [0.4, "??"],
  [0.2, "?"],
  [0.1, "?!"],
];
/** How long the engine thinks about a move where there is no table. */
const SECONDS = 0.25;

/**
 * @typedef {{report?: (move: ReviewedMove, index: number) => void, signal?: AbortSignal, seconds?: number}} Options
 *   `report` is told each move; aborting the signal ends the review after the move being looked at
 */

/**
 * With a sentence on why the tablebase was not used, if there is one.
 *
 * @typedef {Review & {remark: string | null}} PageReview
 */

/**
 * Review the moves of a game.
 *
 * @param {RuleSet} rules
 * @param {Line} line
 * @param {Options} [options]
 * @returns {Promise<PageReview>}
 */
export function reviewGame(rules, line, options = {}) {
  return orByServer(
    () => reviewHere(rules, line, options),
    async () => {
      const review = await fetchReview(studyRecord(line, rules));
      for (const [index, move] of review.moves.entries()) options.report?.(move, index);
      return { ...review, remark: null };
    },
  );
}

/** @param {RuleSet} rules @param {Line} line @param {Options} options @returns {Promise<PageReview>} */
async function reviewHere(rules, { start: from, moves: played }, { report, signal, seconds = SECONDS }) {
  const game = await gameAfter(rules, { start: from, moves: [] });
  const offset = game.turn === "first" ? 0 : 1;
  /** @type {ReviewedMove[]} */
  const moves = [];
  let isExact = true;
  /** @type {string | null} */
  let remark = null;
  for (const [index, text] of played.entries()) {
    if (signal?.aborted) break;
    const judged = await judge(game, game.referee.readMove(text), seconds);
    isExact &&= judged.exact;
    remark ??= judged.remark;
    const { seat, move } = judged;
    game.play(move, seat);
    const reviewed = {
      number: Math.floor((index + offset) / 2) + 1,
      seat,
      move,
      board: game.referee.board(game.position),
      ...comparison(judged),
    };
    moves.push(reviewed);
    report?.(reviewed, index);
  }
  const { referee, result } = game;
  const start = referee.board(game.start);
  return { rules: rules.name, start, exact: isExact, remark, result, count: played.length, moves };
}

/**
 * @typedef {{seat: Game["turn"], move: string, before: Judgement, after: Judgement, best: string[],
 *   best_line: string[], exact: boolean, remark: string | null}} Judged
 */

/**
 * What the best move and the one played are worth, for the player who moves.
 *
 * @param {Game} game
 * @param {string} move
 * @param {number} seconds
 * @returns {Promise<Judged>}
 */
async function judge(game, move, seconds) {
  const { rules } = game.referee;
  const positions = historyOf(game);
  const found = await engine.think(rules, { positions }, { seconds: seconds / 2, everyMove: true });
  const [first] = found.variations;
  if (!first) throw new RangeError("there is no move to review");
  const seat = game.turn;
  if (found.exact) {
    const all = [...found.variations, ...found.others];
    const best = all.filter(({ score }) => score === first.score).map(({ moves }) => moves[0] ?? "");
    const played = all.find(({ moves }) => moves[0] === move) ?? first;
    const before = judgement(worthOf(first, true), null);
    const after = judgement(worthOf(played, true), null);
    return { seat, move, before, after, best, best_line: first.moves, exact: true, remark: null };
  }
  let [bestFound, bestLine] = [found, first];
  let [playedFound, playedLine] = [found, first];
  if (first.moves[0] !== move) {
    // At equal depth; the engine may think more of the move once it has looked at it alone.
    const limits = { depth: Math.max(found.depth, 1) };
    playedFound = await engine.think(rules, { positions, moves: [move] }, limits);
    playedLine = playedFound.variations[0] ?? first;
    if (playedLine.score >= first.score) [bestFound, bestLine] = [playedFound, playedLine];
  }
  return {
    seat,
    move,
    before: judgement(worthOf(bestLine, false), bestFound.depth),
    after: judgement(worthOf(playedLine, false), playedFound.depth),
    best: [bestLine.moves[0] ?? ""],
    best_line: bestLine.moves,
    exact: false,
    remark: found.remark,
  };
}

/** @param {Worth} worth @param {number | null} depth @returns {Judgement} */
function judgement({ chance, ...worth }, depth) {
  return { ...worth, depth, chance: chance ?? 0.5 };
}

/** What a move gave away. @param {Judged} judged */
function comparison({ move, before, after, best, best_line }) {
  const isBest = best.includes(move);
  const isSame = before.value === after.value;
  const lost = Math.max(0, before.chance - after.chance);
  const mark = isBest ? "" : (MARKS.find(([least]) => lost >= least)?.[1] ?? "");
  /** @type {ReviewedMove["thrown_away"]} */
  const thrown = isBest || before.value === null ? null : isSame ? "plies" : thrownAway(before.value);
  const plies = isSame ? Math.abs((before.distance ?? 0) - (after.distance ?? 0)) : 0;
  return { before, after, thrown_away: thrown, plies_lost: plies, chance_lost: lost, mark, best, best_line };
}

/** Nobody can throw a loss away. @param {NonNullable<Judgement["value"]>} value */
function thrownAway(value) {
  return value === "loss" ? null : value;
}

/**
 * The share of the first player where the pieces have ended the game; null where the players did, by words.
 *
 * @param {Pick<Outcome, "winner" | "reason"> | null} outcome
 */
export function shareAtEnd(outcome) {
  if (!outcome || ["resignation", "agreement"].includes(outcome.reason)) return null;
  if (!outcome.winner) return 0.5;
  return outcome.winner === "first" ? 1 : 0;
}
