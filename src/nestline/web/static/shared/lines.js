/**
 * Which pieces make a line, once they are all one player's and stand in a row.
 *
 * @import { RuleSet } from "../server/types.js"
 */

/**
 * Whether pieces of these sizes make a line, from one end to the other.
 *
 * @param {Pick<RuleSet, "line_sizes">} rules
 * @param {number[]} sizes
 */
export function makesLine(rules, sizes) {
  const pairs = sizes.slice(1).map((size, index) => size - (sizes[index] ?? 0));
  if (rules.line_sizes === "equal") return pairs.every((step) => step === 0);
  if (rules.line_sizes === "rising") return pairs.every((step) => step > 0) || pairs.every((step) => step < 0);
  return true;
}
