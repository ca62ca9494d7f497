/**
 * Positions of one rule set as messages and in words: boards, lines, why a move is refused. The law
 * decides; this file knows the sentences of `nestline.position`.
 *
 * @import { Law, Position } from "../engine/law.js"
 * @import { Board, RuleSet, SeatName } from "../server/types.js"
 */
import { Refusal } from "../server/api.js";
import { makesLine } from "../shared/lines.js";
import { other, readMove, readPiece, writePosition } from "../shared/notation.js";
import * as say from "./sentences.js";
import { readBoard, readTypedMove } from "./spellings.js";

/** Who won (nobody in a draw) and why. @typedef {{winner: SeatName | null, reason: string}} End */

/** @type {SeatName[]} */
export const SEATS = ["first", "second"];

/** 1-0, 0-1 or 1/2-1/2. @param {Pick<End, "winner">} end */
export function resultOf({ winner }) {
  return winner === null ? "1/2-1/2" : winner === "first" ? "1-0" : "0-1";
}

export class Referee {
  /** @param {Law} law @param {RuleSet} rules */
  constructor(law, rules) {
    this.law = law;
    this.rules = rules;
    /** @type {WeakMap<Position, Board>} */
    this.boards = new WeakMap();
  }

  /** What the rules call a player. @param {SeatName} seat */
  name(seat) {
    return this.rules.players[seat === "first" ? 0 : 1];
  }

  /** The board of a position; shared, so not to be changed. @param {Position} position @returns {Board} */
  board(position) {
    let board = this.boards.get(position);
    if (!board) {
      const stacks = this.law.stacks(position);
      board = {
        text: writePosition(stacks, position.turn, this.rules.board),
        turn: position.turn,
        stacks,
        reserves: { first: this.law.reserve(position, "first"), second: this.law.reserve(position, "second") },
      };
      this.boards.set(position, board);
    }
    return board;
  }

  /** What is seen of a board whose covered pieces are secret. @param {Position} position @returns {Board} */
  hiddenBoard(position) {
    const { turn, stacks, reserves } = this.board(position);
    const tops = Object.fromEntries(Object.entries(stacks).map(([square, stack]) => [square, stack.slice(-1)]));
    return { text: writePosition(tops, turn, this.rules.board), turn, stacks: tops, reserves };
  }

  /** The visible piece on a square. @param {Position} position @param {string} square */
  top(position, square) {
    const piece = this.board(position).stacks[square]?.at(-1);
    return piece ? readPiece(piece) : null;
  }

  /** The full lines of a player's visible pieces. @param {Position} position @param {SeatName} seat */
  lines(position, seat) {
    return this.rules.line_squares.filter((line) => {
      const tops = line.map((square) => this.top(position, square));
      return (
        tops.every((top) => top?.seat === seat) &&
        makesLine(
          this.rules,
          tops.map((top) => top?.size ?? 0),
        )
      );
    });
  }

  /** How the game ended, as far as the position alone tells. @param {Position} position @returns {End | null} */
  end(position) {
    const outcome = this.law.outcome(position);
    return outcome && { winner: outcome.winner, reason: outcome.reason };
  }

  /** A move in any accepted spelling, canonically. @param {string} text */
  readMove(text) {
    return readTypedMove(text, this.rules);
  }

  /** The position after a move, which is refused if it is not legal. @param {Position} position @param {string} move */
  play(position, move) {
    if (!this.law.isLegal(position, move)) {
      throw new Refusal("illegal-move", `${move}: ${this.refusal(position, move)}`);
    }
    return this.law.play(position, move);
  }

  /** Why a move is illegal, in words. @param {Position} position @param {string} move */
  refusal(position, move) {
    const end = this.end(position);
    if (end) return say.overAlready(say.outcome(resultOf(end), end.reason));
    const { size, origin, target } = readMove(move);
    const top = this.top(position, target);
    if (size !== null) return this.placingRefusal(position, size, target, top?.size ?? 0);
    if (!this.rules.moving) return say.noMovingHere(this.rules.name);
    const lifted = this.top(position, origin ?? "");
    if (!lifted) return say.isEmpty(origin ?? "");
    if (lifted.seat !== position.turn) {
      return say.opponentsPiece(origin ?? "", this.name(lifted.seat), this.name(position.turn));
    }
    if (!this.law.mayLift(position, origin ?? "")) return say.mayNotLift(origin ?? "");
    if (origin === target) return say.ownSquare();
    return this.spared(position, target, lifted.size) ?? say.tooLarge(target, top?.size ?? 0, lifted.size);
  }

  /** @param {Position} position @param {number} size @param {string} target @param {number} shown */
  placingRefusal(position, size, target, shown) {
    const tops = this.board(position).reserves[position.turn];
    if (!tops.includes(size)) {
      const open = tops.join(", ") || "nothing";
      return this.rules.reserve === "nested" ? say.noStackShows(size, open) : say.noneLeft(size, open);
    }
    if (this.rules.place_onto === "empty") return say.ontoEmptySquares(target);
    const spared = this.spared(position, target, size);
    if (spared) return spared;
    return shown < size ? say.ontoThreats(target, this.rules.line) : say.tooLarge(target, shown, size);
  }

  /**
   * Why a piece that is large enough may not cover the one on top of a square, in words.
   *
   * @param {Position} position
   * @param {string} target
   * @param {number} size
   */
  spared(position, target, size) {
    const top = this.top(position, target);
    const { cover } = this.rules;
    if (!top || top.size >= size) return null;
    if (cover === "none") return say.coversNothing(target);
    if (cover === "opponent" && top.seat === position.turn) return say.coversOpponents(target);
    if (cover === "own" && top.seat !== position.turn) return say.coversOwn(target);
    return null;
  }

  /** A position from its text; refused if there can be no such position. @param {string} text @returns {Position} */
  read(text) {
    const { stacks, turn } = readBoard(text, this.rules);
    const sizes = this.rules.stock.length;
    const counts = { first: Array(sizes).fill(0), second: Array(sizes).fill(0) };
    for (const [square, stack] of Object.entries(stacks)) {
      let below = 0;
      for (const { seat, size } of stack.map(readPiece)) {
        if (size < 1 || size > sizes) throw invalid(say.noSizeOnSquare(square, size, sizes));
        if (size <= below) throw invalid(say.cannotLieOn(square, size, below));
        counts[seat][size - 1] += 1;
        below = size;
      }
    }
    for (const seat of SEATS) this.checkStock(seat, counts[seat]);
    this.checkTurn(turn, sum(counts.first), sum(counts.second));
    return this.law.read({ stacks, turn });
  }

  /** @param {SeatName} seat @param {number[]} counts  of each size on the board */
  checkStock(seat, counts) {
    const { stock, reserve } = this.rules;
    for (const [index, count] of counts.entries()) {
      const size = index + 1;
      const all = stock[index] ?? 0;
      if (count > all) throw invalid(say.tooManyPieces(this.name(seat), count, size, all));
      const larger = size < stock.length ? (stock[size] ?? 0) - (counts[size] ?? 0) : 0;
      if (reserve === "nested" && all - count < larger) throw invalid(say.nestedOrder(this.name(seat), size, size + 1));
    }
  }

  /**
   * Where pieces are only placed, their numbers tell whose turn it is.
   *
   * @param {SeatName} turn
   * @param {number} first  how many pieces the first player has on the board
   * @param {number} second
   */
  checkTurn(turn, first, second) {
    if (this.rules.moving || first - second === SEATS.indexOf(turn)) return;
    throw invalid(say.notTheTurn(this.name("first"), first, this.name("second"), second, this.name(turn)));
  }

  /**
   * Who won and how, as a sentence.
   *
   * @param {End & {winner: SeatName}} end
   * @param {Position} position
   * @param {string | null} lastMove
   * @param {string | null} touched
   */
  explainWin({ winner, reason }, position, lastMove, touched) {
    const loser = other(winner);
    const [wins, loses] = [this.name(winner), this.name(loser)];
    const owner = this.rules.misere ? loser : winner;
    const written = (/** @type {SeatName} */ seat) => {
      const lines = this.lines(position, seat).map((line) => line.join("-"));
      return `line${lines.length > 1 ? "s" : ""} ${lines.join(" and ")}`;
    };
    if (reason === "line") {
      const rival = other(owner);
      const both = this.lines(position, rival).length > 0 ? say.although(this.name(rival), written(rival)) : "";
      const how = this.rules.misere
        ? say.winsByLosingLine(wins, loses, written(owner))
        : say.winsWith(wins, written(owner));
      return `${how}${both}.`;
    }
    if (reason === "reveal") {
      const lifted = lastMove ? readMove(lastMove).origin : null;
      const how = lifted ? say.liftingRevealed(lifted) : say.thereStands();
      return `${say.winsByReveal(wins, how, this.name(owner), written(owner))}.`;
    }
    if (reason === "no-move") return `${say.winsWithoutMove(wins, loses)}.`;
    if (reason === "touch") return `${say.winsByTouch(wins, loses, touched ?? "a piece")}.`;
    return `${say.winsByResignation(wins, loses)}.`;
  }
}

/** @param {string} message */
function invalid(message) {
  return new Refusal("invalid", message);
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
