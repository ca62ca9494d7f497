/**
 * What positions are worth, by the page's own engine and the tablebases: nothing is asked of the server.
 *
 *     import { analyse, lookAt } from "../analysis/analyse.js";
 *
 *     const study = await lookAt(rules, { start, moves });          // at once, without values
 *     study.board; study.outcome; study.text;                       // as in the API's Study message
 *     study.moves;                                                  // every legal move, all values null
 *
 *     const abort = new AbortController();
 *     const analysis = await analyse(rules, { start, moves }, {
 *       seconds: 1,                                                 // not needed where a table knows everything
 *       variations: 3,                                              // how many moves get a whole line
 *       report: (soFar) => show(soFar),                             // each depth, the same type
 *       signal: abort.signal,                                       // stops it; the last report is the answer
 *     });
 *     const [best] = analysis.moves;                                // best first, symmetric ones once:
 *     best.move; best.alike;                                        // "1a1", and ["1c1", "1a3", "1c3"] mean the same
 *     best.value; best.distance;                                    // "win" in 13 plies, null if not known
 *     best.score; best.chance;                                      // the engine's judgement
 *     best.line;                                                    // ["1a1", …]: best play by both sides
 *     analysis.exact;                                               // a table says so
 *
 * `rules` is the RuleSet; `start` is a position's text (or "start"), and `moves` are those played since, in
 * any spelling: both are needed, since repetition counts. What cannot be read or played is refused with
 * the server's words, as a `Refusal`. Where the browser runs no WebAssembly the server analyses; if there is
 * none, an `EngineError` says so.
 * Values and scores are for the player to move. One analysis at a time: another one stops the first.
 *
 * @import { RuleSet, Study, StudyMove, TableState, Value } from "../server/types.js"
 * @import { Report } from "../engine/worker.js"
 * @import { Variation } from "../engine/search.js"
 */
import { Engine } from "../engine/engine.js";
import { FORCED, WIN } from "../engine/layout.js";
import { EngineError } from "../engine/module.js";
import { Game } from "../local/game.js";
import { SEATS } from "../local/referee.js";
import { refereeFor } from "../local/referees.js";
import { fetchStatus, fetchStudy, Refusal, sentence } from "../server/api.js";
import { counted } from "../shared/words.js";
import { hasServer, tableOf } from "../site/site.js";

/**
 * @typedef {{start: string, moves: string[]}} Line  a position and how it was reached
 * @typedef {StudyMove & {alike: string[]}} AnalysedMove  `alike` are the other moves that a symmetry makes equal to it
 * @typedef {Omit<Study, "moves"> & {moves: AnalysedMove[]}} Analysis
 * @typedef {{value: Value | null, distance: number | null, score: number | null, chance: number | null}} Worth
 * @typedef {{seconds?: number, variations?: number, report?: (analysis: Analysis) => void,
 *   signal?: AbortSignal}} Options
 */

/** How long the server thinks, whose time is everybody's. */
const SERVER_SECONDS = 1;
/** @type {Worth} */
const UNKNOWN = { value: null, distance: null, score: null, chance: null };

/** The engine of all analyses and reviews; the players of games have another one. */
export const engine = new Engine(tableOf);
/** @type {AbortController | null} */
let running = null;

/**
 * The game after these moves, in which nothing is hidden.
 *
 * @param {RuleSet} rules
 * @param {Line} line
 * @returns {Promise<Game>}
 */
export async function gameAfter(rules, { start, moves }) {
  const referee = await refereeFor(rules);
  return refusing(() => {
    const position = referee.read(start);
    const game = new Game(referee, { start: position, visibility: "open", touchMove: null, plyLimit: null });
    for (const [index, text] of moves.entries()) {
      refusing(() => game.play(referee.readMove(text), game.turn), `move ${index + 1}: `);
    }
    return game;
  });
}

/** Refusals as sentences. @template Result @param {() => Result} work @param {string} [before] */
function refusing(work, before = "") {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(error.code, sentence(before + error.message));
    throw error;
  }
}

/** All positions of a game, for the engine. @param {Game} game */
export function historyOf(game) {
  return [game.start, ...game.played.map((each) => each.position)];
}

/**
 * A position as a study, without values.
 *
 * @param {RuleSet} rules
 * @param {Line} line
 * @returns {Promise<Study>}
 */
export function lookAt(rules, line) {
  return orByServer(
    () => lookHere(rules, line),
    () => fetchStudy(rules.name, line, { seconds: 0 }),
  );
}

/** @param {RuleSet} rules @param {Line} line */
async function lookHere(rules, line) {
  const game = await gameAfter(rules, line);
  return study(game, false, UNKNOWN, game.end ? [] : game.legalMoves().map((move) => moveOf(game, [move], UNKNOWN)));
}

/**
 * What a position and each of its moves are worth; see above.
 *
 * @param {RuleSet} rules
 * @param {Line} line
 * @param {Options} [options]
 * @returns {Promise<Analysis>}
 */
export function analyse(rules, line, options = {}) {
  return orByServer(
    () => analyseHere(rules, line, options),
    async () => {
      const { variations } = options;
      const study = await fetchStudy(rules.name, line, { seconds: SERVER_SECONDS, variations });
      return { ...study, moves: study.moves.map((move) => ({ ...move, alike: [] })) };
    },
  );
}

/**
 * What this browser finds out, or what the server does where the browser runs no engine.
 *
 * @template Result
 * @param {() => Promise<Result>} here
 * @param {() => Promise<Result>} byServer
 */
export async function orByServer(here, byServer) {
  try {
    return await here();
  } catch (error) {
    if (error instanceof EngineError && hasServer) return byServer();
    throw error;
  }
}

/** @param {RuleSet} rules @param {Line} line @param {Options} options @returns {Promise<Analysis>} */
async function analyseHere(rules, line, { seconds = 1, variations = 1, report, signal }) {
  running?.abort();
  const abort = new AbortController();
  running = abort;
  signal?.addEventListener("abort", () => abort.abort(), { once: true });
  if (signal?.aborted) abort.abort();
  const game = await gameAfter(rules, line);
  if (game.end) return study(game, true, UNKNOWN, []);
  const positions = historyOf(game);
  const groups = foldable(game);
  const table = stateOfTable(rules);
  const told = async (/** @type {Report} */ found) => analysisOf(game, groups, found, await table);
  const found = await engine.think(
    rules,
    { positions, moves: groups.map(([move = ""]) => move) },
    { seconds, variations: Math.min(variations, groups.length), everyMove: true },
    {
      report: async (soFar) => {
        const analysis = await told(soFar);
        if (!abort.signal.aborted) report?.(analysis);
      },
      signal: abort.signal,
    },
  );
  return told(found);
}

/**
 * The legal moves, symmetric ones together. After a move on the board an earlier position may come again
 * by one move and not by its mirror image: then they are kept apart.
 *
 * @param {Game} game
 */
function foldable(game) {
  const { law } = game.referee;
  const moves = game.legalMoves();
  const last = game.lastMove;
  const mayRepeat = game.referee.rules.repetition > 0 && last !== null && last.length > 3;
  return mayRepeat ? moves.map((move) => [move]) : law.alike(game.position, moves);
}

/**
 * @param {Game} game
 * @param {string[][]} groups
 * @param {Report} found
 * @param {TableState} table
 * @returns {Analysis}
 */
function analysisOf(game, groups, found, table) {
  const { depth, nodes, seconds, exact, remark } = found;
  const listed = [...found.variations, ...found.others];
  const moves = listed.map((variation) => {
    const group = groups.find(([first]) => first === variation.moves[0]) ?? [];
    return moveOf(game, group, worthOf(variation, exact), variation.moves);
  });
  const worth = listed[0] ? worthOf(listed[0], exact) : UNKNOWN;
  const progress = exact ? {} : { depth, nodes, seconds };
  const state = remark ? { ...table, remark } : table;
  return { ...study(game, exact, worth, moves), ...progress, table: exact ? { ...table, remark: null } : state };
}

/** @param {Pick<Variation, "score">} variation @param {boolean} isExact @returns {Worth} */
export function worthOf({ score }, isExact) {
  const shown = isExact ? null : score;
  if (Math.abs(score) > FORCED) {
    const isWin = score > 0;
    return { value: isWin ? "win" : "loss", distance: WIN - Math.abs(score), score: shown, chance: isWin ? 1 : 0 };
  }
  if (isExact) return { value: "draw", distance: null, score: null, chance: 0.5 };
  return { value: null, distance: null, score, chance: 1 / (1 + Math.exp(-score / 100)) };
}

/**
 * @param {Game} game
 * @param {string[]} group  a move and those like it
 * @param {Worth} worth
 * @param {string[]} [line]
 * @returns {AnalysedMove}
 */
function moveOf(game, [move = "", ...alike], worth, line = [move]) {
  const { referee, position } = game;
  return {
    move,
    alike,
    ...worth,
    dangerous: referee.law.dangerousMoves(position).includes(move),
    words: inWords(game, worth),
    line,
    after: referee.board(referee.law.play(position, move)).text,
  };
}

/**
 * @param {Game} game
 * @param {boolean} exact
 * @param {Worth} worth
 * @param {AnalysedMove[]} moves
 * @returns {Analysis}
 */
function study(game, exact, worth, moves) {
  const { end, position, referee, turn } = game;
  if (end) {
    const value = end.winner === null ? "draw" : end.winner === turn ? "win" : "loss";
    worth = { value, distance: 0, score: null, chance: value === "draw" ? 0.5 : Number(value === "win") };
  }
  return {
    rules: referee.rules.name,
    board: referee.board(position),
    outcome: end && { ...end, result: game.result, lines: SEATS.flatMap((seat) => referee.lines(position, seat)) },
    text: game.explain(),
    words: end ? game.explain() : inWords(game, worth),
    exact: exact || end !== null,
    ...worth,
    depth: null,
    nodes: null,
    seconds: null,
    moves,
    table: referee.rules.table,
  };
}

/** Who wins and when, in a sentence. @param {Game} game @param {Worth} worth */
function inWords({ referee, turn }, { value, distance }) {
  if (value === null) return null;
  if (value === "draw") return "The game is a draw with best play.";
  const winner = (value === "win") === (turn === "first") ? "first" : "second";
  return `${referee.name(winner)} wins in ${counted(distance ?? 0, "move")}.`;
}

/**
 * The state of the server's table, which may be in the making.
 *
 * @param {RuleSet} rules @returns {Promise<TableState>}
 */
async function stateOfTable({ name, table }) {
  if (table.state !== "building") return table;
  return fetchStatus().then(
    ({ tables }) => tables[name] ?? table,
    () => table,
  );
}
