/**
 * Why a try does not solve a puzzle: the best answer to it, by the tablebase where there is one, otherwise by
 * the engine.
 *
 * @import { Outcome, RuleSet, SeatName } from "../server/types.js"
 * @import { Played, Practice } from "./practice.js"
 */
import { engine } from "../analysis/analyse.js";
import { FORCED, WIN } from "../engine/layout.js";
import { other } from "../shared/notation.js";
import { counted, playerName } from "../shared/words.js";

/** How long the engine looks for an answer; a tablebase knows it at once. */
const SECONDS = 0.7;

/**
 * The best answer to a wrong try, if there is time for one, and what it does, in words.
 *
 * @param {Practice} practice @param {Played} wrong @param {number} left  how many moves the solver had
 * @returns {Promise<{reply: string | null, words: string}>}
 */
export async function refute({ referee, side }, { move, before, outcome }, left) {
  const { law, rules } = referee;
  if (outcome) return { reply: null, words: endInWords(rules, side, outcome) };
  const positions = [law.play(before, move)];
  const { exact, variations } = await engine.think(rules, { positions }, { seconds: SECONDS });
  const { moves = [], score = 0 } = variations[0] ?? {};
  const reply = moves[0] ?? null;
  return { reply, words: `${playerName(rules, other(side))} answers ${reply} ${effect(score, exact, left)}` };
}

/** How a wrong try ends the game at once. @param {RuleSet} rules @param {SeatName} side @param {Outcome} outcome */
function endInWords(rules, side, { winner }) {
  return winner ? `That reveals a line of ${playerName(rules, other(side))}'s, who wins at once.` : "That is a draw.";
}

/**
 * What an answer does; moves are counted as in the task, those of one side.
 *
 * @param {number} score  for the side that answers @param {boolean} isExact @param {number} left
 */
export function effect(score, isExact, left) {
  const plies = WIN - Math.abs(score);
  if (score > FORCED) return plies === 1 ? "and wins." : `and wins in ${counted((plies + 1) / 2, "move")}.`;
  if (score < -FORCED) {
    return `and holds out: you still win, but in ${counted(1 + plies / 2, "move")} instead of ${left}.`;
  }
  return isExact ? "and keeps the draw." : "and you have no quick win any more.";
}
