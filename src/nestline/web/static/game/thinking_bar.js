/**
 * Shows how far a computer has come that thinks by the clock: the time, and how deep it looks if it
 * thinks in this page.
 *
 * @import { GameView } from "./view.js"
 */
import { make, say } from "../shared/dom.js";
import { counted } from "../shared/words.js";

const EVERY = 250;

export class ThinkingBar {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    this.began = 0;
    /** The number of the game that it thinks about. @type {number | null} */
    this.number = null;
    this.depth = 0;
    this.timer = 0;
    this.bar = make("progress", { max: 1, "aria-label": "Time to think" });
    this.words = make("span");
    this.element = make("div", { class: "thinking-bar", hidden: true }, this.bar, this.words);
    this.onReport = (/** @type {Event} */ event) => {
      const { id, depth } = /** @type {CustomEvent} */ (event).detail;
      if (id === view.game.id) this.depth = depth;
    };
    document.addEventListener("nest-thinking", this.onReport);
  }

  close() {
    window.clearInterval(this.timer);
    document.removeEventListener("nest-thinking", this.onReport);
  }

  /** How long the computer thinks about this move, if by the clock. */
  get seconds() {
    const { game, rules } = this.view;
    const level = game.thinking?.remark ? null : game.thinking?.level;
    return rules.strengths?.find((each) => each.level === level)?.seconds ?? null;
  }

  update() {
    const number = this.seconds ? this.view.game.number : null;
    if (number === this.number) return;
    window.clearInterval(this.timer);
    this.number = number;
    this.element.hidden = number === null;
    if (number === null) return;
    this.began = performance.now();
    this.depth = 0;
    this.show();
    this.timer = window.setInterval(() => this.show(), EVERY);
  }

  show() {
    const seconds = this.seconds ?? 1;
    const passed = Math.min((performance.now() - this.began) / 1000, seconds);
    this.bar.value = passed / seconds;
    const time = `${Math.floor(passed)} of ${counted(seconds, "second")}`;
    say(this.words, this.depth ? `${time}, ${counted(this.depth, "move")} deep` : time);
  }
}
