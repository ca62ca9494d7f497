/**
 * The view of lessons: short boards, one after the other, about three minutes in all.
 *
 * @import { Lesson } from "./lesson_list.js"
 * @import { Played } from "./practice.js"
 */
import { refereeFor } from "../local/referees.js";
import { fetchRuleSet } from "../server/api.js";
import { announce } from "../shared/announce.js";
import { keyed, make, mark, say } from "../shared/dom.js";
import { moveInWords } from "../shared/words.js";
import { LESSONS } from "./lesson_list.js";
import { Practice } from "./practice.js";
import { keepLearned, learned } from "./progress.js";

/** How long a wrong move stays on the board, in milliseconds. */
const PAUSE = 1400;

/**
 * An address may name the lesson to begin with, and a game to go back to.
 *
 * @param {HTMLElement} content
 * @param {import("../shared/navigate.js").Visit} visit
 */
export async function open(content, { address }) {
  document.title = "Learn · nestline";
  content.className = "view game learning";
  const names = [...new Set(LESSONS.map((lesson) => lesson.rules))];
  const found = await Promise.all(names.map(async (name) => refereeFor(await fetchRuleSet(name))));
  const view = new Lessons(content, found, address.searchParams.get("game"));
  view.open(address.searchParams.get("lesson"));
  return () => view.close();
}

class Lessons {
  /**
   * @param {HTMLElement} content
   * @param {import("../local/referee.js").Referee[]} referees
   * @param {string | null} game  that waits for the reader
   */
  constructor(content, referees, game) {
    this.content = content;
    /** A board for each rule set. */
    this.boards = referees.map((referee) => new Practice(referee, (played) => this.judge(played)));
    this.index = 0;
    this.isDone = false;
    this.timer = 0;
    this.table = make("section", { class: "table", "aria-label": "Board and reserves" });
    this.title = make("h2", { class: "status", tabindex: "-1" });
    this.task = make("p", { class: "task" });
    this.remark = make("p", { class: "remark", role: "status" });
    this.dots = make("ol", { class: "dots", "aria-label": "Lessons" });
    this.next = make(
      "button",
      { type: "button", class: "primary next", onclick: () => this.go(this.index + 1) },
      "Next",
    );
    this.hint = make("button", { type: "button", onclick: () => this.giveHint() }, "Show me");
    this.back = game ? make("a", { class: "button", href: `/game/${game}` }, "Back to your game") : null;
    this.end = make(
      "div",
      { class: "pairs" },
      make("a", { class: "button primary", href: "/?rules=gobblers" }, "Play a game"),
      make("a", { class: "button", href: "/puzzles" }, "Solve a puzzle"),
    );
  }

  /** @param {string | null} wanted  the name of a lesson */
  open(wanted) {
    this.content.append(
      this.table,
      make(
        "section",
        { class: "panel", "aria-label": "Lesson" },
        make("h1", { class: "for-listeners" }, "Learn by playing"),
        this.dots,
        make("div", { class: "headline" }, this.title, this.task, this.remark),
        this.next,
        make("div", { class: "row" }, this.hint, this.back),
        this.end,
      ),
    );
    const done = learned();
    const first = LESSONS.findIndex((lesson) => (wanted ? lesson.name === wanted : !done[lesson.name]));
    this.go(Math.max(first, 0), true);
  }

  close() {
    window.clearTimeout(this.timer);
  }

  get lesson() {
    return /** @type {Lesson} */ (LESSONS[this.index]);
  }

  get practice() {
    const { rules } = this.lesson;
    return /** @type {Practice} */ (this.boards.find((each) => each.referee.rules.name === rules));
  }

  /** @param {number} index @param {boolean} [isFirst] */
  go(index, isFirst = false) {
    window.clearTimeout(this.timer);
    this.index = index;
    this.isDone = false;
    const { practice, lesson } = this;
    if (this.table.firstElementChild !== practice.board) this.table.replaceChildren(practice.board);
    practice.touchMove = lesson.touchMove ?? false;
    practice.begin(lesson.position);
    say(this.title, lesson.title);
    say(this.task, lesson.task);
    this.tell("");
    this.update();
    if (isFirst) return;
    this.title.focus({ preventScroll: true });
    this.table.scrollIntoView({ block: "nearest" });
  }

  update() {
    const done = learned();
    const isLast = this.index === LESSONS.length - 1;
    this.next.hidden = !this.isDone || isLast;
    this.hint.hidden = this.isDone;
    this.end.hidden = !(this.isDone && (isLast || this.lesson.name === "save"));
    keyed(
      this.dots,
      LESSONS,
      (lesson) => lesson.name,
      (_, index) =>
        make("li", {}, make("button", { type: "button", class: "dot", onclick: () => this.go(index) }, index + 1)),
      (item, lesson, index) => {
        const button = item.querySelector("button");
        mark(button, "aria-label", `${index + 1}: ${lesson.title}${done[lesson.name] ? ", done" : ""}`);
        mark(button, "title", lesson.title);
        mark(button, "aria-current", index === this.index ? "step" : null);
        button.classList.toggle("done", Boolean(done[lesson.name]));
      },
    );
  }

  /** @param {Played} played */
  judge(played) {
    const { lesson, practice } = this;
    practice.isOpen = false;
    if (lesson.right(played)) {
      this.isDone = true;
      keepLearned(lesson.name);
      practice.show();
      this.tell(lesson.done, "right");
      this.update();
      const way = this.next.hidden ? this.end.querySelector("a") : this.next;
      way?.focus({ preventScroll: true });
      way?.scrollIntoView({ block: "nearest" });
      return;
    }
    practice.show();
    this.tell(lesson.wrong(played), "wrong");
    this.timer = window.setTimeout(() => practice.goBack(played.before), PAUSE);
  }

  /** @param {string} text @param {"right" | "wrong" | ""} [kind] */
  tell(text, kind = "") {
    mark(this.remark, "class", `remark ${kind}`.trim());
    say(this.remark, text);
  }

  giveHint() {
    const { practice, lesson } = this;
    const { referee } = practice;
    window.clearTimeout(this.timer);
    if (!practice.isOpen) practice.begin(lesson.position); // a wrong move is on the board
    practice.arrows = [{ move: lesson.hint, rank: 0 }];
    practice.show();
    const [before, after] = [practice.position, referee.law.play(practice.position, lesson.hint)];
    announce(`For example: ${moveInWords(referee.rules, lesson.hint, referee.board(after), referee.board(before))}`);
  }
}
