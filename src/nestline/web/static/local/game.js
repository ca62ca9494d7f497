/**
 * A game in progress: what the players have done, may do, and may see. It is `nestline.game` in the
 * page: the rules that need a history or two people, with the same sentences.
 *
 * @import { Position } from "../engine/law.js"
 * @import { SeatName, Visibility } from "../server/types.js"
 * @import { End, Referee } from "./referee.js"
 */
import { Refusal } from "../server/api.js";
import { other, readMove } from "../shared/notation.js";
import { counted } from "../shared/words.js";
import { resultOf } from "./referee.js";
import * as say from "./sentences.js";
import { readSquare } from "./spellings.js";

/**
 * Who plays a side; the computer has a level.
 *
 * @typedef {{name: string, level: string | null}} Player
 * @typedef {Record<SeatName, Player>} Players
 */

/**
 * The game after one action, perhaps a move of the computer's; a game is a list of these.
 *
 * @typedef {{position: Position, ply: number, move: string | null, touched: string | null, end: End | null,
 *   byComputer?: boolean}} State
 */

/** @param {string} message */
export function refused(message) {
  return new Refusal("refused", message);
}

/** @param {Referee} referee @param {Players} players */
export function requireSeats({ rules }, { first, second }) {
  if (rules.person_begins && first.level !== null && second.level === null) {
    throw refused(say.personBegins(rules.name, ...rules.players));
  }
}

export class Game {
  /**
   * @param {Referee} referee
   * @param {{start: Position, visibility: Visibility, touchMove: boolean | null, plyLimit: number | null}} options
   */
  constructor(referee, { start, visibility, touchMove, plyLimit }) {
    const { rules } = referee;
    if (visibility === "peek" && !rules.peek) throw refused(say.noPeeking(rules.name));
    if (touchMove && !rules.touch_move) throw refused(say.noTouchRule(rules.name));
    this.referee = referee;
    this.start = start;
    this.visibility = visibility;
    this.touchMove = touchMove ?? rules.touch_move;
    this.plyLimit = plyLimit;
    /** @type {Players} */
    this.players = {
      first: { name: referee.name("first"), level: null },
      second: { name: referee.name("second"), level: null },
    };
    /** @type {State[]} */
    this.states = [{ position: start, ply: 0, move: null, touched: null, end: referee.end(start) }];
    /** @type {State[]} */
    this.undone = [];
    /** The player whose draw offer is pending. @type {SeatName | null} */
    this.offer = null;
    /** What a record says beyond players and options: a date, an event. @type {Map<string, string>} */
    this.tags = new Map();
  }

  /** An independent copy. @returns {Game} */
  copy() {
    const copy = Object.assign(Object.create(Game.prototype), this);
    copy.states = [...this.states];
    copy.undone = [...this.undone];
    return copy;
  }

  /** @param {Players} players */
  seat(players) {
    requireSeats(this.referee, players);
    this.players = players;
  }

  // State.

  /** @returns {State} */
  get state() {
    return /** @type {State} */ (this.states.at(-1));
  }

  get position() {
    return this.state.position;
  }

  get turn() {
    return this.position.turn;
  }

  get ply() {
    return this.state.ply;
  }

  get touched() {
    return this.state.touched;
  }

  get end() {
    return this.state.end;
  }

  /** The moves played so far, each with the position after it. */
  get played() {
    return this.states.flatMap(({ move, position }) => (move === null ? [] : [{ move, position }]));
  }

  get lastMove() {
    return this.states.findLast((state) => state.move !== null)?.move ?? null;
  }

  /** 1-0, 0-1, 1/2-1/2, or * while the game goes on. */
  get result() {
    return this.end ? resultOf(this.end) : "*";
  }

  /** The moves of the player to move; only those of the touched piece, if there is one. */
  legalMoves() {
    if (this.end) return [];
    const moves = this.referee.law.legalMoves(this.position);
    return this.touched === null ? moves : moves.filter((move) => readMove(move).origin === this.touched);
  }

  /** How often a position has occurred. @param {Position} position */
  occurrences({ first, second, turn }) {
    const isSame = (/** @type {Position} */ each) =>
      each.first === first && each.second === second && each.turn === turn;
    return this.states.filter((state, index) => (state.move !== null || index === 0) && isSame(state.position)).length;
  }

  /** Lift one of your pieces, look under it and put it back. @param {SeatName} seat @param {string} square */
  peek(seat, square) {
    const { rules } = this.referee;
    if (!rules.peek) throw refused(say.noPeeking(rules.name));
    if (this.visibility === "memory") throw refused(say.fromMemory());
    this.requireOwnPiece(seat, square);
    return this.referee.board(this.position).stacks[readSquare(square, rules)] ?? [];
  }

  // Actions.

  /** @param {string} move @param {SeatName} by */
  play(move, by) {
    this.requireTurn(by);
    if (this.touched && readMove(move).origin !== this.touched) {
      throw refused(say.mustPlayTouched(move, this.referee.name(this.turn), this.touched));
    }
    const position = this.referee.play(this.position, move);
    // Playing on declines the opponent's offer.
    if (this.offer === other(this.turn)) this.offer = null;
    const byComputer = this.players[this.turn].level !== null;
    this.push({ position, ply: this.ply + 1, move, touched: null, end: this.endAfter(position), byComputer });
    this.undone = [];
  }

  /**
   * Touch one of your pieces, which must then be played; if it cannot, you lose.
   *
   * @param {string} text  the name of its square
   * @param {SeatName} by
   */
  touch(text, by) {
    this.requireTurn(by);
    if (!this.touchMove) throw refused(say.noTouchMove());
    this.requireOwnPiece(this.turn, text);
    const square = readSquare(text, this.referee.rules);
    if (this.touched) throw refused(say.alreadyTouched(this.referee.name(this.turn), this.touched));
    const { position, ply, turn } = this;
    const canBePlayed = this.referee.law.legalMoves(position).some((move) => readMove(move).origin === square);
    const end = canBePlayed ? null : { winner: other(turn), reason: "touch" };
    this.push({ position, ply, move: null, touched: square, end });
    this.undone = [];
  }

  /** @param {SeatName} seat */
  resign(seat) {
    this.requireOngoing();
    this.finish({ winner: other(seat), reason: "resignation" });
  }

  /** @param {SeatName} seat */
  offerDraw(seat) {
    this.requireAgreement();
    if (this.offer !== null) throw refused(say.alreadyOffered(this.referee.name(this.offer)));
    this.offer = seat;
  }

  /** @param {SeatName} seat */
  acceptDraw(seat) {
    this.requireOfferTo(seat);
    this.finish({ winner: null, reason: "agreement" });
  }

  /** @param {SeatName} seat */
  declineDraw(seat) {
    this.requireOfferTo(seat);
    this.offer = null;
  }

  get canUndo() {
    return this.undoRefusal() === null;
  }

  get canRedo() {
    return this.undone.length > 0;
  }

  /**
   * Undo the last action. People must play a piece they have touched, and to move a piece is to
   * touch it: undoing a move leaves the piece touched.
   */
  undo() {
    const refusal = this.undoRefusal();
    if (refusal !== null) throw refused(refusal);
    const taken = /** @type {State} */ (this.states.pop());
    this.undone.push(taken);
    this.offer = null;
    if (taken.move === null) return;
    const { origin } = readMove(taken.move);
    const { position, ply } = this;
    if (this.touchMove && origin && !taken.byComputer) {
      this.push({ position, ply, move: null, touched: origin, end: null });
    }
  }

  redo() {
    const state = this.undone.at(-1);
    if (!state) throw refused(say.nothingToRedo());
    this.undone.pop();
    this.push(state);
    this.offer = null;
  }

  /** Why going back to this ply would be a look under pieces; null if it would not. @param {number} ply */
  secrecyRefusal(ply) {
    if (this.visibility === "open") return null;
    if (this.end) return say.wasShown();
    const { played } = this;
    for (let index = ply; index < played.length; index += 1) {
      const { origin, target } = readMove(played[index]?.move ?? "");
      if (origin) return say.wasLifted();
      if (this.referee.top(played[index - 1]?.position ?? this.start, target)) return say.wasCovered();
    }
    return null;
  }

  /** The result and its reason as a sentence for people. */
  explain() {
    const { end, position, referee } = this;
    if (!end) return say.toMove(referee.name(this.turn));
    const { winner, reason } = end;
    if (winner !== null) return referee.explainWin({ winner, reason }, position, this.lastMove, this.touched);
    if (reason === "both-lines") return say.drawBothLines();
    if (reason === "repetition") return say.drawByRepetition(this.occurrences(position));
    if (reason === "all-placed") return say.drawAllPlaced();
    if (reason === "board-full") return say.drawBoardFull();
    if (reason === "no-move") return say.drawWithoutMove(referee.name(this.turn));
    if (reason === "agreement") return say.drawByAgreement();
    return say.unfinishedAfter(counted(this.ply, "move"), this.plyLimit === null ? "" : say.theLimit());
  }

  // Helpers.

  /** @param {Position} position @returns {End | null} */
  endAfter(position) {
    const end = this.referee.end(position);
    if (end) return end;
    const { repetition } = this.referee.rules;
    if (repetition > 0 && repetition <= this.occurrences(position) + 1) return { winner: null, reason: "repetition" };
    if (this.plyLimit !== null && this.ply + 1 >= this.plyLimit) return { winner: null, reason: "unfinished" };
    return null;
  }

  /** @param {State} state */
  push(state) {
    // The touched piece has been played.
    if (state.move !== null && this.touched) this.states.pop();
    this.states.push(state);
  }

  /** @param {End} end */
  finish(end) {
    const { position, ply, touched } = this.state;
    this.push({ position, ply, move: null, touched, end });
    this.undone = [];
    this.offer = null;
  }

  /** Why nothing can be undone; null if something can. */
  undoRefusal() {
    const { rules } = this.referee;
    const before = this.states.at(-2);
    if (!before) return say.nothingToUndo();
    if (this.end && !rules.take_back_after_end) return say.finishedStays(rules.name);
    if (this.touched && !before.touched) return say.touchStays(this.referee.name(this.turn), this.touched);
    return null;
  }

  requireOngoing() {
    if (this.end) throw refused(say.isOver(this.explain()));
  }

  /** @param {SeatName} by */
  requireTurn(by) {
    this.requireOngoing();
    if (by !== this.turn) throw refused(say.notYourTurn(this.referee.name(this.turn), this.referee.name(by)));
  }

  /** @param {SeatName} seat @param {string} square */
  requireOwnPiece(seat, square) {
    const top = this.referee.top(this.position, readSquare(square, this.referee.rules));
    if (top?.seat === seat) return;
    const shown = top ? say.showsPiece(this.referee.name(top.seat)) : say.showsNothing();
    throw refused(say.onlyOwnPieces(square, shown, this.referee.name(seat)));
  }

  requireAgreement() {
    this.requireOngoing();
    const { rules } = this.referee;
    if (!rules.draw_agreement) throw refused(say.noAgreement(rules.name));
  }

  /** @param {SeatName} seat */
  requireOfferTo(seat) {
    this.requireAgreement();
    if (this.offer !== other(seat)) throw refused(say.noDrawOffered(this.referee.name(seat)));
  }
}
