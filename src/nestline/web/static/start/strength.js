/**
 * Chooses how well the computer plays: a slider from the weakest level to the strongest, with the
 * level's name, a sentence and its rating. Full strength by the clock is one stop, with the seconds
 * beside it.
 *
 * @import { RuleSet, Strength } from "../server/types.js"
 */
import { icon, make, mark, say } from "../shared/dom.js";
import { radios } from "../shared/fields.js";

const RATING =
  "A player who puts pieces anywhere has 0 points. With 100 points more than the other a player wins 64 games of 100.";

export class StrengthSlider {
  /** @param {RuleSet} rules @param {string} level */
  constructor({ strengths }, level) {
    const timed = strengths.filter((each) => each.seconds);
    /** Each stop of the slider: a level, or the same one with several times to think. @type {Strength[][]} */
    this.stops = strengths.filter((each) => !each.seconds).map((each) => [each]);
    if (timed.length) this.stops.push(timed);
    const index = this.stops.findIndex((stop) => stop.some((each) => each.level === level));
    this.stop = Math.max(index, 0);
    this.timed = timed.find((each) => each.level === level) ?? timed[Math.floor(timed.length / 2)];
    this.name = make("strong", {});
    this.rating = make("span", { class: "rating", title: RATING });
    this.words = make("p", { class: "remark" });
    this.slider = make("input", {
      type: "range",
      id: "strength",
      min: 0,
      max: this.stops.length - 1,
      oninput: () => this.slide(Number(this.slider.value)),
    });
    this.slider.value = String(this.stop);
    this.seconds = radios(
      "seconds",
      "Seconds for each move",
      timed.map((each) => [each.level, `${each.seconds} s`]),
      this.timed?.level ?? "",
    );
    this.seconds.classList.add("chips");
    // The sentence above it says what is chosen.
    this.seconds.querySelector("legend")?.classList.add("for-listeners");
    this.seconds.addEventListener("change", (event) => {
      const { value } = /** @type {HTMLInputElement} */ (event.target);
      this.timed = timed.find((each) => each.level === value);
      this.show();
    });
    this.element = make(
      "div",
      { class: "strength" },
      make(
        "div",
        { class: "strength-head" },
        make("label", { for: "strength", class: "label" }, "Strength"),
        this.name,
        this.rating,
      ),
      make(
        "div",
        { class: "slider" },
        this.step(-1, "Easier", "M6 12H18"),
        this.slider,
        this.step(1, "Harder", "M6 12H18M12 6V18"),
      ),
      this.words,
      this.seconds,
    );
    this.show();
  }

  /** @param {number} by @param {string} label @param {string} path */
  step(by, label, path) {
    const press = () => {
      this.slide(Math.max(0, Math.min(this.stops.length - 1, this.stop + by)));
      this.slider.value = String(this.stop);
      this.slider.dispatchEvent(new Event("change", { bubbles: true }));
    };
    return make("button", { type: "button", class: "round", "aria-label": label, onclick: press }, icon(path));
  }

  /** @param {number} stop */
  slide(stop) {
    this.stop = stop;
    this.show();
  }

  /** The chosen level. @returns {Strength} */
  get chosen() {
    const [only, ...others] = this.stops[this.stop] ?? [];
    return /** @type {Strength} */ (others.length ? this.timed : only);
  }

  show() {
    const { title, words, rating } = this.chosen;
    const isTimed = (this.stops[this.stop]?.length ?? 0) > 1;
    say(this.name, isTimed ? "Maximum" : title);
    say(this.rating, rating === null ? "" : `Rating ${rating}`);
    say(this.words, words);
    mark(this.slider, "aria-valuetext", `${title}. ${words}`);
    this.seconds.hidden = !isTimed;
    this.slider.style.setProperty("--part", String(this.stop / Math.max(1, this.stops.length - 1)));
  }
}
