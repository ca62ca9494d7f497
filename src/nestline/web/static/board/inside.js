/**
 * Shows what a stack is made of, to whoever points at it, presses it for long or reaches it by keys. It shows
 * only what the board shows: where covered pieces are secret there is nothing to show.
 *
 * @import { NestBoard } from "./board.js"
 * @import { RuleSet } from "../server/types.js"
 */
import { make } from "../shared/dom.js";
import { pieceName } from "../shared/words.js";
import { pieceDrawing } from "./drawing.js";

const POINTING = 450;
const LONG_PRESS = 500;
/** A finger that moves further, in pixels, drags or scrolls. */
const SLACK = 8;

export class Inside {
  /** @param {NestBoard} board */
  constructor(board) {
    this.board = board;
    this.timer = 0;
    this.bubble = make("div", { class: "inside", "aria-hidden": "true", hidden: true });
    const frame = /** @type {HTMLElement} */ (board.frame);
    frame.append(this.bubble);
    frame.addEventListener("pointerover", (event) => this.wait(event, POINTING, event.pointerType === "mouse"));
    frame.addEventListener("focusin", (event) => {
      const isByKey = event.target instanceof Element && event.target.matches(":focus-visible");
      this.wait(event, POINTING, isByKey);
    });
    frame.addEventListener("pointerdown", (event) => {
      this.pressed = { x: event.clientX, y: event.clientY };
      this.wait(event, LONG_PRESS, event.pointerType !== "mouse");
    });
    frame.addEventListener("pointermove", (event) => {
      const { x, y } = this.pressed ?? { x: event.clientX, y: event.clientY };
      if (event.pointerType !== "mouse" && Math.hypot(event.clientX - x, event.clientY - y) > SLACK) this.hide();
    });
    for (const name of ["pointerleave", "pointerup", "pointercancel", "focusout", "click"]) {
      frame.addEventListener(name, () => this.hide());
    }
    // A phone that is turned has the stack elsewhere.
    new ResizeObserver(() => this.hide()).observe(frame);
    // Before the key moves the focus, which shows another stack.
    frame.addEventListener("keydown", () => this.hide(), { capture: true });
    // A long press shows the stack; it is no click.
    frame.addEventListener("contextmenu", (event) => !this.bubble.hidden && event.preventDefault());
  }

  /** @param {Event} event @param {number} milliseconds @param {boolean} isMeant */
  wait(event, milliseconds, isMeant) {
    this.hide();
    const button = event.target instanceof Element ? event.target.closest("button.spot") : null;
    if (!button || !isMeant) return;
    this.timer = window.setTimeout(() => {
      if (this.show(/** @type {HTMLElement} */ (button)) && event.type === "pointerdown")
        this.board.dragging?.swallow();
    }, milliseconds);
  }

  /** The stack behind a button, the top piece first. @param {HTMLElement} button */
  stackOf(button) {
    const { board } = this;
    const handle = board.handles.find((each) => each.button === button);
    if (handle && board.rules?.reserve !== "nested") return [];
    const places = handle ? handle.slots.map((slot) => `${handle.seat}:${slot}`) : [button.dataset.square ?? ""];
    return board.pieces.filter((piece) => places.includes(piece.place)).sort((one, two) => two.level - one.level);
  }

  /** @param {HTMLElement} button */
  show(button) {
    const stack = this.stackOf(button);
    if (stack.length < 2 || this.board.held || this.board.shown?.pickable) return false;
    const rules = /** @type {RuleSet} */ (this.board.rules);
    this.bubble.replaceChildren(
      ...stack.map(({ seat, size }) =>
        make("span", {}, pieceDrawing(rules, seat, size), make("small", {}, pieceName(rules, seat, size))),
      ),
    );
    this.bubble.hidden = false;
    const frame = /** @type {HTMLElement} */ (this.board.frame).getBoundingClientRect();
    const spot = button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.bubble;
    const left = spot.left - frame.left + spot.width / 2 - width / 2;
    const above = spot.top - frame.top - height - 6;
    this.bubble.style.left = `${Math.max(4, Math.min(frame.width - width - 4, left))}px`;
    this.bubble.style.top = `${spot.top - height > 4 ? above : spot.bottom - frame.top + 6}px`;
    return true;
  }

  hide() {
    window.clearTimeout(this.timer);
    this.bubble.hidden = true;
  }
}
