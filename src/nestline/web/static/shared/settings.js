/**
 * What the browser remembers: the page's settings, the last choice of a game, and the tokens of
 * the seats this browser holds. Nothing but the tokens is ever sent, and those only to the server.
 *
 * @import { Visibility } from "../server/types.js"
 */

/**
 * @typedef {{theme: "auto" | "light" | "dark", warn: boolean, coordinates: boolean,
 *   motion: "auto" | "reduced"}} Preferences
 * @typedef {{rules: string, opponent: "computer" | "screen" | "link", level: string,
 *   side: "first" | "second" | "chance", visibilities: Record<string, Visibility>,
 *   touch: boolean}} Choice  what is seen of covered pieces is chosen for each rule set
 */

const PREFIX = "nestline.";
const MOST_SEATS = 200;

/** @type {Preferences} */
const USUAL = { theme: "auto", warn: true, coordinates: true, motion: "auto" };

/** @type {Choice} */
const FIRST_CHOICE = {
  rules: "gobblers",
  opponent: "computer",
  level: "3",
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
  return { ...FIRST_CHOICE, ...read("choice") };
}

/** Whether nobody has played or learned in this browser. */
export function isNew() {
  return read("choice") === null && read("lessons") === null;
}

/** @param {Choice} choice */
export function rememberChoice(choice) {
  write("choice", choice);
}

/** Kept besides, for browsers that store nothing. @type {Map<string, string[]>} */
const session = new Map();

/** The tokens this browser holds in a game. @param {string} id @returns {string[]} */
export function tokensOf(id) {
  return read("seats")?.[id] ?? session.get(id) ?? [];
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
