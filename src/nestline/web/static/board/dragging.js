/**
 * Dragging pieces over a board, with a mouse, a pen or a finger. The board
 * decides what a drop means.
 *
 * @import { NestBoard } from "./board.js"
 */
import { writePiece } from "../shared/notation.js";
import { meaning, places } from "./holding.js";

/** A pointer that moves less than this, in pixels, is a click. */
const SLACK = 6;

export class Dragging {
  /** @param {NestBoard} board */
  constructor(board) {
    this.board = board;
    /** @type {{pointer: number, x: number, y: number, place: string, button: HTMLElement} | null} */
    this.pressed = null;
    /** @type {number | null} */
    this.piece = null;
    this.hasDragged = false;
    const frame = /** @type {HTMLElement} */ (board.frame);
    frame.addEventListener("pointerdown", (event) => this.onDown(event));
    frame.addEventListener("pointermove", (event) => this.onMove(event));
    frame.addEventListener("pointerup", (event) => this.onUp(event));
    frame.addEventListener("pointercancel", () => this.cancel());
    frame.addEventListener("lostpointercapture", () => this.cancel());
  }

  /** Ignore the click that browsers send after a drag. */
  swallowsClick() {
    return this.hasDragged;
  }

  /** What is pressed now is no click, and no drag either. */
  swallow() {
    this.pressed = null;
    this.hasDragged = true;
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    this.hasDragged = false;
    const button = event.target instanceof Element ? event.target.closest("button.spot") : null;
    if (!button || !event.isPrimary || event.button !== 0) return;
    if (this.board.shown?.pickable) return this.press(event, /** @type {HTMLElement} */ (button), "");
    const place = this.board.placeOfButton(button);
    const { touched } = this.board.shown ?? {};
    if (!places(this.board.legal).includes(place) || (touched && touched !== place)) return;
    // A held piece may be about to land here, so only its own place starts a drag.
    const { held } = this.board;
    if (held && held !== place && meaning(this.board.legal, held, place).does === "play") return;
    this.press(event, /** @type {HTMLElement} */ (button), place);
  }

  /** @param {PointerEvent} event @param {HTMLElement} button @param {string} place */
  press(event, button, place) {
    this.board.preferPiece(button);
    this.preferNearest(button, event);
    this.pressed = { pointer: event.pointerId, x: event.clientX, y: event.clientY, place, button };
  }

  /**
   * Of several equal pieces side by side, take the one under the pointer.
   *
   * @param {Element} button @param {PointerEvent} event
   */
  preferNearest(button, event) {
    const board = this.board;
    const handle = board.handles.find((each) => each.button === button);
    if (!handle || !board.geometry) return;
    const { x } = this.point(event);
    const geometry = board.geometry;
    const inside = board.pieces.filter(
      (piece) => handle.slots.some((slot) => piece.place === `${handle.seat}:${slot}`) && board.isTop(piece),
    );
    inside.sort((one, two) => Math.abs(geometry.spot(one.place).x - x) - Math.abs(geometry.spot(two.place).x - x));
    board.preferred = inside[0]?.id;
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const pressed = this.pressed;
    if (!pressed || event.pointerId !== pressed.pointer) return;
    if (this.piece === null) {
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < SLACK) return;
      this.begin(pressed);
    }
    if (this.piece === null) return;
    const { x, y } = this.point(event);
    this.board.layer?.drag(this.piece, x, y - (event.pointerType === "touch" ? 22 : 0));
    this.hover(this.squareAt(x, y));
  }

  /** @param {{pointer: number, place: string, button: HTMLElement}} pressed */
  begin({ pointer, place, button }) {
    const isEditing = this.board.shown?.pickable;
    const piece = isEditing ? this.pieceAt(button) : this.board.liftedPiece(place);
    if (!piece) return this.cancel();
    this.hasDragged = true;
    this.piece = piece.id;
    button.setPointerCapture(pointer);
    if (this.board.layer) this.board.layer.dragged = piece.id;
    if (!isEditing) this.board.hold(place);
    this.board.frame?.classList.add("dragging");
    return undefined;
  }

  /** @param {PointerEvent} event */
  onUp(event) {
    if (!this.pressed || event.pointerId !== this.pressed.pointer) return;
    const dragged = this.piece;
    this.end();
    if (dragged === null) return;
    const { x, y } = this.point(event);
    const square = this.squareAt(x, y);
    const board = this.board;
    if (board.shown?.pickable) return this.drop(dragged, square);
    const committed = Boolean(board.shown?.touched);
    const what = square ? meaning(board.legal, board.held, square, committed) : { does: "release" };
    if (what.does === "play" && "move" in what) return board.play(what.move);
    if (square && square !== board.held) board.refuse(square);
    if (committed || board.shown?.touchMove) board.refresh();
    else board.release();
  }

  /** The piece that a button shows on top, whoever is to move. @param {Element} button */
  pieceAt(button) {
    const { board } = this;
    const handle = board.handles.find((each) => each.button === button);
    const { square = "" } = /** @type {HTMLElement} */ (button).dataset;
    const places = handle ? handle.slots.map((slot) => `${handle.seat}:${slot}`) : [square];
    const tops = board.pieces.filter((piece) => places.includes(piece.place) && board.isTop(piece));
    return tops.find((piece) => piece.id === board.preferred) ?? tops.at(-1) ?? null;
  }

  /**
   * A piece was dragged while a position is set up.
   *
   * @param {number} id @param {string | null} square  none is off the board
   */
  drop(id, square) {
    const { board } = this;
    const piece = board.pieces.find((each) => each.id === id);
    board.refresh();
    if (!piece || piece.place === square) return;
    const from = board.squares.has(piece.place) ? piece.place : null;
    const detail = { piece: writePiece(piece.seat, piece.size), from, square };
    board.dispatchEvent(new CustomEvent("nest-drop", { detail, bubbles: true }));
  }

  /** The browser cancelled the pointer: the piece goes back. */
  cancel() {
    const wasDragging = this.piece !== null;
    this.end();
    if (!wasDragging) return;
    if (this.board.shown?.touched || this.board.shown?.pickable) this.board.refresh();
    else this.board.release();
  }

  end() {
    this.pressed = null;
    this.piece = null;
    this.board.layer?.drop();
    this.hover(null);
    this.board.frame?.classList.remove("dragging");
    // The click that ends a drag comes before any later task.
    if (this.hasDragged) window.setTimeout(() => (this.hasDragged = false));
  }

  /** @param {string | null} square */
  hover(square) {
    for (const [name, button] of this.board.squares) button.classList.toggle("under", name === square);
  }

  /** A pointer's position in the board's units. @param {PointerEvent} event */
  point(event) {
    const geometry = /** @type {import("./geometry.js").Geometry} */ (this.board.geometry);
    const frame = /** @type {HTMLElement} */ (this.board.frame).getBoundingClientRect();
    return {
      x: ((event.clientX - frame.left) / frame.width) * geometry.width,
      y: ((event.clientY - frame.top) / frame.height) * geometry.height,
    };
  }

  /** @param {number} x @param {number} y */
  squareAt(x, y) {
    for (const square of this.board.squares.keys()) {
      const area = this.board.geometry?.square(square);
      if (!area) continue;
      const isInside = x > area.left - 3 && x < area.left + area.width + 3;
      if (isInside && y > area.top - 3 && y < area.top + area.height + 3) return square;
    }
    return null;
  }
}
