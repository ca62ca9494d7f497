/**
 * The view of puzzles: one at a time, with hints, and with the refutation of a wrong try. The puzzle
 * of the day is the first one; then they follow a person's strength.
 *
 * @import { RuleSet } from "../server/types.js"
 * @import { Played } from "./practice.js"
 * @import { Puzzle } from "./puzzle_list.js"
 */
import { refereeFor } from "../local/referees.js";
import { fetchRuleSet, fetchRules, messageOf } from "../server/api.js";
import { positionAddress } from "../shared/addresses.js";
import { announce } from "../shared/announce.js";
import { icon, inColumns, make, mark, say } from "../shared/dom.js";
import { select } from "../shared/fields.js";
import { navigate } from "../shared/navigate.js";
import { readMove } from "../shared/notation.js";
import { lastChoice } from "../shared/settings.js";
import { sound } from "../shared/sounds.js";
import { counted, playerName, sizeName } from "../shared/words.js";
import { Practice } from "./practice.js";
import { keepProgress, progress, streak, today } from "./progress.js";
import {
  afterSolving,
  countSolved,
  gradeName,
  loadPuzzles,
  movesOf,
  nextPuzzle,
  PUZZLE_SETS,
  puzzleOfTheDay,
} from "./puzzle_list.js";

/** How long the other side seems to think, in milliseconds. */
const PAUSE = 650;
/** Between the landing of the last piece and the sound of the win, in milliseconds. */
const AFTER_LANDING = 120;

/**
 * @param {HTMLElement} content
 * @param {import("../shared/navigate.js").Visit} visit
 */
export async function open(content, { parts }) {
  const wanted = parts[0] ?? lastChoice().rules;
  const name = PUZZLE_SETS.includes(wanted) ? wanted : (PUZZLE_SETS[0] ?? "");
  const [rules, all, puzzles] = await Promise.all([fetchRuleSet(name), fetchRules(), loadPuzzles(name)]);
  document.title = `Puzzles: ${rules.title} · nestline`;
  content.className = "view game learning";
  const view = new Puzzles(content, await refereeFor(rules), puzzles);
  view.open(all.filter((each) => PUZZLE_SETS.includes(each.name)));
  return () => view.close();
}

class Puzzles {
  /** @param {HTMLElement} content @param {import("../local/referee.js").Referee} referee @param {Puzzle[]} puzzles */
  constructor(content, referee, puzzles) {
    this.content = content;
    this.rules = referee.rules;
    this.puzzles = puzzles;
    this.practice = new Practice(referee, (played) => this.judge(played));
    /** @type {Puzzle} */
    this.puzzle = /** @type {Puzzle} */ (puzzles[0]);
    this.isDaily = false;
    /** How much of the solution is on the board. */
    this.place = 0;
    this.hints = 0;
    this.isClean = true;
    this.isSolved = false;
    /** Those that were put aside since the page was opened. @type {Set<Puzzle>} */
    this.skipped = new Set();
    /** The wrong try on the board. @type {Played | null} */
    this.wrong = null;
    this.timer = 0;
    this.title = make("h1", { class: "puzzle-title" });
    this.status = make("h2", { class: "status", tabindex: "-1" });
    this.remark = make("p", { class: "remark" });
    this.grade = make("p", { class: "grade" });
    this.score = make("p", { class: "score" });
    const tool = (/** @type {string} */ path, /** @type {string} */ label, /** @type {() => void} */ action) =>
      make(
        "button",
        { type: "button", onclick: () => button(label)?.getAttribute("aria-disabled") !== "true" && action() },
        icon(path),
        make("span", {}, label),
      );
    const button = (/** @type {string} */ label) =>
      [...this.buttons.children].find((each) => each.textContent === label) ?? null;
    this.hint = tool("M12 3A6 6 0 0 1 15 14V17H9V14A6 6 0 0 1 12 3M10 20.500H14", "Hint", () => this.giveHint());
    this.why = tool("M9 9A3 3 0 1 1 12 12.500V14M12 18V18.100", "Why not?", () => void this.explain());
    this.again = tool("M9 7L4 12L9 17M4 12H14A6 6 0 0 1 20 18", "Try again", () => this.tryAgain());
    this.solution = tool("M4 13L10 19L20 6", "Solution", () => void this.showSolution());
    this.study = tool("M4 18L9 11L13 14L20 5", "Study", () =>
      navigate(positionAddress(this.rules.name, this.puzzle.position)),
    );
    this.skip = tool("M5 6L12 12L5 18ZM13 6L20 12L13 18Z", "Skip", () => this.goOn());
    this.next = make("button", { type: "button", class: "primary next", onclick: () => this.goOn() }, "Next puzzle");
    this.buttons = make(
      "div",
      { class: "buttons", role: "group", "aria-label": "Puzzle" },
      this.hint,
      this.why,
      this.again,
      this.solution,
      this.skip,
      this.study,
    );
  }

  /** @param {RuleSet[]} all */
  open(all) {
    const choose = select(
      "rules",
      "Game",
      all.map((each) => [each.name, each.title]),
      this.rules.name,
    );
    choose.addEventListener("change", (event) =>
      navigate(`/puzzles/${/** @type {HTMLSelectElement} */ (event.target).value}`),
    );
    this.content.append(
      make("section", { class: "table", "aria-label": "Board and reserves" }, this.practice.board),
      make(
        "section",
        { class: "panel", "aria-label": "Puzzle" },
        make("div", {}, this.title, this.grade),
        make("div", { class: "headline" }, this.status, this.remark),
        this.next,
        this.buttons,
        this.score,
        choose,
      ),
    );
    const daily = puzzleOfTheDay(this.puzzles, today());
    const isNew = daily && !progress().days.includes(today());
    this.pose(isNew ? daily : nextPuzzle(this.puzzles, progress(), this.rules.name), isNew);
  }

  close() {
    window.clearTimeout(this.timer);
  }

  /** @param {Puzzle} puzzle @param {boolean} [isDaily] */
  pose(puzzle, isDaily = false) {
    this.puzzle = puzzle;
    this.isDaily = isDaily;
    this.hints = 0;
    this.isClean = true;
    this.isSolved = false;
    this.begin();
    const { grade } = puzzle;
    const name = gradeName(puzzle);
    say(this.title, isDaily ? "Puzzle of the day" : `Puzzle ${this.puzzles.indexOf(puzzle) + 1}`);
    say(this.grade, `${"●".repeat(grade)}${"○".repeat(4 - grade)}`);
    mark(this.grade, "role", "img");
    mark(this.grade, "aria-label", `Difficulty: ${name}`);
    mark(this.grade, "title", name);
    announce(this.status.textContent ?? "");
  }

  begin() {
    window.clearTimeout(this.timer);
    this.place = 0;
    this.wrong = null;
    this.practice.begin(this.puzzle.position);
    this.tell(this.task(), `You play ${playerName(this.rules, this.practice.side)}. ${this.promise()}`);
  }

  /** What is known about the other moves: in a solved game all of it, otherwise that none wins nearly as soon. */
  promise() {
    return this.rules.levels.includes("perfect") ? "Only one move wins." : "Only one move wins so soon.";
  }

  task() {
    const left = movesOf(this.puzzle) - this.place / 2;
    return left === 1 ? "Your turn: win now" : `Your turn: win in ${counted(left, "move")}`;
  }

  /** @param {string} text @param {string} remark */
  tell(text, remark) {
    say(this.status, text);
    say(this.remark, remark);
    const focused = document.activeElement;
    const set = (/** @type {HTMLElement} */ button, /** @type {boolean} */ isThere) => (button.hidden = !isThere);
    set(this.hint, !this.wrong && !this.isSolved);
    set(this.why, this.wrong !== null);
    set(this.again, this.wrong !== null);
    set(this.solution, !this.isSolved && !this.isClean);
    set(this.skip, !this.isSolved && this.isClean);
    set(this.next, this.isSolved);
    inColumns(this.buttons);
    this.showScore();
    if (focused instanceof HTMLElement && focused.closest("[hidden]")) this.status.focus({ preventScroll: true });
  }

  showScore() {
    const done = countSolved(this.puzzles, progress(), this.rules.name);
    const inARow = streak(progress().days, today());
    const parts = [`${done} of ${this.puzzles.length} solved`];
    if (inARow) parts.push(`${counted(inARow, "day")} in a row`);
    say(this.score, parts.join(" · "));
  }

  /** A move of the person. @param {Played} played */
  judge(played) {
    const expected = this.puzzle.line[this.place];
    const wins = played.outcome?.winner === this.practice.side;
    if (wins) return this.finish();
    if (played.move === expected) return this.answer();
    this.wrong = played;
    this.isClean = false;
    this.practice.isOpen = false;
    this.practice.show();
    this.tell("Not that one", `${this.promise()} See why, or try again.`);
    announce("Not that one.");
  }

  /** The right move: the other side holds out. */
  answer() {
    this.place += 2;
    this.hints = 0;
    this.practice.isOpen = false;
    this.tell("Right!", "The other side does its best…");
    this.timer = window.setTimeout(() => {
      this.practice.isOpen = true;
      this.practice.play(this.puzzle.line[this.place - 1] ?? "");
      this.tell(this.task(), "Right so far. Go on.");
      announce(this.task());
    }, PAUSE);
  }

  finish() {
    this.isSolved = true;
    const alone = this.isClean;
    const how = alone ? "alone" : "helped";
    let done = afterSolving(progress(), this.rules.name, this.puzzle, how, this.puzzles.length);
    if (this.isDaily && !done.days.includes(today())) done = { ...done, days: [...done.days, today()].slice(-400) };
    keepProgress(done);
    this.tell("Solved!", alone ? "Well found, without help." : "That was it.");
    announce("Solved!");
    void Promise.resolve(this.practice.board.flight).then(() => sound("win", AFTER_LANDING));
    this.next.focus({ preventScroll: true });
  }

  /** First the piece, then the square. */
  giveHint() {
    if (!this.practice.isOpen) return;
    const move = this.puzzle.line[this.place] ?? "";
    const { size, origin, target } = readMove(move);
    const place = origin ?? String(size);
    this.isClean = false;
    this.hints += 1;
    const from = origin ? `on ${origin}` : `${sizeName(this.rules, size ?? 1)} one in your reserve`;
    if (this.hints === 1) {
      this.practice.board.hold(place);
      this.tell(this.task(), origin ? `Look at your piece ${from}.` : `Look at the ${from}.`);
    } else {
      this.practice.arrows = [{ move, rank: 0 }];
      this.practice.board.held = null;
      this.practice.show();
      this.tell(this.task(), `It goes to ${target}.`);
    }
    announce(this.remark.textContent ?? "");
  }

  /** Show what the other side answers. */
  async explain() {
    const { wrong } = this;
    if (!wrong) return;
    this.tell("Not that one", "Looking for the best answer…");
    const { reply, words } = await this.refutation(wrong);
    if (this.wrong !== wrong) return;
    if (reply && this.practice.position.turn !== this.practice.side) this.practice.play(reply);
    this.tell("Not that one", words);
    mark(this.why, "hidden", "");
    inColumns(this.buttons);
    announce(words);
  }

  /** @param {Played} wrong @returns {Promise<{reply: string | null, words: string}>} */
  async refutation(wrong) {
    try {
      const { refute } = await import("./refute.js");
      return await refute(this.practice, wrong, movesOf(this.puzzle) - this.place / 2);
    } catch (error) {
      return { reply: null, words: messageOf(error) };
    }
  }

  tryAgain() {
    const before = this.wrong?.before;
    this.wrong = null;
    if (!before) return this.begin();
    this.practice.goBack(before);
    this.tell(this.task(), "Try another move.");
    announce(this.task());
  }

  /** Play the solution out, move by move. */
  async showSolution() {
    window.clearTimeout(this.timer);
    if (this.wrong) this.tryAgain();
    // The other side may not have answered yet.
    const onBoard = this.practice.isOpen ? this.place : this.place - 1;
    this.practice.isOpen = false;
    const rest = this.puzzle.line.slice(onBoard);
    this.tell("The solution", rest.join(" "));
    mark(this.hint, "hidden", "");
    mark(this.solution, "hidden", "");
    this.next.hidden = false;
    const step = (/** @type {number} */ index) => {
      const move = rest[index];
      if (!move || !this.content.isConnected) return;
      this.practice.play(move);
      this.timer = window.setTimeout(() => step(index + 1), 2 * PAUSE);
    };
    step(0);
    keepProgress(afterSolving(progress(), this.rules.name, this.puzzle, "shown", this.puzzles.length));
    this.next.focus({ preventScroll: true });
  }

  goOn() {
    this.skipped.add(this.puzzle);
    this.pose(nextPuzzle(this.puzzles, progress(), this.rules.name, this.skipped));
    this.status.focus({ preventScroll: true });
  }
}
