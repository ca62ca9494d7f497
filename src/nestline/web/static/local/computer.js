/**
 * The computer as a player in the games of this page: its moves, and its answers to draw offers.
 * The engine thinks, in a worker.
 *
 * @import { Deed } from "./actions.js"
 * @import { LocalGame } from "./local_game.js"
 */
import { Engine } from "../engine/engine.js";
import { FORCED } from "../engine/layout.js";
import { tableOf } from "../site/site.js";

const SECONDS_FOR_AN_ANSWER = 0.5;

const engine = new Engine(tableOf);

/**
 * What the computer does in this state, in which it has to do something.
 *
 * @param {LocalGame} local
 * @param {AbortSignal} signal  stops it
 * @returns {Promise<Deed>}
 */
export async function decide(local, signal) {
  const { game, referee } = local;
  const seat = local.computerSeat ?? game.turn;
  const positions = [game.start, ...game.played.map((each) => each.position)];
  if (game.offer !== null && game.offer !== seat) {
    const limits = { seconds: SECONDS_FOR_AN_ANSWER };
    const { variations } = await engine.think(referee.rules, { positions }, limits, { signal });
    const score = (variations[0]?.score ?? 0) * (game.turn === seat ? 1 : -1);
    return { action: acceptsDraw(local, score) ? "accept-draw" : "decline-draw", seat };
  }
  const moves = game.touched === null ? {} : { moves: game.legalMoves() };
  /** Whoever shows the game may show how deep the computer looks. @param {{depth: number}} report */
  const report = ({ depth }) =>
    document.dispatchEvent(new CustomEvent("nest-thinking", { detail: { id: local.id, depth } }));
  const level = local.levels[seat] ?? "1";
  const move = await engine.choose(referee.rules, { positions, ...moves }, level, { report, signal });
  return { action: "move", seat, move };
}

/**
 * It accepts if it is losing; otherwise only late in the game, and if it is not better.
 *
 * @param {LocalGame} local
 * @param {number} score  of the one who is asked
 */
function acceptsDraw({ game, referee }, score) {
  return score < -FORCED || (game.ply >= referee.rules.squares.length && score <= 0);
}
