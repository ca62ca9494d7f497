/**
 * What a person has solved and learned, kept in this browser.
 *
 * @typedef {"alone" | "helped" | "shown"} Solved  how a puzzle was solved; `shown` is only its solution
 * @typedef {{solved: Record<string, Solved>, place: Record<string, number>, days: string[]}} Progress
 */

const NAME = "nestline.puzzles";
const LESSONS = "nestline.lessons";

/** @param {string} name @param {any} usual */
function read(name, usual) {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(name) ?? "{}") };
  } catch {
    return usual;
  }
}

/** @param {string} name @param {any} value */
function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Private windows may refuse; the puzzles work without it.
  }
}

/** @returns {Progress} */
export function progress() {
  return read(NAME, { solved: {}, place: {}, days: [] });
}

/** @param {Progress} changed */
export function keepProgress(changed) {
  write(NAME, changed);
}

/** The day where this person is, like `2026-11-16`. @param {Date} [now] */
export function today(now = new Date()) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** The number of a day, counted from 1970. @param {string} day */
export function dayNumber(day) {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / 86_400_000);
}

/**
 * How many days in a row, up to today or yesterday, a puzzle of the day was solved.
 *
 * @param {string[]} days @param {string} now
 */
export function streak(days, now) {
  const solved = new Set(days.map(dayNumber));
  let day = dayNumber(now);
  if (!solved.has(day)) day -= 1;
  let count = 0;
  while (solved.has(day)) {
    count += 1;
    day -= 1;
  }
  return count;
}

/** @returns {Record<string, boolean>} */
export function learned() {
  return read(LESSONS, {});
}

/** @param {string} lesson */
export function keepLearned(lesson) {
  write(LESSONS, { ...learned(), [lesson]: true });
}
