/**
 * What a position is worth: in words, as a bar, and move by move. It shows what the page's engine and
 * the tablebases say, and keeps updating while the engine thinks.
 *
 * @import { Arrow } from "../board/board.js"
 * @import { RuleSet, TableState } from "../server/types.js"
 * @import { AnalysedMove, Analysis } from "../analysis/analyse.js"
 * @import { StudiedPosition } from "../shared/addresses.js"
 */

import { analyse } from "../analysis/analyse.js";
import { messageOf } from "../server/api.js";
import { keyed, make, mark, say } from "../shared/dom.js";
import { listing, moveText, playerName, scoreText, share, shortValue } from "../shared/words.js";

/**
 * @typedef {{value: "win" | "draw" | "loss", distance: number | null}} Worth
 * @typedef {{show: (arrows: Arrow[], preview: string | null,
 *   worth: Record<string, Worth> | null) => void, play: (move: string) => void}} Listener
 */

const SECONDS = 20;
const VARIATIONS = 12;
const MOST_ARROWS = 3;

/** @type {[string, string, (move: AnalysedMove) => boolean][]} */
const GROUPS = [
  ["win", "Winning", (move) => move.value === "win"],
  ["draw", "Drawn", (move) => move.value === "draw"],
  ["open", "Judged by the engine", (move) => move.value === null && move.score !== null],
  ["loss", "Losing", (move) => move.value === "loss"],
  ["unknown", "Not looked at yet", (move) => move.value === null && move.score === null],
];

/** Why the values are not exact. @param {TableState} table */
function remarkOn({ state, part, remark }) {
  // The server's remark is for players: it tells who plays meanwhile.
  if (state !== "building") return remark;
  return `The server is solving this game (${Math.round(100 * part)} %); then the values are exact.`;
}

export class EvaluationPanel {
  /** @param {RuleSet} rules @param {Listener} listener */
  constructor(rules, listener) {
    this.rules = rules;
    this.listener = listener;
    this.looked = "";
    /** @type {AbortController | null} */
    this.running = null;
    /** @type {Analysis | null} */
    this.study = null;
    this.words = make("p", { class: "value", tabindex: "-1" });
    this.fill = make("div", { class: "bar-first" });
    this.bar = make(
      "div",
      {
        class: "bar",
        role: "meter",
        "aria-label": "Evaluation",
        "aria-valuemin": "0",
        "aria-valuemax": "100",
        "aria-valuenow": "50",
      },
      this.fill,
    );
    const [first, second] = rules.colours;
    this.bar.style.setProperty("--first", first);
    this.bar.style.setProperty("--second", second);
    this.source = make("p", { class: "remark" });
    this.again = make("p", { class: "row", hidden: true });
    this.groups = make("div", { class: "groups" });
    this.element = make(
      "section",
      { class: "study", "aria-label": "Values" },
      make("h2", {}, "What is it worth?"),
      this.words,
      this.bar,
      this.source,
      this.again,
      this.groups,
    );
    for (const [name, when] of /** @type {[string, boolean][]} */ ([
      ["pointerover", true],
      ["focusin", true],
      ["pointerout", false],
      ["focusout", false],
    ])) {
      this.groups.addEventListener(name, (event) => this.hint(when ? event.target : null));
    }
    this.groups.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button?.dataset.move) this.listener.play(button.dataset.move);
    });
  }

  /** @param {EventTarget | null} target */
  hint(target) {
    const button = target instanceof Element ? target.closest("button") : null;
    this.preview = button?.dataset.move ?? null;
    this.tell();
  }

  tell() {
    this.listener.show(this.arrows(), this.preview ?? null, this.worth());
  }

  /** The moves whose result is known. */
  worth() {
    if (!this.study || this.study.outcome) return null;
    /** @type {Record<string, Worth>} */
    const worth = {};
    for (const { move, alike, value, distance } of this.study.moves) {
      if (value) for (const each of [move, ...alike]) worth[each] = { value, distance };
    }
    return worth;
  }

  /** The best moves, as far as they are known to be; those that symmetry makes equal share an arrow. */
  arrows() {
    if (!this.study || this.study.outcome) return [];
    const [best] = this.study.moves;
    if (!best || (best.value === null && best.score === null)) return [];
    const isBest = (/** @type {AnalysedMove} */ { value, distance, score }) =>
      value === best.value && distance === best.distance && (score ?? 0) >= (best.score ?? 0) - 30;
    return this.study.moves
      .filter(isBest)
      .slice(0, MOST_ARROWS)
      .map(({ move, alike, score }, index) => ({
        move,
        rank: score === best.score ? 0 : index,
        equal: [move, ...alike],
      }));
  }

  /** Study a position; the same one again changes nothing. @param {StudiedPosition} position */
  look(position) {
    const name = JSON.stringify(position);
    if (name === this.looked) return;
    this.looked = name;
    this.preview = null;
    this.begin(position);
  }

  /** @param {StudiedPosition} position */
  async begin(position) {
    const { start, moves } = position;
    this.running?.abort();
    this.again.hidden = true;
    const abort = new AbortController();
    this.running = abort;
    let isShown = false;
    const show = (/** @type {Analysis} */ analysis, /** @type {boolean} */ isFinal) => {
      if (abort.signal.aborted) return;
      isShown = true;
      this.show(analysis, isFinal);
    };
    try {
      const report = (/** @type {Analysis} */ analysis) => show(analysis, false);
      const options = { variations: VARIATIONS, seconds: SECONDS, report, signal: abort.signal };
      show(await analyse(this.rules, { start, moves }, options), true);
    } catch (error) {
      if (abort.signal.aborted) return;
      if (!isShown) this.clear();
      say(this.source, messageOf(error));
      this.again.replaceChildren(
        make("button", { type: "button", onclick: () => void this.begin(position) }, "Try again"),
      );
      this.again.hidden = false;
    }
  }

  /** Show nothing of an earlier position. */
  clear() {
    this.study = null;
    say(this.words, "");
    this.fill.style.inlineSize = "50%";
    mark(this.bar, "aria-valuenow", "50");
    mark(this.bar, "aria-valuetext", "unknown");
    this.groups.replaceChildren();
    this.tell();
  }

  /** @param {Analysis} study @param {boolean} isFinal */
  show(study, isFinal) {
    this.study = study;
    const { rules } = this;
    const turn = study.board.turn;
    let words = study.words;
    if (study.outcome) words = study.text;
    else if (!words && study.score !== null) words = `${playerName(rules, turn)} to move: ${scoreText(study.score)}`;
    say(this.words, words ?? "Thinking…");
    const winner = study.outcome?.winner;
    const part = study.outcome ? (winner === "first" ? 1 : winner === "second" ? 0 : 0.5) : share(study, turn);
    this.fill.style.inlineSize = `${100 * part}%`;
    mark(this.bar, "aria-valuenow", String(Math.round(100 * part)));
    mark(this.bar, "aria-valuetext", words ?? "unknown");
    let source = "Exact: this game is solved. Numbers count the moves of both sides.";
    if (study.outcome) source = "The game is over here.";
    else if (!study.exact) {
      source = study.depth
        ? `Engine, depth ${study.depth}${isFinal ? "." : ", still thinking…"}`
        : "The engine is thinking…";
      if (study.table.remark) source += ` ${remarkOn(study.table)}`;
    }
    say(this.source, source);
    this.showGroups(study);
    this.tell();
  }

  /** @param {Analysis} study */
  showGroups(study) {
    const focused = document.activeElement;
    const move = focused instanceof HTMLElement && this.groups.contains(focused) ? focused.dataset.move : undefined;
    const groups = GROUPS.map(([name, title, fits]) => ({ name, title, moves: study.moves.filter(fits) })).filter(
      (group) => group.moves.length,
    );
    keyed(
      this.groups,
      groups,
      (group) => group.name,
      (group) =>
        make(
          "section",
          { class: `group ${group.name}`, "aria-label": group.title },
          make("h3"),
          make("div", { class: "chips" }),
        ),
      (element, group) => {
        say(/** @type {Element} */ (element.querySelector("h3")), `${group.title} (${group.moves.length})`);
        this.showMoves(/** @type {HTMLElement} */ (element.querySelector(".chips")), group.moves);
      },
    );
    if (move && document.activeElement !== focused) {
      // The move is gone because it was played: focus on what the position is worth now.
      const again = /** @type {HTMLElement | null} */ (this.groups.querySelector(`[data-move="${move}"]`));
      (again ?? this.words).focus({ preventScroll: true });
    }
  }

  /** @param {HTMLElement} place @param {AnalysedMove[]} moves */
  showMoves(place, moves) {
    const spell = (/** @type {string} */ move) => moveText(this.rules, move);
    keyed(
      place,
      moves,
      (move) => move.move,
      (move) =>
        make(
          "button",
          { type: "button", class: "chip", "data-move": move.move },
          make("b", {}, spell(move.move)),
          move.alike.length ? make("small", {}, ` ×${move.alike.length + 1}`) : "",
          " ",
          make("span"),
        ),
      (element, move) => {
        const text = shortValue(move);
        const brief = move.value === "win" || move.value === "loss" ? `in ${move.distance}` : text;
        const shown = brief + (move.dangerous ? " ⚠" : "");
        say(/** @type {Element} */ (element.querySelector("span")), shown);
        const count = move.alike.length ? ` ×${move.alike.length + 1}` : "";
        const name =
          `${`${spell(move.move)}${count} ${shown}`.trim()}: ` +
          `${move.words ?? (text || "not looked at")}${move.dangerous ? " It reveals a line." : ""}` +
          (move.alike.length ? ` The same as ${listing(move.alike.map(spell))}.` : "");
        mark(element, "aria-label", name);
        mark(element, "title", move.line.length > 1 ? move.line.map(spell).join(" ") : null);
      },
    );
  }

  close() {
    this.running?.abort();
    this.running = null;
    this.looked = "closed";
  }
}
