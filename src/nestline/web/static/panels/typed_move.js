/**
 * A field in which moves are typed. The server reads them, in any spelling it knows.
 *
 * @import { RuleSet } from "../server/types.js"
 */
import { messageOf } from "../server/api.js";
import { make, mark, say } from "../shared/dom.js";

let count = 0;

export class TypedMove {
  /** @param {(move: string) => Promise<unknown>} play @param {RuleSet} rules */
  constructor(play, rules) {
    count += 1;
    this.play = play;
    const problem = `typed-problem-${count}`;
    const example =
      rules.stock.length === 1 ? "b2" : rules.moving ? `${rules.stock.length}b2 or a1c3` : `${rules.stock.length}b2`;
    this.input = make("input", {
      type: "text",
      name: "move",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: 40,
      placeholder: `Type ${example}`,
      "aria-label": "Type a move",
      "aria-describedby": problem,
    });
    this.problem = make("p", { class: "problem", id: problem, role: "alert" });
    this.element = make(
      "form",
      { class: "typed", onsubmit: (/** @type {Event} */ event) => void this.submit(event) },
      this.input,
      make("button", { type: "submit" }, "Move"),
      this.problem,
    );
    this.input.addEventListener("input", () => this.tell(""));
  }

  /** @param {string} text */
  tell(text) {
    say(this.problem, text);
    mark(this.input, "aria-invalid", text ? "true" : null);
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    const move = this.input.value.trim();
    if (!move) return;
    try {
      await this.play(move);
      // Whoever types quickly has the next move in the field already.
      if (this.input.value.trim() === move) this.input.value = "";
      this.tell("");
    } catch (error) {
      this.tell(messageOf(error));
    }
  }
}
