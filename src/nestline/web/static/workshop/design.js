/**
 * Designs: rule sets written as one word, as `nestline.rules.design` does it: a set that comes with
 * nestline, and what differs from it. Such a word carries its rules, so a link with it needs no server.
 */
import { quoted } from "../local/texts.js";
import { Refusal } from "../server/api.js";
import { FIELDS } from "./fields.js";

/** @typedef {Record<string, any>} Values  by the names of the fields */

const LONGEST = 1000;

/** @param {string} like @param {Values} changes */
export function writeDesign(like, changes) {
  const parts = Object.keys(FIELDS).flatMap((key) => (key in changes ? [`${key}-${written(changes[key])}`] : []));
  return [like, ...parts].join(".");
}

/** @param {any} value @returns {string} */
function written(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(written).join("-");
  return String(value).replace(/[^A-Za-z0-9]/gu, (letter) => (letter === " " ? "_" : escaped(letter)));
}

/** @param {string} letter */
function escaped(letter) {
  const bytes = [...new TextEncoder().encode(letter)];
  return bytes.map((byte) => `*${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

/**
 * The set that a design changes, and the changes, which are still to be checked.
 *
 * @param {string} design
 * @returns {{like: string, changes: Values}}
 */
export function readDesign(design) {
  if (design.length > LONGEST) throw wrong(`a design has at most ${LONGEST.toLocaleString("en")} characters`);
  const [like = "", ...parts] = design.split(".");
  /** @type {Values} */
  const changes = {};
  for (const part of parts) {
    const mark = part.indexOf("-");
    if (mark < 0) {
      throw wrong(`${design}: ${quoted(part)} is not a change; one is written like stock-3-3-3 or moving-no`);
    }
    const key = part.slice(0, mark);
    if (!Object.hasOwn(FIELDS, key)) {
      throw wrong(`${design}: unknown field ${quoted(key)}; allowed are ${Object.keys(FIELDS).join(", ")}`);
    }
    if (key in changes) throw wrong(`${design}: ${key} is changed twice`);
    changes[key] = readValue(design, key, part.slice(mark + 1));
  }
  return { like, changes };
}

/** @param {string} design @param {string} key @param {string} text */
function readValue(design, key, text) {
  const field = FIELDS[key];
  const choices = field?.choices ?? [];
  for (const [choice] of choices) if (written(choice) === text) return choice;
  if (field?.kind === "choice") {
    const allowed = choices.map(([choice]) => written(choice)).join(" or ");
    throw wrong(`${design}: ${key}: ${quoted(text)} is not allowed; it takes ${allowed}`);
  }
  /** @type {(string | number)[]} */
  const parts = text.split("-").map((part) => unescaped(part) ?? fail(design, key, text));
  if (field?.kind === "number" || field?.kind === "counts") {
    const numbers = parts.map((part) => (/^[0-9]{1,4}$/.test(String(part)) ? Number(part) : part));
    return field.kind === "counts" || numbers.length > 1 ? numbers : numbers[0];
  }
  return field?.kind === "pair" ? parts : parts.join("-");
}

/** @param {string} text @returns {string | null} null if it is not UTF-8 */
function unescaped(text) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return text.replaceAll("_", " ").replace(/(?:\*[0-9A-F]{2})+/g, (found) => {
      const bytes = found.slice(1).split("*");
      return decoder.decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
    });
  } catch {
    return null;
  }
}

/** @param {string} design @param {string} key @param {string} text @returns {never} */
function fail(design, key, text) {
  throw wrong(`${design}: ${key}: ${quoted(text)} is not Unicode text`);
}

/** @param {string} message */
export function wrong(message) {
  return new Refusal("invalid", message);
}

/** The file of a rule set that differs from another one. @param {string} like @param {Values} changes */
export function rulesFile(like, changes) {
  const lines = Object.entries(changes).map(([key, value]) => `${key} = ${inFile(value)}`);
  return [`like = "${like}"`, ...lines, ""].join("\n");
}

/** @param {any} value @returns {string} */
function inFile(value) {
  return Array.isArray(value) ? `[${value.map(inFile).join(", ")}]` : JSON.stringify(value);
}
