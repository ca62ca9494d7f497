/**
 * `<nest-board>`: a board with two trays, played by dragging, clicking or keyboard.
 *
 * It knows no rules; it is told which moves are legal. It keeps its elements: pieces slide, labels
 * change, nothing is redrawn. It sends `nest-move` (a move was made), `nest-touch` (a piece of the
 * board was lifted), `nest-peek` (a person wants to look under a piece) and `nest-refuse` (a move was
 * tried that is not possible, or none could begin here). Where a position is set up, it sends
 * `nest-pick` (a square was pressed) and `nest-drop` (a piece was dragged).
 *
 * @import { Board, RuleSet, SeatName } from "../server/types.js"
 * @import { Piece } from "./arrange.js"
 */
import { announce } from "../shared/announce.js";
import { draw, make, mark } from "../shared/dom.js";
import { readMove } from "../shared/notation.js";
import { listing, pieceName, playerName, sizeName } from "../shared/words.js";
import { arrange, SEATS } from "./arrange.js";
import { Dragging } from "./dragging.js";
import { newPrefix, pieceDefinitions } from "./drawing.js";
import { Geometry, woodenBoard } from "./geometry.js";
import { meaning, places, targetsFrom } from "./holding.js";
import { Inside } from "./inside.js";
import { label } from "./labels.js";
import { drawMarks, drawSigns } from "./marks.js";
import { CORNER } from "./measures.js";
import { isMotionReduced, PieceLayer } from "./pieces.js";
import { nearest } from "./walking.js";

/**
 * What a board shows. Only `board` is needed; without `legal` moves it cannot be played on.
 *
 * @typedef {{board: Board, legal?: string[], dangerous?: string[], lastMove?: string | null,
 *   lines?: string[][], winner?: SeatName | null, turn?: SeatName | null, touched?: string | null,
 *   touchMove?: boolean, peek?: boolean, warn?: boolean, flip?: boolean, coordinates?: boolean,
 *   arrows?: Arrow[], preview?: string | null,
 *   peeked?: {square: string, stack: string[]} | null, pickable?: boolean,
 *   worth?: Record<string, Worth> | null, hint?: {place: string, target: string | null} | null,
 *   isLineNew?: boolean}} Shown  `hint` is the piece to look at and where it goes
 *
 * A move to point at: rank 0 is the best. Any of the `equal` ones would do as well.
 *
 * @typedef {{move: string, rank: number, equal?: string[]}} Arrow
 *
 * What a move is worth to the mover, where that is known and may be seen.
 *
 * @typedef {{value: "win" | "draw" | "loss", distance: number | null}} Worth
 */

export class NestBoard extends HTMLElement {
  /** @type {RuleSet | null} */
  rules = null;
  /** @type {Geometry | null} */
  geometry = null;
  /** @type {Shown | null} */
  shown = null;
  /** @type {Piece[]} */
  pieces = [];
  /** The place whose piece is held: a square, or a size of the reserve. @type {string | null} */
  held = null;
  /** @type {Map<string, HTMLButtonElement>} */
  squares = new Map();
  /** @type {{seat: SeatName, slots: number[], size: number, button: HTMLButtonElement}[]} */
  handles = [];
  /** What listeners were last told to be held. @type {string | null} */
  told = null;
  /** Of several equal pieces, the one that was pressed. @type {number | undefined} */
  preferred = undefined;
  /** The place at which somebody points, with a mouse or the focus. @type {string | null} */
  pointed = null;
  /** Until the last piece that set off has landed. @type {Promise<unknown> | null} */
  flight = null;
  /** The id of the next new piece. */
  nextId = 1;

  /**
   * Build the board of a rule set, once; after that only `show` changes it.
   *
   * @param {RuleSet} rules
   * @param {Shown} shown
   */
  prepare(rules, shown) {
    this.rules = rules;
    this.idPrefix = newPrefix();
    this.geometry = this.geometryFor(shown);
    this.frame = make("div", { class: "board-frame" });
    this.wood = draw("svg", { class: "layer", "aria-hidden": "true" });
    this.marks = draw("svg", { class: "layer", "aria-hidden": "true" });
    this.layer = new PieceLayer(rules, this.idPrefix);
    this.signs = draw("svg", { class: "layer signs", "aria-hidden": "true" });
    const definitions = draw(
      "svg",
      { class: "definitions", "aria-hidden": "true" },
      draw("defs", {}, pieceDefinitions(rules, this.idPrefix)),
    );
    this.frame.append(definitions, this.wood, this.marks, this.layer.element, this.signs);
    this.frame.append(this.makeTray("second"), this.makeGrid(), this.makeTray("first"));
    this.replaceChildren(this.frame);
    this.frame.addEventListener("keydown", (event) => this.onKey(event));
    this.frame.addEventListener("click", (event) => this.onClick(event));
    this.frame.addEventListener("focusin", (event) => this.onFocus(event));
    this.frame.addEventListener("focusout", () => this.point(null));
    this.frame.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.point(event.target));
    this.frame.addEventListener("pointerleave", () => this.point(null));
    this.dragging = new Dragging(this);
    this.inside = new Inside(this);
    this.layOut();
    this.show(shown);
  }

  /** @param {Shown} shown */
  geometryFor(shown) {
    return new Geometry(/** @type {RuleSet} */ (this.rules), {
      flip: shown.flip ?? false,
      coordinates: shown.coordinates ?? true,
    });
  }

  makeGrid() {
    const rules = /** @type {RuleSet} */ (this.rules);
    const grid = make("div", { role: "grid", class: "grid", "aria-label": "Board" });
    for (let row = rules.board; row >= 1; row -= 1) {
      const line = make("div", { role: "row" });
      for (const square of rules.squares.filter((name) => name[1] === String(row))) {
        const button = make("button", {
          type: "button",
          role: "gridcell",
          class: "spot square",
          tabindex: "-1",
          "data-square": square,
        });
        this.squares.set(square, button);
        line.append(button);
      }
      grid.append(line);
    }
    const middle = rules.squares[Math.floor(rules.squares.length / 2)] ?? "a1";
    this.squares.get(middle)?.setAttribute("tabindex", "0");
    return grid;
  }

  /** @param {SeatName} seat */
  makeTray(seat) {
    const rules = /** @type {RuleSet} */ (this.rules);
    const geometry = /** @type {Geometry} */ (this.geometry);
    const label = `${playerName(rules, seat)}'s reserve`;
    const tray = make("div", { role: "group", class: "tray", "aria-label": label });
    geometry.handles(seat).forEach(({ slots, size }, index) => {
      const button = make("button", {
        type: "button",
        class: "spot handle",
        tabindex: index === 0 ? "0" : "-1",
        "data-handle": `${seat}:${index}`,
      });
      this.handles.push({ seat, slots, size, button });
      tray.append(button);
    });
    return tray;
  }

  /** Put everything where the geometry says. */
  layOut() {
    const geometry = /** @type {Geometry} */ (this.geometry);
    const { width, height } = geometry;
    const frame = /** @type {HTMLElement} */ (this.frame);
    frame.style.aspectRatio = `${width} / ${height}`;
    frame.style.setProperty("--wide", String(width / 100));
    // A box shadow: a filter would be repainted with every frame.
    frame.style.borderRadius = `${(100 * CORNER) / width}% / ${(100 * CORNER) / height}%`;
    // What stands above and below is as wide as the board.
    (this.parentElement ?? this).style.setProperty("--ratio", String(width / height));
    for (const layer of [this.wood, this.marks, this.signs]) {
      layer?.setAttribute("viewBox", `0 0 ${width} ${height}`);
    }
    this.wood?.replaceChildren(...woodenBoard(geometry, /** @type {string} */ (this.idPrefix)));
    const place = (/** @type {HTMLElement} */ button, /** @type {import("./geometry.js").Area} */ area) => {
      button.style.left = `${(100 * area.left) / width}%`;
      button.style.top = `${(100 * area.top) / height}%`;
      button.style.width = `${(100 * area.width) / width}%`;
      button.style.height = `${(100 * area.height) / height}%`;
    };
    for (const [square, button] of this.squares) place(button, geometry.square(square));
    for (const seat of SEATS) {
      const own = this.handles.filter((handle) => handle.seat === seat);
      geometry.handles(seat).forEach(({ area }, index) => {
        const button = own[index]?.button;
        if (button) place(button, area);
      });
    }
  }

  /**
   * Show a state. Pieces that have moved slide to their new place.
   *
   * @param {Shown} shown
   */
  show(shown) {
    const rules = /** @type {RuleSet} */ (this.rules);
    const before = /** @type {Geometry} */ (this.geometry);
    this.shown = shown;
    if (before.flip !== (shown.flip ?? false) || before.coordinates !== (shown.coordinates ?? true)) {
      this.geometry = this.geometryFor(shown);
      this.layOut();
    }
    this.pieces = arrange(this.pieces, this.visibleBoard(), rules, () => this.nextId++);
    this.keepHolding();
    this.refresh();
  }

  /** The board, with the stack a person is looking under laid open. */
  visibleBoard() {
    const { board, peeked } = /** @type {Shown} */ (this.shown);
    if (!peeked) return board;
    return { ...board, stacks: { ...board.stacks, [peeked.square]: peeked.stack } };
  }

  /** Hold the piece that must be played, and release one that can no longer be played. */
  keepHolding() {
    const { touched } = /** @type {Shown} */ (this.shown);
    if (touched) this.held = touched;
    else if (this.held && !places(this.legal).includes(this.held)) {
      this.held = null;
      this.dragging?.end();
    }
  }

  get legal() {
    return this.shown?.legal ?? [];
  }

  /** Whose reserve is played from. */
  get turn() {
    return this.shown?.board.turn ?? "first";
  }

  /** Update everything seen or heard to match the state. */
  refresh() {
    if (this.told !== this.held) {
      this.told = this.held;
      this.dispatchEvent(new CustomEvent("nest-held", { detail: { place: this.held }, bubbles: true }));
    }
    const geometry = /** @type {Geometry} */ (this.geometry);
    const shown = /** @type {Shown} */ (this.shown);
    const lifted = this.held === null ? null : this.liftedPiece(this.held);
    const flight = this.layer?.show(this.pieces, geometry, lifted, shown.preview ?? null, this.turn);
    if (flight) void this.land(flight);
    this.drawMarks();
    label(this);
  }

  /** A line lights up when its last piece has landed. @param {Promise<unknown>} flight */
  async land(flight) {
    this.flight = flight;
    await flight;
    if (this.flight !== flight) return;
    this.flight = null;
    if (this.shown?.lines?.length) this.drawMarks(true);
  }

  /** Draw what is under and over the pieces. @param {boolean} isLineNew */
  drawMarks(isLineNew = false) {
    const geometry = /** @type {Geometry} */ (this.geometry);
    const shown = /** @type {Shown} */ (this.shown);
    const marked = this.flight ? { ...shown, lines: [] } : { ...shown, isLineNew };
    const pointed = this.pointed && places(this.legal).includes(this.pointed) ? this.pointed : null;
    if (this.marks) drawMarks(this.marks, geometry, marked, this.pieces, this.held ?? pointed);
    if (this.signs) drawSigns(this.signs, geometry, shown, this.pieces, this.held, pointed);
  }

  /** Somebody points at a button, or at none. @param {EventTarget | null} target */
  point(target) {
    const button = target instanceof Element ? target.closest("button.spot") : null;
    const place = button ? this.placeOfButton(button) : null;
    if (place === this.pointed) return;
    this.pointed = place;
    if (this.shown?.worth && !this.held) this.drawMarks();
  }

  /** The piece that goes when a place is played from. @param {string} place @returns {Piece | null} */
  liftedPiece(place) {
    const at = (/** @type {Piece} */ piece) =>
      /^\d/.test(place)
        ? piece.place.startsWith(`${this.turn}:`) && piece.size === Number(place) && this.isTop(piece)
        : piece.place === place && this.isTop(piece);
    const preferred = this.pieces.find((piece) => piece.id === this.preferred && at(piece));
    return preferred ?? this.pieces.filter(at).at(-1) ?? null;
  }

  /** @param {Piece} piece */
  isTop(piece) {
    return !this.pieces.some((each) => each.place === piece.place && each.level > piece.level);
  }

  /** The size that can be taken from some slots, or 0. @param {SeatName} seat @param {number[]} slots */
  sizeOf(seat, slots) {
    const inside = this.pieces.filter((piece) => slots.some((slot) => piece.place === `${seat}:${slot}`));
    return Math.max(0, ...inside.map((piece) => piece.size));
  }

  /** @param {SeatName} seat @param {number[]} slots */
  isHandleHeld(seat, slots) {
    const piece = this.held ? this.liftedPiece(this.held) : null;
    return Boolean(piece && slots.some((slot) => piece.place === `${seat}:${slot}`));
  }

  /** The place a button stands for: a square, a size, or none if there is nothing to take. @param {Element} button */
  placeOfButton(button) {
    const { square, handle } = /** @type {HTMLElement} */ (button).dataset;
    if (square) return square;
    const found = this.handles.find((each) => each.button.dataset.handle === handle);
    if (!found) return "";
    const size = this.sizeOf(found.seat, found.slots);
    return found.seat === this.turn && size ? String(size) : "";
  }

  /** @param {Event} event */
  onClick(event) {
    const button = event.target instanceof Element ? event.target.closest("button.spot") : null;
    if (!button || this.dragging?.swallowsClick()) return;
    if (this.shown?.pickable) {
      const place = this.placeOfButton(button);
      if (place) this.dispatchEvent(new CustomEvent("nest-pick", { detail: { place }, bubbles: true }));
      return;
    }
    this.preferPiece(button);
    this.activate(this.placeOfButton(button));
  }

  /** Of several pieces of one size, play the one in the stack that was pressed. @param {Element} button */
  preferPiece(button) {
    const handle = this.handles.find((each) => each.button === button);
    if (!handle) return;
    const inside = this.pieces.filter(
      (piece) => handle.slots.some((slot) => piece.place === `${handle.seat}:${slot}`) && this.isTop(piece),
    );
    this.preferred = inside.at(-1)?.id;
  }

  /** A place was chosen, by a click or a key. @param {string} place */
  activate(place) {
    if (!this.legal.length) return;
    const what = meaning(this.legal, this.held, place, Boolean(this.shown?.touched));
    if (what.does === "play") this.play(what.move);
    else if (what.does === "hold") this.hold(what.place);
    else if (what.does === "release") this.release();
    else this.refuse(place);
  }

  /** @param {string} place */
  refuse(place) {
    const square = this.squares.get(place);
    square?.animate(
      [{ transform: "none" }, { transform: "translateX(-3%)" }, { transform: "translateX(3%)" }, { transform: "none" }],
      { duration: isMotionReduced() ? 0 : 160 },
    );
    const move = this.held && square ? this.held + place : null;
    this.dispatchEvent(new CustomEvent("nest-refuse", { detail: { move }, bubbles: true }));
  }

  /** @param {string} place */
  hold(place) {
    this.held = place;
    this.refresh();
    const rules = /** @type {RuleSet} */ (this.rules);
    const piece = this.liftedPiece(place);
    const targets = targetsFrom(this.legal, place);
    const name = piece ? pieceName(rules, piece.seat, piece.size) : place;
    announce(`${name} held. Possible: ${listing(targets)}.`);
    if (this.shown?.touchMove && this.squares.has(place) && !this.shown.touched) {
      this.dispatchEvent(new CustomEvent("nest-touch", { detail: { square: place }, bubbles: true }));
    }
  }

  release() {
    if (this.shown?.touched) return;
    this.held = null;
    this.preferred = undefined;
    this.refresh();
    announce("Put back.");
  }

  /**
   * Make a move on the screen; the listener makes it in the game, or shows the old state again.
   *
   * @param {string} move
   */
  play(move) {
    const { size, origin, target } = readMove(move);
    const piece = this.liftedPiece(origin ?? String(size));
    if (piece) {
      const level = this.pieces.filter((each) => each.place === target).length;
      this.pieces = this.pieces.map((each) => (each === piece ? { ...each, place: target, level } : each));
    }
    this.held = null;
    this.preferred = undefined;
    if (this.shown) this.shown = { ...this.shown, legal: [], touched: null, preview: null };
    this.focusSquare(target);
    this.refresh();
    this.dispatchEvent(new CustomEvent("nest-move", { detail: { move }, bubbles: true }));
  }

  /** Move the focus along with a move made on the board. @param {string} square */
  focusSquare(square) {
    const focused = document.activeElement;
    if (focused && this.contains(focused)) this.squares.get(square)?.focus({ preventScroll: true });
  }

  /** One square and one handle of each tray can be reached by Tab. @param {FocusEvent} event */
  onFocus(event) {
    const button = /** @type {HTMLElement} */ (event.target);
    if (button.matches(":focus-visible")) this.point(button);
    const group = button.closest("[role=grid], [role=group]");
    for (const each of group?.querySelectorAll("button.spot") ?? []) {
      mark(each, "tabindex", each === button ? "0" : "-1");
    }
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = /** @type {Record<string, [number, number]>} */ ({
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
    })[event.key];
    const focused = /** @type {HTMLElement} */ (event.target);
    if (step) this.walk(focused, step[0], step[1]);
    else if (/^[1-4]$/.test(event.key) && !this.shown?.pickable) this.pick(event.key);
    else if (event.key === "Escape" && this.held) this.release();
    else if (event.key === "p" && this.shown?.peek && focused.dataset.square) {
      const detail = { square: focused.dataset.square };
      this.dispatchEvent(new CustomEvent("nest-peek", { detail, bubbles: true }));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  connectedCallback() {
    document.addEventListener("keydown", this.onLooseKey);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.onLooseKey);
  }

  /**
   * A size is also taken while nothing that can be used has the focus: whoever has just pressed Play need not look
   * for the board.
   *
   * @param {KeyboardEvent} event
   */
  onLooseKey = (event) => {
    const isUsed = document.activeElement?.matches("a, button, input, select, summary, textarea");
    if (isUsed || document.querySelector("dialog[open]") || !/^[1-4]$/.test(event.key)) return;
    this.onKey(event);
  };

  /** Take a size from the reserve, wherever the focus is. @param {string} size */
  pick(size) {
    if (!this.legal.length) return;
    if (places(this.legal).includes(size) && !this.shown?.touched) {
      if (this.held === size) return this.release();
      this.hold(size);
      const focused = document.activeElement;
      if (focused?.classList.contains("handle") || !this.contains(focused)) {
        const target = targetsFrom(this.legal, size)[0];
        if (target) this.squares.get(target)?.focus();
      }
    } else
      announce(
        `No ${sizeName(/** @type {RuleSet} */ (this.rules), Number(size))} piece can be taken from the reserve.`,
      );
  }

  /**
   * Move the focus to the nearest button in a direction on the screen.
   *
   * @param {HTMLElement} from @param {number} right @param {number} down
   */
  walk(from, right, down) {
    const buttons = [...this.squares.values(), ...this.handles.map((handle) => handle.button)];
    nearest(buttons, from, right, down)?.focus();
  }
}

customElements.define("nest-board", NestBoard);
