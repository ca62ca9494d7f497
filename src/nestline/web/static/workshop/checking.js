/**
 * Whether the values of a rule set can be played, and why not: the sentences of `nestline.rules`.
 *
 * @import { RuleSet } from "../server/types.js"
 * @import { Values } from "./design.js"
 */
import { isPrintable, quoted, strip } from "../local/texts.js";
import { CONTRADICTIONS, FIELDS, MAX_SIZES, OUTSIDE_PLAY } from "./fields.js";

/** @typedef {{key: string, message: string}} Problem */

/** A value as a TOML file writes it, near enough for a message. @param {any} value @returns {string} */
function shown(value) {
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  return typeof value === "string" ? quoted(value).replaceAll("'", '"') : String(value);
}

/** @param {any} value @param {number} least @param {number} most */
function isWhole(value, least, most) {
  return Number.isInteger(value) && value >= least && value <= most;
}

/** @param {string} key @param {any} value */
function isAllowed(key, value) {
  const { kind, choices, pattern = "", least = 0, most = 0, missing = [] } = FIELDS[key] ?? {};
  if (kind === "choice") return (choices ?? []).some(([choice]) => choice === value);
  if (kind === "number") return isWhole(value, least, most) && !missing.includes(value);
  if (kind === "counts") {
    const squares = (FIELDS.board?.most ?? 0) ** 2;
    const isList = Array.isArray(value) && value.length >= 1 && value.length <= MAX_SIZES;
    return isList && value.every((count) => isWhole(count, 1, squares));
  }
  if (kind === "pair") {
    const looksRight = (/** @type {any} */ text) => typeof text === "string" && new RegExp(pattern, "u").test(text);
    const isPair = Array.isArray(value) && value.length === 2 && value.every(looksRight);
    return isPair && value[0].toLowerCase() !== value[1].toLowerCase();
  }
  return typeof value === "string" && strip(value) !== "" && Array.from(value).every(isPrintable);
}

/** Whether a piece can be covered at all. @param {Values} values */
export function canCover({ stock, cover }) {
  return stock.length > 1 && cover !== "none";
}

/** The values of a set with changes; what no longer fits is left out. @param {RuleSet} base @param {Values} changes */
export function changed(base, changes) {
  const inherited = /** @type {Values} */ (base);
  const values = Object.fromEntries(Object.keys(FIELDS).map((key) => [key, changes[key] ?? inherited[key]]));
  const isOther = Object.keys(FIELDS).some(
    (key) => !OUTSIDE_PLAY.includes(key) && shown(values[key]) !== shown(inherited[key]),
  );
  if (!("summary" in changes) && isOther) values.summary = "";
  const canPeek = values.peek || values.visibility !== "peek";
  if (!("visibility" in changes) && !(canPeek && canCover(values))) {
    values.visibility = FIELDS.visibility?.default;
  }
  return values;
}

/**
 * What is wrong with changes to a set: values that are not allowed, or else that contradict each other.
 *
 * @param {RuleSet} base
 * @param {Values} changes
 * @returns {Problem[]}
 */
export function problems(base, changes) {
  const refused = Object.entries(changes).filter(([key, value]) => !isAllowed(key, value));
  if (refused.length) {
    return refused.map(([key, value]) => ({
      key,
      message: `${shown(value)} is not allowed; it takes ${FIELDS[key]?.allowed}`,
    }));
  }
  const values = changed(base, changes);
  const words = /** @type {Values} */ ({ ...values, squares: values.board ** 2 });
  return CONTRADICTIONS.filter(([, contradicts]) => contradicts(values)).map(([key, , message]) => ({
    key,
    message: message.replace(/\{(\w+)\}/g, (_, name) => shown(words[name])),
  }));
}
