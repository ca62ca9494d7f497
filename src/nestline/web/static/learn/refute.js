/**
 * Why a try does not solve a puzzle: the answer that spoils it.
 *
 * @import { Played, Practice } from "./practice.js"
 */
import { playerName } from "../shared/words.js";

/**
 * An answer to a wrong try, and what it does, in words. There is always one: if every answer left a
 * win at once, the try would win in two.
 *
 * @param {Practice} practice @param {Played} wrong @param {number} left  how many moves the solver had
 * @returns {{reply: string | null, words: string}}
 */
export function refute(practice, { move, before, outcome }, left) {
  const { referee, side } = practice;
  const { law, rules } = referee;
  const name = playerName(rules, side === "first" ? "second" : "first");
  if (outcome) {
    const words = outcome.winner ? `That reveals a line of ${name}'s, who wins at once.` : "That ends in a draw.";
    return { reply: null, words };
  }
  const after = law.play(before, move);
  const win = practice.winningMove(after);
  if (win) return { reply: win, words: `${name} answers ${win} and wins.` };
  const holding = law.legalMoves(after).filter((reply) => {
    const then = law.play(after, reply);
    return law.outcome(then) ? law.outcome(then)?.winner !== side : !practice.winningMove(then);
  });
  // The best answers win themselves next, unless that is stopped.
  const threatening = holding.find((reply) => {
    const then = law.play(after, reply);
    return !law.outcome(then) && practice.winningMove({ ...then, turn: after.turn });
  });
  const reply = threatening ?? holding[0] ?? null;
  if (!reply) return { reply, words: `That wins too, but not in ${left} moves.` };
  if (threatening) return { reply, words: `${name} answers ${reply} and threatens to win.` };
  const words = left > 2 ? "You have no quick win there." : "You cannot win with your next move.";
  return { reply, words: `${name} answers ${reply}. ${words}` };
}
