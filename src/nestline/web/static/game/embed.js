/**
 * The small view of a game or a position for other pages, which show it in a frame: a board, its moves to step
 * through, and the way to the whole page. Nothing can be played in it, since any page may show it.
 *
 * @import { Board, RuleSet } from "../server/types.js"
 */
import { gameAfter } from "../analysis/analyse.js";
import { NestBoard } from "../board/board.js";
import { hostOf } from "../local/hosts.js";
import { fetchRuleSet } from "../server/api.js";
import { positionAddress } from "../shared/addresses.js";
import { icon, make, mark, say } from "../shared/dom.js";
import { moveInWords } from "../shared/words.js";
import { Session } from "./session.js";

/**
 * What is shown: the moves with the boards after them, and what is said of the last one.
 *
 * @typedef {{rules: RuleSet, start: Board, played: {move: string, board: Board}[], text: string, lines: string[][],
 *   address: string}} Story
 */

/**
 * @param {HTMLElement} content
 * @param {import("../shared/navigate.js").Visit} visit
 */
export async function open(content, { parts, address }) {
  content.className = "view embedded";
  const id = parts[0];
  if (!id) {
    new Embedded(content, await storyOf(address));
    return undefined;
  }
  const host = await hostOf(id);
  const game = await host.fetchGame(id);
  const rules = await host.fetchRules(id, game.rules);
  const session = await Session.of(game, host);
  const story = () => ({
    rules,
    start: session.game.start,
    played: session.game.hidden ? [] : session.played,
    text: session.game.text,
    lines: session.game.outcome?.lines ?? [],
    address: `/game/${id}`,
    now: session.game.board,
  });
  const view = new Embedded(content, story());
  session.addEventListener("change", () => view.tell(story()));
  session.open();
  return () => session.close();
}

/** A position and moves as in the address of a study. @param {URL} address @returns {Promise<Story>} */
async function storyOf({ searchParams }) {
  const rules = await fetchRuleSet(searchParams.get("rules") ?? "gobblers");
  const start = (searchParams.get("position") ?? "start").replaceAll("_", " ");
  const moves = (searchParams.get("moves") ?? "").split(" ").filter(Boolean);
  const game = await gameAfter(rules, { start, moves });
  const { end, played, position, referee } = game;
  const first = referee.board(game.start);
  return {
    rules,
    start: first,
    played: played.map((each) => ({ move: each.move, board: referee.board(each.position) })),
    text: game.explain(),
    lines: end ? [...referee.lines(position, "first"), ...referee.lines(position, "second")] : [],
    address: positionAddress(
      rules.name,
      first.text,
      played.map((each) => each.move),
    ),
  };
}

class Embedded {
  /** @param {HTMLElement} content @param {Story & {now?: Board}} story */
  constructor(content, story) {
    this.story = story;
    /** How many moves are on the board; null is all, and stays all. @type {number | null} */
    this.cursor = null;
    this.board = new NestBoard();
    this.words = make("p", { class: "words", role: "status" });
    const step = (/** @type {string} */ path, /** @type {string} */ label, /** @type {() => void} */ action) =>
      make("button", { type: "button", "aria-label": label, title: label, onclick: action }, icon(path));
    this.first = step("M6 5V19M18 5L9 12L18 19", "To the start", () => this.jump(0));
    this.back = step("M15 5L8 12L15 19", "Back", () => this.jump(this.ply - 1));
    this.forward = step("M9 5L16 12L9 19", "Forward", () => this.jump(this.ply + 1));
    this.last = step("M18 5V19M6 5L15 12L6 19", "To the end", () => this.jump(this.story.played.length));
    this.steps = make("div", { class: "steps" }, this.first, this.back, this.forward, this.last);
    const { address, rules } = story;
    content.append(
      make("h1", { class: "for-listeners" }, rules.title),
      make("section", { class: "table", "aria-label": "Board and reserves" }, this.board),
      make(
        "div",
        { class: "below" },
        this.steps,
        this.words,
        make("a", { href: address, target: "_blank", rel: "noopener" }, "nestline"),
      ),
    );
    document.title = `${rules.title} · nestline`;
    this.board.prepare(rules, this.shown());
    this.show();
  }

  get ply() {
    return this.cursor ?? this.story.played.length;
  }

  /** The game has gone on. @param {Story & {now?: Board}} story */
  tell(story) {
    this.story = story;
    if (this.cursor !== null && this.cursor >= story.played.length) this.cursor = null;
    this.show();
  }

  /** @param {number} ply */
  jump(ply) {
    const last = this.story.played.length;
    this.cursor = ply >= last ? null : Math.max(0, ply);
    this.show();
  }

  /** @returns {import("../board/board.js").Shown} */
  shown() {
    const { now, played, start, lines } = this.story;
    const last = played[this.ply - 1];
    const isEnd = this.cursor === null;
    return {
      board: isEnd && now ? now : (last?.board ?? start),
      lastMove: last?.move ?? null,
      lines: isEnd ? lines : [],
    };
  }

  show() {
    const { played, rules, start, text } = this.story;
    this.board.show(this.shown());
    const last = played[this.ply - 1];
    const before = played[this.ply - 2]?.board ?? start;
    say(this.words, this.cursor === null || !last ? text : moveInWords(rules, last.move, last.board, before));
    this.steps.hidden = played.length === 0;
    for (const button of [this.first, this.back]) mark(button, "aria-disabled", this.ply ? null : "true");
    for (const button of [this.forward, this.last]) {
      mark(button, "aria-disabled", this.ply < played.length ? null : "true");
    }
  }
}
