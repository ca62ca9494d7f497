/**
 * The puzzles of a rule set: loading them, how hard they are, and which comes next.
 *
 * @import { Progress } from "./progress.js"
 */
import { fetchFile } from "../server/api.js";
import { dayNumber } from "./progress.js";

/** @typedef {{position: string, line: string[], grade: number}} Puzzle  `grade` is from 1, easy, to 4 */

/** The rule sets that have puzzles. */
export const PUZZLE_SETS = ["gobblers", "gobblers-official", "gobblet", "gobblet-house"];

/** A quarter of the puzzles is as hard as this, or nearly so: what is equally hard is not divided. */
const GRADES = ["Easy", "Medium", "Hard", "Very hard"];
const UP = 15;
const DOWN = 10;
/** Steps through the list that meet every puzzle. */
const STRIDE = 7919;

/** @param {string} rules @returns {Promise<Puzzle[]>} */
export async function loadPuzzles(rules) {
  const { puzzles } = await fetchFile(new URL(`puzzles/${rules}.json`, import.meta.url), "The puzzles");
  return graded(puzzles);
}

/**
 * Grade puzzles, the easiest first, by how many of the computer's attempts failed at them.
 *
 * @param {[string, string, number][]} puzzles @returns {Puzzle[]}
 */
export function graded(puzzles) {
  const fails = puzzles.map((each) => each[2]);
  return puzzles.map(([position, line, failed]) => ({
    position,
    line: line.split(" "),
    grade: 1 + Math.floor((GRADES.length * fails.indexOf(failed)) / fails.length),
  }));
}

/** A grade in a word. @param {Puzzle} puzzle */
export function gradeName({ grade }) {
  return GRADES[grade - 1] ?? "";
}

/**
 * How many puzzles were solved; to be shown a solution is not to solve.
 *
 * @param {Puzzle[]} puzzles @param {Progress} done @param {string} rules
 */
export function countSolved(puzzles, { solved }, rules) {
  return puzzles.filter(({ position }) => ["alone", "helped"].includes(solved[`${rules} ${position}`] ?? "")).length;
}

/** How many moves the solver has. @param {Puzzle} puzzle */
export function movesOf({ line }) {
  return (line.length + 1) / 2;
}

/**
 * The puzzle of a day: of all that are neither trivial nor hopeless, a different one each day.
 *
 * @param {Puzzle[]} puzzles @param {string} day
 */
export function puzzleOfTheDay(puzzles, day) {
  const fair = puzzles.filter(({ grade }) => grade > 1 && grade < GRADES.length);
  return fair[(dayNumber(day) * STRIDE) % fair.length] ?? puzzles[0];
}

/**
 * The next puzzle: the nearest one not solved yet to where this person stands in the list, which
 * begins with the easiest. Who has solved all of them meets them again.
 *
 * @param {Puzzle[]} puzzles @param {Progress} done @param {string} rules
 * @param {Set<Puzzle>} [seen]  those not to be set again, as long as there are others
 */
export function nextPuzzle(puzzles, { solved, place }, rules, seen = new Set()) {
  const here = place[rules] ?? 0;
  const near = puzzles
    .map((puzzle, index) => ({ puzzle, far: Math.abs(index - here) }))
    .sort((one, two) => one.far - two.far)
    .map(({ puzzle }) => puzzle);
  const isNew = (/** @type {Puzzle} */ puzzle) => !(`${rules} ${puzzle.position}` in solved);
  const isUnseen = (/** @type {Puzzle} */ puzzle) => !seen.has(puzzle);
  const [first] = near;
  return /** @type {Puzzle} */ (
    near.find((each) => isNew(each) && isUnseen(each)) ?? near.find(isUnseen) ?? near.find(isNew) ?? first
  );
}

/**
 * What a puzzle changes that is over: further up the list if it was solved alone, down if not.
 *
 * @param {Progress} done @param {string} rules @param {Puzzle} puzzle
 * @param {"alone" | "helped" | "shown"} how @param {number} count
 * @returns {Progress}
 */
export function afterSolving(done, rules, puzzle, how, count) {
  const here = (done.place[rules] ?? 0) + (how === "alone" ? UP : -DOWN);
  const name = `${rules} ${puzzle.position}`;
  return {
    ...done,
    solved: { ...done.solved, [name]: done.solved[name] ?? how },
    place: { ...done.place, [rules]: Math.max(0, Math.min(count - 1, here)) },
  };
}
