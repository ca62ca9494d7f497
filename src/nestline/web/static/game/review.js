/**
 * The review of a finished game: how the evaluation changed, where the game was thrown away, and
 * what should have been played. The server judges the moves.
 *
 * @import { ReviewedMove } from "../server/types.js"
 * @import { GameView } from "./view.js"
 */

import { colourOf } from "../board/drawing.js";
import { walk } from "../panels/moves.js";
import { messageOf } from "../server/api.js";
import { connection } from "../server/connection.js";
import { draw, keyed, make, mark, say } from "../shared/dom.js";
import { listing, playerName, share, shortValue } from "../shared/words.js";

/** A move with the number of moves after it. @typedef {ReviewedMove & {ply: number}} Judged */

const WIDTH = 340;
const HEIGHT = 130;

/** How bad a move was: 2 is a mistake, 1 is doubtful, 0 is fine. @param {ReviewedMove} move */
export function weight(move) {
  return move.mark === "" ? 0 : move.mark === "?!" ? 1 : 2;
}

export class ReviewPanel {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    /** @type {Judged[]} */
    this.moves = [];
    this.progress = make("p", { class: "remark", role: "status" }, "Looking at the game…");
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
      make(
        "p",
        { class: "caption" },
        `Above the line ${playerName(view.rules, "first")} stands better, below it ` +
          `${playerName(view.rules, "second")}.`,
      ),
      this.progress,
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
    const { game, session } = this.view;
    try {
      const record = await session.host.record(game.id);
      await connection.opened();
      this.stop = connection.stream(
        { type: "review", record },
        (answer) => this.receive(answer),
        (error) => {
          // After a lost connection the review starts again.
          if (error.code === "lost" && this.element.isConnected) void this.begin();
          else say(this.progress, error.message);
        },
      );
    } catch (error) {
      say(this.progress, messageOf(error));
    }
  }

  /** @param {any} answer */
  receive(answer) {
    if (answer.type === "reviewed") {
      this.moves[answer.index] = { ...answer.move, ply: answer.index + 1 };
      say(this.progress, `Looking at move ${answer.index + 1} of ${answer.count}…`);
    } else if (answer.type === "review") {
      this.moves = answer.review.moves.map((/** @type {ReviewedMove} */ move, /** @type {number} */ index) => ({
        ...move,
        ply: index + 1,
      }));
      const bad = this.moves.filter((move) => weight(move) === 2).length;
      const source = answer.review.exact ? "Exact: this game is solved." : "Judged by the engine.";
      say(
        this.progress,
        `${bad ? `${bad} ${bad === 1 ? "mistake" : "mistakes"}.` : "No mistake that changed the result."} ${source}`,
      );
      this.showList();
    } else if (answer.type !== "waiting") return true;
    this.draw();
    this.update();
    this.view.showMoves();
    return answer.type === "review";
  }

  /** The share of the first player after a move. @param {Judged} move */
  height(move) {
    const over = this.view.game.outcome;
    if (over && move.ply === this.view.session.played.length) {
      return over.winner === "first" ? 1 : over.winner === "second" ? 0 : 0.5;
    }
    return share(move.after, move.seat);
  }

  draw() {
    const { rules, session } = this.view;
    const count = Math.max(1, session.played.length);
    const known = this.moves.filter(Boolean);
    const x = (/** @type {number} */ ply) => 6 + ((WIDTH - 12) * ply) / count;
    const y = (/** @type {number} */ part) => 8 + (HEIGHT - 16) * (1 - part);
    const first = known[0] ? share(known[0].before, known[0].seat) : 0.5;
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

  /** @param {ReviewedMove} move */
  inWords(move) {
    const name = playerName(this.view.rules, move.seat);
    const start = `${move.number}. ${name} ${move.move}`;
    const value = shortValue(move.after);
    if (weight(move) === 0) return `${start}${value ? `: ${value}` : ""}`;
    const lost =
      move.thrown_away === "win"
        ? "gives the win away"
        : move.thrown_away === "draw"
          ? "gives the draw away"
          : "is not the best";
    return `${start} ${lost}; better ${listing(move.best.slice(0, 3), "or")}`;
  }

  /** The sign of a move in the list of moves. @param {number} index */
  signOf(index) {
    const move = this.moves[index];
    return move?.mark || undefined;
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
    const played = `${name} played ${move.move}${after ? ` (${after})` : ""}.`;
    if (move.best.includes(move.move)) return [make("p", {}, `${played} That was best.`)];
    const line = move.best_line.length > 1 ? ` The line: ${move.best_line.join(" ")}` : "";
    return [
      make(
        "p",
        {},
        `${played} Best was ${listing(move.best.slice(0, 3), "or")}${before ? ` (${before})` : ""}.${line}`,
      ),
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
    this.stop?.();
    this.moves = [];
    this.view.showMoves();
  }
}
