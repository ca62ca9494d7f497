/**
 * The review of a finished game: how the evaluation changed, where the game was thrown away, and
 * what should have been played. The page's engine and the tablebases judge the moves.
 *
 * @import { PageReview } from "../analysis/review.js"
 * @import { Judgement, ReviewedMove, SeatName } from "../server/types.js"
 * @import { GameView } from "./view.js"
 */

import { reviewGame, shareAtEnd } from "../analysis/review.js";
import { colourOf } from "../board/drawing.js";
import { walk } from "../panels/moves.js";
import { messageOf, requireStudy } from "../server/api.js";
import { draw, keyed, make, mark, say } from "../shared/dom.js";
import { newestToken } from "../shared/settings.js";
import { counted, listing, moveText, playerName, share, shortValue } from "../shared/words.js";

/** A move with the number of moves after it. @typedef {ReviewedMove & {ply: number}} Judged */

const WIDTH = 340;
const HEIGHT = 130;
/** How far from the middle the longest win is drawn. */
const LEAST = 0.08;

/** How bad a move was: 2 is a mistake, 1 is doubtful, 0 is fine. @param {ReviewedMove} move */
export function weight(move) {
  if (move.mark === "") return hastens(move) ? 1 : 0;
  return move.mark === "?!" ? 1 : 2;
}

/** Whether a move loses sooner than it had to. @param {ReviewedMove} move */
function hastens({ thrown_away, after }) {
  return thrown_away === "plies" && after.value === "loss";
}

/** What a bad move does. @param {ReviewedMove} move */
export function harmOf({ thrown_away, after, plies_lost }) {
  if (after.value === "loss" && after.distance === 1) return "reveals a line and loses";
  if (after.value === "loss" && after.distance === 2) return "lets the other side win at once";
  if (thrown_away === "win") return "gives the win away";
  if (thrown_away === "draw") return "gives the draw away";
  if (thrown_away === "plies") {
    const moves = counted(plies_lost, "move");
    return after.value === "win" ? `wins ${moves} later than needed` : `hastens the loss by ${moves}`;
  }
  return after.value === "loss" ? "loses by force" : "is not the best";
}

export class ReviewPanel {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    /** @type {Judged[]} */
    this.moves = [];
    this.isExact = view.rules.table.state === "ready";
    this.caption = make("p", { class: "caption" });
    this.running = new AbortController();
    this.progress = make("p", { class: "remark", role: "status" }, "Looking at the game…");
    this.again = make("p", { class: "row", hidden: true });
    this.again.append(make("button", { type: "button", onclick: () => void this.begin() }, "Try again"));
    this.graph = draw("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "graph-lines",
      "aria-hidden": "true",
      preserveAspectRatio: "none",
    });
    this.points = make("div", { class: "graph-points", role: "group", "aria-label": "Evaluation, move by move" });
    this.detail = make("div", { class: "detail" });
    this.list = make("ul", { class: "mistakes" });
    this.element = make(
      "section",
      { class: "review", "aria-label": "Review" },
      make("h2", {}, "Review"),
      make("div", { class: "graph" }, this.graph, this.points),
      this.caption,
      this.progress,
      this.again,
      this.detail,
      this.list,
    );
    this.points.addEventListener("keydown", (event) => {
      const last = this.view.session.played.length;
      if (walk(event, this.view.ply, last, (ply) => this.view.jump(ply))) {
        /** @type {HTMLElement | null} */ (this.points.querySelector("[aria-current]"))?.focus();
      }
    });
    void this.begin();
  }

  async begin() {
    const { game, rules, session } = this.view;
    const { signal } = this.running;
    const moves = session.played.map(({ move }) => move);
    this.again.hidden = true;
    try {
      await requireStudy(newestToken());
      const report = (/** @type {ReviewedMove} */ move, /** @type {number} */ index) => {
        if (!signal.aborted) this.receive(move, index, moves.length);
      };
      const review = await reviewGame(rules, { start: game.start.text, moves }, { report, signal });
      if (!signal.aborted) this.conclude(review);
    } catch (error) {
      if (signal.aborted) return;
      say(this.progress, messageOf(error));
      this.again.hidden = false;
    }
  }

  /** @param {ReviewedMove} move @param {number} index @param {number} count */
  receive(move, index, count) {
    this.moves[index] = { ...move, ply: index + 1 };
    say(this.progress, `Looking at move ${index + 1} of ${count}…`);
    this.show();
  }

  /** @param {PageReview} review */
  conclude({ exact, remark }) {
    this.isExact = exact;
    const bad = this.moves.filter((move) => weight(move) === 2).length;
    const source = exact ? "Exact: this game is solved." : `Judged by the engine. ${remark ?? ""}`.trim();
    const found = bad ? `${bad} ${bad === 1 ? "mistake" : "mistakes"}.` : "No mistake that changed the result.";
    say(this.progress, `${found} ${source}`);
    this.showList();
    this.show();
  }

  show() {
    this.draw();
    this.update();
    this.view.showMoves();
  }

  /** The share of the first player after a move. @param {Judged} move */
  height(move) {
    const isLast = move.ply === this.view.session.played.length;
    return (isLast ? shareAtEnd(this.view.game.outcome) : null) ?? this.standing(move.after, move.seat);
  }

  /**
   * Who stands better, from 0 to 1. In a solved game the nearer the end, the nearer the edge.
   *
   * @param {Judgement} judgement @param {SeatName} seat  whose it is
   */
  standing(judgement, seat) {
    const { value, distance } = judgement;
    if (!this.isExact || distance === null) return share(judgement, seat);
    if (value !== "win" && value !== "loss") return 0.5;
    const near = LEAST + (0.5 - LEAST) * (1 - distance / (this.longest + 1));
    return (value === "win") === (seat === "first") ? 0.5 + near : 0.5 - near;
  }

  /** The greatest distance to the end in this game. */
  get longest() {
    const distances = this.moves.filter(Boolean).flatMap(({ before, after }) => [before.distance, after.distance]);
    return Math.max(1, ...distances.map((distance) => distance ?? 0));
  }

  draw() {
    const { rules, session } = this.view;
    const sides = [playerName(rules, "first"), playerName(rules, "second")];
    say(
      this.caption,
      this.isExact
        ? `Above the line ${sides[0]} wins, below it ${sides[1]}; on it the game is a draw. ` +
            "The nearer to the edge, the fewer moves are left."
        : `Above the line ${sides[0]} stands better, below it ${sides[1]}.`,
    );
    const count = Math.max(1, session.played.length);
    const known = this.moves.filter(Boolean);
    const x = (/** @type {number} */ ply) => 6 + ((WIDTH - 12) * ply) / count;
    const y = (/** @type {number} */ part) => 8 + (HEIGHT - 16) * (1 - part);
    const first = known[0] ? this.standing(known[0].before, known[0].seat) : 0.5;
    const line = [[x(0), y(first)], ...known.map((move) => [x(move.ply), y(this.height(move))])];
    const path = line.map((point, index) => `${index ? "L" : "M"}${point.join(" ")}`).join("");
    this.graph.replaceChildren(
      draw("path", {
        d: `${path}L${line.at(-1)?.[0]} ${HEIGHT}L${x(0)} ${HEIGHT}Z`,
        fill: colourOf(rules, "first"),
        opacity: 0.3,
      }),
      draw("path", { d: `M0 ${HEIGHT / 2}H${WIDTH}`, class: "graph-middle" }),
      draw("path", { d: path, class: "graph-path", "vector-effect": "non-scaling-stroke" }),
    );
    keyed(
      this.points,
      known,
      (move) => String(move.ply),
      (move) => make("button", { type: "button", "data-ply": move.ply, onclick: () => this.view.jump(move.ply) }),
      (button, move) => {
        mark(button, "class", `point weight-${weight(move)}`);
        mark(button, "aria-label", this.inWords(move));
        mark(button, "title", this.inWords(move));
        button.style.left = `${(100 * x(move.ply)) / WIDTH}%`;
        button.style.top = `${(100 * y(this.height(move))) / HEIGHT}%`;
      },
    );
  }

  /** @param {string} move */
  moveText(move) {
    return moveText(this.view.rules, move);
  }

  /** @param {ReviewedMove} move */
  bestOf({ best }) {
    return listing(
      best.slice(0, 3).map((move) => this.moveText(move)),
      "or",
    );
  }

  /** @param {ReviewedMove} move */
  inWords(move) {
    const name = playerName(this.view.rules, move.seat);
    const start = `${move.number}. ${name} ${this.moveText(move.move)}`;
    const value = shortValue(move.after);
    if (weight(move) === 0) return `${start}${value ? `: ${value}` : ""}`;
    return `${start} ${harmOf(move)}; better ${this.bestOf(move)}`;
  }

  /** The sign of a move in the list of moves. @param {number} index */
  signOf(index) {
    const move = this.moves[index];
    return move && (move.mark || (hastens(move) ? "?!" : undefined));
  }

  showList() {
    const bad = this.moves.filter((move) => weight(move) > 0);
    this.list.replaceChildren(
      ...bad.map((move) =>
        make(
          "li",
          {},
          make(
            "button",
            { type: "button", class: "move", onclick: () => this.view.jump(move.ply) },
            this.inWords(move),
          ),
        ),
      ),
    );
  }

  /** Highlight the move shown on the board. */
  update() {
    const { ply } = this.view;
    const move = this.moves[ply - 1];
    for (const button of this.points.children) {
      const isHere = Number(/** @type {HTMLElement} */ (button).dataset.ply) === ply;
      mark(button, "aria-current", isHere ? "step" : null);
      mark(button, "tabindex", isHere || (!move && button === this.points.firstElementChild) ? "0" : "-1");
    }
    const name = move ? `${move.ply}` : "";
    if (this.detail.dataset.move === name) return;
    this.detail.dataset.move = name;
    this.detail.replaceChildren(...(move ? this.details(move) : []));
  }

  /** @param {Judged} move */
  details(move) {
    const name = playerName(this.view.rules, move.seat);
    const after = shortValue(move.after);
    const before = shortValue(move.before);
    const played = `${name} played ${this.moveText(move.move)}${after ? ` (${after})` : ""}.`;
    if (move.best.includes(move.move)) return [make("p", {}, `${played} That was best.`)];
    const line =
      move.best_line.length > 1 ? ` The line: ${move.best_line.map((each) => this.moveText(each)).join(" ")}` : "";
    return [
      make("p", {}, `${played} Best was ${this.bestOf(move)}${before ? ` (${before})` : ""}.${line}`),
      make("button", { type: "button", onclick: () => this.showBest(move) }, "What should I have played?"),
    ];
  }

  /** Go to before the move, and point at the best ones. @param {Judged} move */
  showBest(move) {
    const { view } = this;
    view.jump(move.ply - 1);
    view.arrows = move.best.slice(0, 3).map((best, rank) => ({ move: best, rank }));
    view.showBoard();
    view.status.focus({ preventScroll: true });
  }

  close() {
    this.running.abort();
    this.moves = [];
    this.view.showMoves();
  }
}
