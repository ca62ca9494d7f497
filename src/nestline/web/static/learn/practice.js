/**
 * A board to practise on: a position of one rule set, the moves of both sides, and nobody to wait
 * for. The rules run in the page. Puzzles and lessons decide what a move means.
 *
 * @import { Outcome, SeatName } from "../server/types.js"
 * @import { Position } from "../engine/law.js"
 * @import { Referee } from "../local/referee.js"
 */
import { NestBoard } from "../board/board.js";
import { sentence } from "../server/api.js";
import { announce, notice } from "../shared/announce.js";
import { preferences } from "../shared/settings.js";
import { sound, soundOf } from "../shared/sounds.js";
import { moveInWords, whyRefused } from "../shared/words.js";

/** What `play` tells. @typedef {{move: string, before: Position, outcome: Outcome | null}} Played */

export class Practice {
  /**
   * @param {Referee} referee
   * @param {(played: Played) => void} listener  called after each move of the person
   */
  constructor(referee, listener) {
    this.referee = referee;
    this.listener = listener;
    this.board = new NestBoard();
    this.position = referee.law.start();
    /** Who moves the pieces here. @type {SeatName} */
    this.side = "first";
    this.isOpen = true;
    /** Whether a touched piece must be played, and the square of the one that was touched. */
    this.touchMove = false;
    /** @type {string | null} */
    this.touched = null;
    /** @type {string | null} */
    this.lastMove = null;
    /** @type {{move: string, rank: number}[]} */
    this.arrows = [];
    this.isPrepared = false;
    this.board.addEventListener("nest-move", (event) => this.move(/** @type {CustomEvent} */ (event).detail.move));
    this.board.addEventListener("nest-touch", (event) => {
      this.touched = /** @type {CustomEvent} */ (event).detail.square;
      this.show();
    });
    this.board.addEventListener("nest-refuse", (event) => this.explain(/** @type {CustomEvent} */ (event).detail.move));
  }

  /** Set up a position; the person plays the side to move. @param {string} text */
  begin(text) {
    this.position = this.referee.read(text);
    this.side = this.position.turn;
    this.lastMove = null;
    this.touched = null;
    this.arrows = [];
    this.isOpen = true;
    this.show();
  }

  /** Go back to an earlier position. @param {Position} position */
  goBack(position) {
    this.position = position;
    this.lastMove = null;
    this.touched = null;
    this.arrows = [];
    this.isOpen = true;
    this.show();
  }

  show() {
    const { law } = this.referee;
    const { coordinates, warn } = preferences();
    const outcome = law.outcome(this.position);
    const canPlay = this.isOpen && !outcome && this.position.turn === this.side;
    const legal = canPlay ? law.legalMoves(this.position) : [];
    const shown = {
      board: this.referee.board(this.position),
      legal,
      dangerous: law.dangerousMoves(this.position),
      lastMove: this.lastMove,
      lines: outcome?.lines ?? [],
      winner: outcome?.winner ?? null,
      turn: outcome ? null : this.position.turn,
      warn,
      coordinates,
      flip: this.side === "second",
      touchMove: this.touchMove,
      touched: canPlay ? this.touched : null,
      arrows: this.arrows,
    };
    if (this.isPrepared) this.board.show(shown);
    else this.board.prepare(this.referee.rules, shown);
    this.isPrepared = true;
  }

  /** A move of either side, on the board. @param {string} move @returns {Played} */
  play(move) {
    const before = this.position;
    const { referee } = this;
    this.position = referee.law.play(before, move);
    this.lastMove = move;
    this.touched = null;
    this.arrows = [];
    this.show();
    const [from, to] = [referee.board(before), referee.board(this.position)];
    announce(moveInWords(referee.rules, move, to, from));
    void Promise.resolve(this.board.flight).then(() => this.board.isConnected && sound(soundOf(move, from, to)));
    return { move, before, outcome: referee.law.outcome(this.position) };
  }

  /** @param {string} move */
  move(move) {
    this.listener(this.play(move));
  }

  /** @param {string | null} move */
  explain(move) {
    if (!move) return notice("Take one of your own pieces first.");
    notice(whyRefused(this.referee.rules, sentence(this.referee.refusal(this.position, move))));
  }
}
