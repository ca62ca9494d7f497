/**
 * Form fields for choosing one of several options.
 */
import { make } from "./dom.js";

/** @param {string} name @param {string} label @param {string[][]} options @param {string} chosen */
export function select(name, label, options, chosen) {
  return make(
    "label",
    { class: "field" },
    make("span", {}, label),
    make(
      "select",
      { name },
      options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)),
    ),
  );
}

/** @param {string} name @param {string} label @param {string[][]} options @param {string} chosen */
export function radios(name, label, options, chosen) {
  return make(
    "fieldset",
    { class: "segments" },
    make("legend", {}, label),
    options.map(([value, text]) =>
      make(
        "label",
        {},
        make("input", { type: "radio", name, value, checked: value === chosen }),
        make("span", {}, text),
      ),
    ),
  );
}
