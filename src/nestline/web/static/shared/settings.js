/**
 * What the browser remembers: the page's settings, the last choice of a game, and the tokens of
 * the seats this browser holds. Nothing but the tokens is ever sent, and those only to the server.
 *
 * @import { Visibility } from "../server/types.js"
 */

/**
 * @typedef {{theme: "auto" | "light" | "dark", warn: boolean, coordinates: boolean,
 *   motion: "auto" | "reduced", sound: boolean, typed: boolean, notify: boolean}} Preferences
 * @typedef {{rules: string, opponent: "computer" | "screen" | "link", levels: Record<string, string>,
 *   side: "first" | "second" | "chance", visibilities: Record<string, Visibility>,
 *   touch: boolean}} Choice  levels, and what is seen of covered pieces, are chosen for each rule set
 */

const PREFIX = "nestline.";
const MOST_SEATS = 200;

/** @type {Preferences} */
const USUAL = {
  theme: "auto",
  warn: true,
  coordinates: true,
  motion: "auto",
  sound: false,
  typed: false,
  notify: false,
};

/** @type {Choice} */
const FIRST_CHOICE = {
  rules: "gobblers",
  opponent: "computer",
  levels: {},
  side: "first",
  visibilities: {},
  touch: true,
};

/** @param {string} name @returns {any} */
function read(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    // Storage is blocked, or holds something that is not ours.
    return null;
  }
}

/** @param {string} name @param {any} value */
function write(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows may refuse; the page works without it.
  }
}

/** @returns {Preferences} */
export function preferences() {
  return { ...USUAL, ...read("preferences") };
}

/** @param {Partial<Preferences>} changed */
export function prefer(changed) {
  write("preferences", { ...preferences(), ...changed });
  applyPreferences();
  window.dispatchEvent(new CustomEvent("nest-preferences"));
}

/** Apply the preferences to the style sheet. */
export function applyPreferences() {
  const { theme, motion } = preferences();
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  if (motion === "reduced") root.dataset.motion = "reduced";
  else delete root.dataset.motion;
}

/** @returns {Choice} */
export function lastChoice() {
  const { level, ...last } = read("choice") ?? {};
  // Earlier versions kept one level for all games.
  const levels = level ? { [last.rules]: level } : {};
  return { ...FIRST_CHOICE, levels, ...last };
}

/** Whether nobody has played or learned in this browser. */
export function isNew() {
  return read("choice") === null && read("lessons") === null;
}

/** @param {Choice} choice */
export function rememberChoice(choice) {
  write("choice", choice);
}

/** What the person here wants to be called, "" if nobody asked yet. @returns {string} */
export function ownName() {
  return read("name") ?? "";
}

/** @param {string} name */
export function keepOwnName(name) {
  write("name", name);
}

/**
 * How the last games against the computer went, for each rule set: wins in a row against a level, or
 * losses if negative, and the last game that counts.
 *
 * @typedef {{level: string, count: number, game: string}} Series
 */

/** @param {string} rules @returns {Series | null} */
export function seriesOf(rules) {
  return read("series")?.[rules] ?? null;
}

/**
 * Count a game once.
 *
 * @param {string} rules @param {string} level @param {string} game
 * @param {number} result  1 if it was won, -1 if it was lost
 */
export function countResult(rules, level, game, result) {
  const last = seriesOf(rules);
  if (last?.game === game) return;
  const goesOn = last?.level === level && Math.sign(last.count) === result;
  write("series", { ...read("series"), [rules]: { level, game, count: result + (goesOn ? last.count : 0) } });
}

/** Kept besides, for browsers that store nothing. @type {Map<string, string[]>} */
const session = new Map();

/** The tokens this browser holds in a game. @param {string} id @returns {string[]} */
export function tokensOf(id) {
  return read("seats")?.[id] ?? session.get(id) ?? [];
}

/** The games on the server in which this browser holds a seat, the latest first. @returns {string[]} */
export function heldGames() {
  return [...new Set([...Object.keys(read("seats") ?? {}), ...session.keys()])].reverse();
}

/** Give up the seats in a game. @param {string} id */
export function forgetGame(id) {
  session.delete(id);
  for (const name of ["seats", "invitations"]) {
    const { [id]: _, ...others } = read(name) ?? {};
    write(name, others);
  }
}

/** A token of the game of the server that was begun last. @returns {string | undefined} */
export function newestToken() {
  return Object.values(read("seats") ?? {}).at(-1)?.[0];
}

/** @param {string} id @param {string[]} tokens */
export function keepTokens(id, tokens) {
  const all = Object.entries(read("seats") ?? {}).filter(([each]) => each !== id);
  const merged = [...new Set([...tokensOf(id), ...tokens])];
  session.set(id, merged);
  write("seats", Object.fromEntries([...all.slice(1 - MOST_SEATS), [id, merged]]));
}

/**
 * The invitations that were made here, so that the link can be shown again.
 *
 * @param {string} id @returns {string | null}
 */
export function invitationOf(id) {
  return read("invitations")?.[id] ?? null;
}

/** @param {string} id @param {string | null} invitation */
export function keepInvitation(id, invitation) {
  const all = Object.entries(read("invitations") ?? {}).filter(([each]) => each !== id);
  write("invitations", Object.fromEntries(invitation ? [...all.slice(-50), [id, invitation]] : all));
}
