/**
 * Makes rule sets from designs in the page: the message that the server would send.
 *
 * @import { LawFields } from "../engine/law.js"
 * @import { RuleSet } from "../server/types.js"
 * @import { Values } from "./design.js"
 */
import { familyOf } from "../engine/search.js";
import { lawOf } from "../local/referees.js";
import { writePosition } from "../shared/notation.js";
import { canCover, changed, problems } from "./checking.js";
import { readDesign, rulesFile, writeDesign, wrong } from "./design.js";
import { STRENGTHS, VISIBILITIES } from "./fields.js";

/** The set that a design changes. @param {string} like @param {RuleSet[]} all  those that come with nestline */
export function baseOf(like, all) {
  const base = all.find((each) => each.name === like);
  if (!base) throw wrong(`There is no rule set ${like}; there are ${all.map((each) => each.name).join(", ")}.`);
  return base;
}

/**
 * The rule set of a design, which is refused if it cannot be played.
 *
 * @param {string} design
 * @param {RuleSet[]} all  those that come with nestline
 */
export async function designedRules(design, all) {
  const { like, changes } = readDesign(design);
  const base = baseOf(like, all);
  const [problem] = problems(base, changes);
  if (problem) throw wrong(`${design}: ${problem.key}: ${problem.message}`);
  return ruleSet(base, changes, design);
}

/** A design as the file of a rule set. @param {string} design */
export function designFile(design) {
  const { like, changes } = readDesign(design);
  return rulesFile(like, changes);
}

/**
 * @param {RuleSet} base
 * @param {Values} changes  which can be played
 * @param {string} [name]
 * @returns {Promise<RuleSet>}
 */
export async function ruleSet(base, changes, name = writeDesign(base.name, changes)) {
  const values = changed(base, changes);
  const inherited = /** @type {Values} */ (base);
  const fields = /** @type {LawFields} */ (/** @type {unknown} */ (values));
  const law = await lawOf(fields);
  const start = law.start();
  const strengths = STRENGTHS[familyOf(fields)] ?? [];
  const kept = Object.entries(base.sources).filter(([key]) => `${values[key]}` === `${inherited[key]}`);
  const given = Object.keys(changes).map((key) => [key, name]);
  const made = {
    ...values,
    name,
    custom: true,
    sources: Object.fromEntries([...kept, ...given]),
    squares: law.squares,
    line_squares: law.lines,
    start: {
      text: writePosition({}, start.turn, values.board),
      turn: start.turn,
      stacks: {},
      reserves: { first: law.reserve(start, "first"), second: law.reserve(start, "second") },
    },
    levels: strengths.map((each) => each.level),
    strengths,
    visibilities: VISIBILITIES.filter(
      (each) => each === "open" || (canCover(values) && (each === "memory" || Boolean(values.peek))),
    ),
    table: { state: "none", part: 0, remark: null },
  };
  return /** @type {RuleSet} */ (/** @type {unknown} */ (made));
}
