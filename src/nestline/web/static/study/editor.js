/**
 * The position editor: puts pieces on squares and takes them away. After every change the server
 * says whether the result is a legal position.
 *
 * @import { Board, RuleSet, SeatName } from "../server/types.js"
 */

import { lookAt } from "../analysis/analyse.js";
import { pieceDrawing } from "../board/drawing.js";
import { messageOf } from "../server/api.js";
import { announce } from "../shared/announce.js";
import { make, say } from "../shared/dom.js";
import { readPiece, writePiece, writePosition } from "../shared/notation.js";
import { pieceName, playerName, squareName } from "../shared/words.js";

/** Where pieces are only placed, they tell whose turn it is. @param {Board["stacks"]} stacks @returns {SeatName} */
function turnOf(stacks) {
  const seats = Object.values(stacks).flatMap((stack) => stack.map((piece) => readPiece(piece).seat));
  const lead = seats.filter((seat) => seat === "first").length - seats.filter((seat) => seat === "second").length;
  return lead > 0 ? "second" : "first";
}

export class Editor {
  /**
   * @param {RuleSet} rules
   * @param {Board} board
   * @param {{change: () => void, done: (text: string) => void}} listener
   */
  constructor(rules, board, listener) {
    this.rules = rules;
    this.listener = listener;
    /** @type {Board} */
    this.board = { ...board, stacks: { ...board.stacks } };
    /** The piece to be put down; null takes away. @type {string | null} */
    this.brush = writePiece("first", rules.stock.length);
    this.problem = make("p", { class: "problem", role: "alert" });
    this.text = make("input", {
      type: "text",
      value: board.text,
      "aria-label": "Position as text",
      spellcheck: "false",
      onchange: () => void this.read(this.text.value),
    });
    this.element = make(
      "section",
      { class: "editor", "aria-label": "Editor" },
      make("p", { class: "remark" }, "Drag pieces onto the board and off it; or choose a piece, then press squares."),
      this.palette(),
      rules.moving ? this.turns() : "",
      this.text,
      this.problem,
      make(
        "div",
        { class: "row" },
        make("button", { type: "button", class: "primary", onclick: () => void this.finish() }, "Study this position"),
        make("button", { type: "button", onclick: () => this.change({ stacks: {} }) }, "Clear"),
      ),
    );
  }

  /** Who is to move. */
  turns() {
    return make(
      "fieldset",
      { class: "segments beside" },
      make("legend", {}, "To move"),
      /** @type {SeatName[]} */ (["first", "second"]).map((seat) =>
        make(
          "label",
          {},
          make("input", {
            type: "radio",
            name: "turn",
            value: seat,
            checked: this.board.turn === seat,
            onchange: () => this.change({ turn: seat }),
          }),
          make("span", {}, playerName(this.rules, seat)),
        ),
      ),
    );
  }

  palette() {
    const choice = (/** @type {string} */ value, /** @type {string} */ name, /** @type {Node} */ picture) =>
      make(
        "label",
        { class: value ? "brush" : "brush eraser" },
        make("input", {
          type: "radio",
          name: "brush",
          value,
          checked: value === (this.brush ?? ""),
          "aria-label": name,
          onchange: () => (this.brush = value || null),
        }),
        make("span", {}, picture),
      );
    const pieces = /** @type {SeatName[]} */ (["first", "second"]).flatMap((seat) =>
      this.rules.stock.map((_, index) =>
        choice(
          writePiece(seat, index + 1),
          pieceName(this.rules, seat, index + 1),
          pieceDrawing(this.rules, seat, index + 1),
        ),
      ),
    );
    const legend = make("legend", { class: "for-listeners" }, "Piece");
    const palette = make(
      "fieldset",
      { class: "palette" },
      legend,
      pieces,
      choice("", "Take away", document.createTextNode("✕")),
    );
    palette.style.setProperty("--sizes", String(this.rules.stock.length));
    return palette;
  }

  /** @param {string} square */
  pick(square) {
    if (!this.rules.squares.includes(square)) return;
    const stack = this.board.stacks[square] ?? [];
    const changed = this.brush ? [...stack, this.brush] : stack.slice(0, -1);
    const stacks = { ...this.board.stacks, [square]: changed };
    if (!changed.length) delete stacks[square];
    this.change({ stacks });
    announce(squareName(this.rules, this.board, square));
  }

  /**
   * A piece was dragged from the reserve or a square to a square, or off the board.
   *
   * @param {{piece: string, from: string | null, square: string | null}} drag
   */
  drop({ piece, from, square }) {
    const stacks = { ...this.board.stacks };
    if (from) stacks[from] = (stacks[from] ?? []).slice(0, -1);
    if (from && !stacks[from]?.length) delete stacks[from];
    if (square) stacks[square] = [...(stacks[square] ?? []), piece];
    if (!from && !square) return;
    this.change({ stacks });
    announce(squareName(this.rules, this.board, square ?? from ?? ""));
  }

  /** @param {Partial<Board>} changed */
  change(changed) {
    const before = this.board;
    this.board = { ...this.board, ...changed };
    if (!this.rules.moving) this.board.turn = turnOf(this.board.stacks);
    const text = writePosition(this.board.stacks, this.board.turn, this.rules.board);
    this.board.text = text;
    this.text.value = text;
    void this.check(text, before);
  }

  /** @param {string} text @param {Board} before  what to go back to if it is no position */
  async check(text, before) {
    try {
      const { board } = await lookAt(this.rules, { start: text, moves: [] });
      if (this.board.text !== text) return;
      this.board = board;
      say(this.problem, "");
    } catch (error) {
      if (this.board.text !== text) return;
      this.board = before;
      this.text.value = before.text;
      say(this.problem, messageOf(error));
    }
    this.listener.change();
  }

  /** A text that was typed. @param {string} text */
  async read(text) {
    try {
      const { board } = await lookAt(this.rules, { start: text, moves: [] });
      this.board = board;
      this.text.value = board.text;
      say(this.problem, "");
      for (const input of this.element.querySelectorAll("input[name=turn]")) {
        const radio = /** @type {HTMLInputElement} */ (input);
        radio.checked = radio.value === board.turn;
      }
    } catch (error) {
      say(this.problem, messageOf(error));
    }
    this.listener.change();
  }

  async finish() {
    this.listener.done(this.board.text);
  }
}
