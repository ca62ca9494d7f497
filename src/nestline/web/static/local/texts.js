/**
 * Texts as Python treats them, where the browser's own functions differ: what is blank, what can
 * be printed, how a text is quoted. Sentences quote what people typed, and must not differ.
 */

const BLANK = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000";
const LONGEST_QUOTE = 40;

/** @param {string} letter */
function isBlank(letter) {
  return BLANK.includes(letter) || (letter >= "\u2000" && letter <= "\u200a");
}

/** The words between blanks. @param {string} text */
export function words(text) {
  return Array.from(text, (letter) => (isBlank(letter) ? " " : letter))
    .join("")
    .split(" ")
    .filter(Boolean);
}

/** The text with every run of blanks as one, and none around it. @param {string} text */
export function tidy(text) {
  return words(text).join(" ");
}

/** The text without the blanks around it. @param {string} text */
export function strip(text) {
  const letters = Array.from(text);
  const first = letters.findIndex((letter) => !isBlank(letter));
  const last = letters.findLastIndex((letter) => !isBlank(letter));
  return first < 0 ? "" : letters.slice(first, last + 1).join("");
}

/** Whether every letter is shown as it is. @param {string} text */
export function isPrintable(text) {
  return !/(?! )[\p{C}\p{Z}]/u.test(text);
}

/** A text in quotation marks, as Python quotes it. @param {string | number} value */
export function quoted(value) {
  const text = String(value);
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const named = /** @type {Record<string, string>} */ ({ "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" });
  const letters = Array.from(text, (letter) => {
    if (letter === mark) return `\\${letter}`;
    return named[letter] ?? (isPrintable(letter) ? letter : escaped(letter));
  });
  return mark + letters.join("") + mark;
}

/** @param {string} letter */
function escaped(letter) {
  const code = letter.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

/** What somebody typed, as quoted in a sentence: short, and on one line. @param {string} text */
export function quotedShortly(text) {
  const shown = Array.from(strip(text));
  return quoted(shown.length <= LONGEST_QUOTE ? shown.join("") : `${shown.slice(0, LONGEST_QUOTE - 1).join("")}…`);
}
