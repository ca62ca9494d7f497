/**
 * Every action in a game of the page: who may do it, what is stored, and what it does. It is
 * `nestline.web.games.actions` without what only different people can do.
 *
 * @import { Action, SeatName } from "../server/types.js"
 * @import { LocalGame } from "./local_game.js"
 */

import { refused } from "./game.js";
import * as say from "./sentences.js";
import { readSquare } from "./spellings.js";
import { tidy } from "./texts.js";

/**
 * What has happened in a game; all that is stored about it.
 *
 * @typedef {{seat: SeatName} & ({action: "move", move: string} | {action: "touch", square: string} |
 *   {action: "resign" | "offer-draw" | "accept-draw" | "decline-draw" | "take-over"} |
 *   {action: "undo" | "redo", steps: number} | {action: "hand-over", level: string} |
 *   {action: "rename", player: string} |
 *   {action: "rematch", game: string})} Deed
 */

/** What only whoever plays the seat may do, not whoever lets the computer play it. */
const AT_THE_BOARD = ["move", "touch", "land", "resign", "offer-draw", "accept-draw", "decline-draw"];

/**
 * What somebody asks for as a deed; refused if it is not theirs to do.
 *
 * @param {LocalGame} local
 * @param {SeatName} seat
 * @param {Action} asked
 * @param {string} nextId  the id of the next game, if this begins one
 * @returns {Deed}
 */
export function settle(local, seat, asked, nextId) {
  const { game, referee } = local;
  const name = referee.name(seat);
  if (local.isClosed && asked.action !== "rematch") throw refused(say.closed(referee.rules.name));
  if (AT_THE_BOARD.includes(asked.action) && local.isComputer(seat)) throw refused(say.computerPlays(name));
  switch (asked.action) {
    case "move":
      return { action: "move", seat, move: referee.readMove(asked.move) };
    case "land":
      if (!game.touched) throw refused(say.noneTouched());
      return { action: "move", seat, move: referee.readMove(`${game.touched}-${asked.square}`) };
    case "touch":
      return { action: "touch", seat, square: readSquare(asked.square, referee.rules) };
    case "undo":
      return { action: "undo", seat, steps: undoSteps(local, asked.ply ?? null) };
    case "redo":
      return { action: "redo", seat, steps: redoSteps(local, asked.ply ?? null) };
    case "ask-undo":
      throw refused(say.useUndo());
    case "accept-undo":
    case "decline-undo":
      throw refused(say.nobodyAsked(name));
    case "hand-over":
      return { action: "hand-over", seat, level: asked.level };
    case "take-over":
      if (!local.isComputer(seat)) throw refused(say.personAlready(name));
      return { action: "take-over", seat };
    case "rename":
      return { action: "rename", seat, player: tidy(asked.player) };
    case "rematch":
      if (!game.end) throw refused(say.rematchTooEarly());
      if (local.rematch !== null) throw refused(say.rematchBegun(local.rematch));
      return { action: "rematch", seat, game: nextId };
    default:
      return { action: asked.action, seat };
  }
}

/** Do it; refused if the game does not allow it. @param {LocalGame} local  a copy @param {Deed} deed */
export function apply(local, deed) {
  const { game } = local;
  switch (deed.action) {
    case "move":
      return game.play(deed.move, deed.seat);
    case "touch":
      return game.touch(deed.square, deed.seat);
    case "resign":
      return game.resign(deed.seat);
    case "offer-draw":
      return game.offerDraw(deed.seat);
    case "accept-draw":
      return game.acceptDraw(deed.seat);
    case "decline-draw":
      return game.declineDraw(deed.seat);
    case "undo":
      for (let step = 0; step < deed.steps; step += 1) game.undo();
      return undefined;
    case "redo":
      for (let step = 0; step < deed.steps; step += 1) game.redo();
      return undefined;
    case "hand-over":
      return local.setLevel(deed.seat, deed.level);
    case "take-over":
      return local.setLevel(deed.seat, null);
    case "rename":
      return local.setName(deed.seat, deed.player);
    case "rematch":
      local.rematch = deed.game;
      return undefined;
  }
}

/** How many steps go back to a person's turn, or to a ply. @param {LocalGame} local @param {number | null} ply */
function undoSteps(local, ply) {
  requirePeople(local);
  const back = local.game.copy();
  requirePly(ply, 0, back.ply);
  back.undo();
  let steps = 1;
  const isThere = () => (ply === null ? !local.isComputer(back.turn) : back.ply <= ply);
  if (ply !== null && back.ply < ply) throw refused(say.nothingToUndo());
  while (!isThere() && (ply !== null || back.canUndo)) {
    back.undo();
    steps += 1;
  }
  if (!isThere()) throw refused(say.nothingToUndo());
  const refusal = local.game.secrecyRefusal(back.ply);
  if (refusal !== null) throw refused(refusal);
  return steps;
}

/** How many steps replay until a person's turn, or up to a ply. @param {LocalGame} local @param {number | null} ply */
function redoSteps(local, ply) {
  requirePeople(local);
  const forward = local.game.copy();
  requirePly(ply, forward.ply, null);
  forward.redo();
  let steps = 1;
  while (forward.canRedo && (ply === null ? local.isComputer(forward.turn) : forward.ply < ply)) {
    forward.redo();
    steps += 1;
  }
  if (ply !== null && forward.ply !== ply) throw refused(say.pliesAfterRedo(forward.ply, ply));
  return steps;
}

/** @param {LocalGame} local */
function requirePeople(local) {
  if (local.people.length === 0) throw refused(say.bothComputers());
}

/** @param {number | null} ply @param {number} least @param {number | null} most */
function requirePly(ply, least, most) {
  if (ply === null || (ply >= least && (most === null || ply <= most))) return;
  throw refused(say.noPlyThere(ply, most === null ? say.pliesAtLeast(least) : say.pliesBetween(least, most)));
}
