/**
 * Solved games in words.
 *
 * @import { RuleSet } from "../server/types.js"
 * @import { Solved } from "./atlas.js"
 */
import { counted, listing } from "../shared/words.js";

/** More best moves than these say little. */
const MOST_MOVES = 5;

/** Who wins. @param {RuleSet} rules @param {Solved} solved */
export function solvedWords({ players }, { value, distance }) {
  if (value === "draw") return "Solved: a draw, if both play well.";
  const [winner, which] = value === "win" ? [players[0], "who begins"] : [players[1], "who moves second"];
  return distance === null
    ? `Solved: ${winner}, ${which}, wins.`
    : `Solved: ${winner}, ${which}, wins in ${counted(distance, "move")}.`;
}

/** What else is known. @param {Solved} solved */
export function solvedFacts({ reachable, longest, firstMoves }) {
  const positions = `${reachable.toLocaleString("en")} ${reachable === 1 ? "position" : "positions"}`;
  const sentences = [`${positions} can come up, mirror images counted once.`];
  if (longest) sentences.push(`The longest win takes ${counted(longest, "move")}.`);
  if (firstMoves.length && firstMoves.length <= MOST_MOVES)
    sentences.push(`Best to begin with: ${listing(firstMoves, "or")}.`);
  return sentences.join(" ");
}
