/**
 * A board that plays a short game by itself, again and again, and can be paused. Where motion is
 * unwanted it shows the end of the game.
 *
 * @import { RuleSet, SeatName } from "../server/types.js"
 * @import { Demonstration } from "./demonstrations.js"
 */
import { draw, icon, make, mark } from "../shared/dom.js";
import { readMove, writePiece } from "../shared/notation.js";
import { preferences } from "../shared/settings.js";
import { DEMONSTRATIONS } from "./demonstrations.js";
import { newPrefix, pieceDefinitions } from "./drawing.js";
import { Geometry, woodenBoard } from "./geometry.js";
import { chain, emblem } from "./miniature.js";

const BETWEEN_MOVES = 1050;
const LANDING = 450;
const AT_THE_END = 3600;
const PAUSE = "M9 6V18M15 6V18";
const GO_ON = "M9 6L17 12L9 18Z";

/** @type {Demonstration} */
const NONE = { moves: [], lines: [] };

/** @typedef {{seat: SeatName, size: number, element: SVGGElement}} Piece */

/** Whether this person wants nothing to move. */
function wantsStillness() {
  return preferences().motion === "reduced" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** One game on a board, move by move. */
class Scene {
  /** @param {RuleSet} rules */
  constructor(rules) {
    this.rules = rules;
    this.ply = 0;
    /** @type {Record<string, Piece[]>} */
    this.stacks = {};
    this.prefix = newPrefix();
    this.geometry = new Geometry(rules, { coordinates: false, trays: false });
    this.line = draw("g", { class: "living-line" });
    this.pieces = draw("g");
    const { width, height } = this.geometry;
    const label = `A short game of ${rules.title}`;
    this.element = draw(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, class: "miniature", role: "img", "aria-label": label },
      draw("defs", {}, pieceDefinitions(rules, this.prefix)),
      woodenBoard(this.geometry, this.prefix),
      this.line,
      this.pieces,
    );
  }

  /** @param {string} move @param {boolean} isMoving */
  play(move, isMoving) {
    const { stacks } = this;
    const { origin, size, target } = readMove(move);
    const { x, y } = this.geometry.spot(target);
    const taken = origin ? stacks[origin]?.pop() : undefined;
    const piece = taken ?? this.create(this.ply % 2 ? "second" : "first", size ?? 1);
    const { style } = piece.element;
    this.showRings(piece, []);
    if (!taken && isMoving) {
      style.opacity = "0";
      style.transform = `translate(${x}px, ${y}px) scale(1.7)`;
    }
    this.pieces.append(piece.element);
    // The browser has to know where it is now to show its way to the square.
    if (isMoving) piece.element.getBoundingClientRect();
    style.opacity = "1";
    style.transform = `translate(${x}px, ${y}px)`;
    const covered = stacks[target] ?? [];
    stacks[target] = [...covered, piece];
    this.ply += 1;
    const land = () => this.showRings(piece, covered);
    if (isMoving) window.setTimeout(land, LANDING);
    else land();
  }

  /** @param {SeatName} seat @param {number} size @returns {Piece} */
  create(seat, size) {
    const use = draw("use", { href: `#${this.prefix}piece-${seat}-${size}` });
    return { seat, size, element: draw("g", { class: "living-piece" }, use) };
  }

  /** Show on a piece what it covers. @param {Piece} piece @param {Piece[]} covered */
  showRings({ element }, covered) {
    while (element.childElementCount > 1) element.lastElementChild?.remove();
    for (const { seat, size } of [...covered].reverse()) {
      element.append(draw("use", { href: `#${this.prefix}ring-${seat}-${size}` }));
    }
  }

  /** Show the lines that ended the game. @param {string[][]} lines */
  end(lines) {
    const tops = Object.entries(this.stacks).map(([square, stack]) => {
      return [square, stack.slice(-1).map(({ seat, size }) => writePiece(seat, size))];
    });
    this.line.append(...lines.map((line) => chain(this.geometry, line, Object.fromEntries(tops))));
    this.line.classList.add("shown");
  }
}

export class LivingBoard {
  constructor() {
    this.timer = 0;
    this.isPaused = false;
    /** @type {RuleSet | null} */
    this.rules = null;
    /** @type {string[]} */
    this.moves = [];
    /** @type {string[][]} */
    this.lines = [];
    /** @type {Scene | null} */
    this.scene = null;
    this.picture = make("div", {});
    this.button = make("button", { type: "button", class: "round", onclick: () => this.pause() });
    this.element = make("div", { class: "living" }, this.picture, this.button);
    this.onPreferences = () => this.begin();
    window.addEventListener("nest-preferences", this.onPreferences);
  }

  /**
   * Play a game of these rules from now on.
   *
   * @param {RuleSet} rules
   * @param {Demonstration} [game]  for a set that comes with nestline there is one
   */
  show(rules, { moves, lines } = DEMONSTRATIONS[rules.name] ?? NONE) {
    if (rules === this.rules) return;
    this.rules = rules;
    this.moves = moves;
    this.lines = lines;
    // What people came to press is on the screen first.
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.begin());
  }

  close() {
    window.clearTimeout(this.timer);
    window.removeEventListener("nest-preferences", this.onPreferences);
  }

  pause() {
    this.isPaused = !this.isPaused;
    this.showButton();
    if (!this.isPaused) this.wait(0);
  }

  showButton() {
    this.button.replaceChildren(icon(this.isPaused ? GO_ON : PAUSE));
    mark(this.button, "aria-label", this.isPaused ? "Let the board play" : "Pause the board");
  }

  begin() {
    const { moves, rules } = this;
    if (!rules) return;
    window.clearTimeout(this.timer);
    this.scene = moves.length ? new Scene(rules) : null;
    this.picture.replaceChildren(this.scene?.element ?? emblem(rules));
    const isStill = wantsStillness() || !this.scene;
    this.button.hidden = isStill;
    this.showButton();
    if (!isStill) return this.wait(BETWEEN_MOVES / 2);
    for (const move of moves) this.scene?.play(move, false);
    this.scene?.end(this.lines);
    return undefined;
  }

  /** @param {number} time */
  wait(time) {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.step(), time);
  }

  step() {
    const { moves, scene } = this;
    if (this.isPaused || !scene) return;
    const move = moves[scene.ply];
    if (document.hidden) this.wait(BETWEEN_MOVES);
    else if (move) {
      scene.play(move, true);
      this.wait(BETWEEN_MOVES);
    } else if (!scene.line.classList.contains("shown")) {
      scene.end(this.lines);
      this.wait(AT_THE_END);
    } else this.begin();
  }
}
