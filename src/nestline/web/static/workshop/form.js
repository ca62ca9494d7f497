/**
 * The form in which a rule set is designed: every field with its words and, where its value is refused,
 * the reason. The fields come from the schema of the Python package.
 *
 * @import { RuleSet } from "../server/types.js"
 * @import { Field } from "./fields.js"
 * @import { Problem } from "./checking.js"
 * @import { Values } from "./design.js"
 */
import { make, mark, say } from "../shared/dom.js";
import { FIELDS, GROUPS, MAX_SIZES } from "./fields.js";

/** Groups that most people leave as they are. */
const FOLDED = ["At the table", "Names and looks"];
const SIDES = ["First player", "Second player"];
const LONGEST_CHIP = 24;

/**
 * A field on the page: its element, and how its value is read and written.
 *
 * @typedef {{element: HTMLElement, problem: HTMLElement, read: () => any, write: (value: any) => void}} Control
 */

export class Form {
  /** @param {() => void} changed  is called when somebody has changed a value */
  constructor(changed) {
    /** @type {Map<string, Control>} */
    this.controls = new Map(Object.entries(FIELDS).map(([key, field]) => [key, control(key, field)]));
    this.element = make("form", {
      class: "design",
      "aria-label": "Rules",
      oninput: changed,
      onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
    });
    for (const group of GROUPS) {
      const fields = [...this.controls].filter(([key]) => FIELDS[key]?.group === group);
      if (fields.length) this.element.append(part(group, ...fields.map(([, { element }]) => element)));
    }
  }

  /** Show the values of a rule set. @param {Values} values */
  write(values) {
    for (const [key, { write }] of this.controls) write(values[key]);
  }

  /** What differs from a rule set. @param {RuleSet} base @returns {Values} */
  changes(base) {
    /** @type {Values} */
    const changes = {};
    for (const [key, { read }] of this.controls) {
      const value = read();
      const isEmptySummary = key === "summary" && value === "";
      const inherited = /** @type {Values} */ (base)[key];
      if (!isEmptySummary && JSON.stringify(value) !== JSON.stringify(inherited)) changes[key] = value;
    }
    return changes;
  }

  /** Show beside each field why its value is refused. @param {Problem[]} problems */
  refuse(problems) {
    for (const [key, { element, problem }] of this.controls) {
      const found = problems.filter((each) => each.key === key);
      say(problem, found.map(({ message }) => `${key}: ${message}.`).join(" "));
      problem.hidden = !found.length;
      element.classList.toggle("refused", found.length > 0);
      for (const input of element.querySelectorAll("input")) mark(input, "aria-invalid", found.length ? "true" : null);
      const folded = element.closest("details");
      if (folded && found.length) folded.open = true;
    }
  }
}

/** @param {string} group @param {...HTMLElement} fields */
function part(group, ...fields) {
  if (!FOLDED.includes(group)) return make("section", { class: "part" }, make("h2", {}, group), fields);
  return make("details", { class: "part" }, make("summary", {}, make("h2", {}, group)), fields);
}

/** @param {string} key @param {Field} field @returns {Control} */
function control(key, field) {
  const words = make("p", { class: "why", id: `why-${key}` }, field.words);
  const problem = make("p", { class: "problem", id: `problem-${key}`, hidden: true });
  const title = [field.label, " ", make("code", { "aria-hidden": "true" }, key)];
  const described = { "aria-describedby": `why-${key} problem-${key}` };
  const { inside, read, write } = inputs(key, field, described);
  const isAlone = inside.length === 1 && inside[0] instanceof HTMLInputElement;
  const element = isAlone
    ? make("div", { class: "rule-field" }, make("label", { class: "label", for: `field-${key}` }, title), words, inside)
    : make("fieldset", { class: "rule-field", ...described }, make("legend", { class: "label" }, title), words, inside);
  element.append(problem);
  return { element, problem, read, write };
}

/**
 * @param {string} key @param {Field} field @param {Record<string, string>} described
 * @returns {{inside: HTMLElement[], read: () => any, write: (value: any) => void}}
 */
function inputs(key, field, described) {
  if (field.choices.length) return choice(key, field);
  if (field.kind === "counts") return counts();
  if (field.kind === "pair") return pair(key);
  const isNumber = field.kind === "number";
  const kind = isNumber ? { type: "number", min: field.least, max: field.most } : { type: "text", maxlength: 200 };
  const input = make("input", { id: `field-${key}`, name: key, ...kind, ...described });
  return {
    inside: [input],
    read: () => (isNumber ? Number(input.value) : input.value),
    write: (value) => {
      input.value = String(value);
    },
  };
}

/** One of several values. @param {string} key @param {Field} field */
function choice(key, { choices }) {
  const radios = choices.map((_, index) => make("input", { type: "radio", name: key, value: index }));
  const isShort = choices.every(([, words]) => words.length <= LONGEST_CHIP);
  const labels = choices.map(([, words], index) => make("label", {}, radios[index], make("span", {}, words)));
  return {
    inside: [make("div", { class: isShort ? "segments chips" : "segments" }, labels)],
    read: () => choices[radios.findIndex((radio) => radio.checked)]?.[0],
    write: (/** @type {any} */ value) => {
      radios.forEach((radio, index) => {
        radio.checked = choices[index]?.[0] === value;
      });
    },
  };
}

/** How many pieces of each size. */
function counts() {
  const most = (FIELDS.board?.most ?? 0) ** 2;
  const numbers = Array.from({ length: MAX_SIZES }, (_, index) =>
    make("input", {
      type: "number",
      min: 0,
      max: most,
      inputmode: "numeric",
      "aria-label": `Pieces of size ${index + 1}`,
    }),
  );
  const steps = numbers.map((input, index) => {
    const step = (/** @type {1 | -1} */ by, /** @type {string} */ sign, /** @type {string} */ words) =>
      make(
        "button",
        {
          type: "button",
          class: "round",
          "aria-label": `One ${words} of size ${index + 1}`,
          onclick: () => {
            input.value = String(Math.min(most, Math.max(0, Number(input.value) + by)));
            input.dispatchEvent(new Event("input", { bubbles: true }));
          },
        },
        sign,
      );
    const disc = make("span", { class: `disc size-${index + 1}`, "aria-hidden": "true" });
    return make("div", { class: "count" }, disc, step(-1, "−", "fewer"), input, step(1, "+", "more"));
  });
  return {
    inside: [make("div", { class: "counts" }, steps)],
    read: () => {
      const found = numbers.map((input) => Number(input.value));
      // Sizes that nobody has above the largest; a gap below it is refused.
      return found.slice(0, found.findLastIndex((count) => count !== 0) + 1);
    },
    write: (/** @type {number[]} */ stock) => {
      for (const [index, input] of numbers.entries()) input.value = String(stock[index] ?? 0);
    },
  };
}

/** A text or a colour for each player. @param {string} key */
function pair(key) {
  const isColour = key === "colours";
  const fields = SIDES.map((side) =>
    make("input", { type: isColour ? "color" : "text", name: key, maxlength: 40, "aria-label": `${side}: ${key}` }),
  );
  return {
    inside: [make("div", { class: "pair" }, fields)],
    read: () => fields.map((input) => input.value),
    write: (/** @type {string[]} */ values) => {
      for (const [index, input] of fields.entries()) input.value = values[index] ?? "";
    },
  };
}
