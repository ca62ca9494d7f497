/**
 * The names and states of a board's squares and reserves, for screen readers and style sheets.
 *
 * @import { NestBoard, Shown } from "./board.js"
 * @import { RuleSet } from "../server/types.js"
 */
import { mark } from "../shared/dom.js";
import { listing, pieceName, shortValue, sizeName, squareName } from "../shared/words.js";
import { places, targetsFrom } from "./holding.js";
import { bestFrom } from "./worth.js";

/** Give every square and every handle its name and state. @param {NestBoard} board */
export function label(board) {
  const { held, legal, squares } = board;
  const rules = /** @type {RuleSet} */ (board.rules);
  const shown = /** @type {Shown} */ (board.shown);
  const sources = places(legal);
  const targets = held ? targetsFrom(legal, held) : [];
  const visible = board.visibleBoard();
  for (const [square, button] of squares) {
    let name = squareName(rules, visible, square);
    const isTarget = targets.includes(square);
    if (held === square) name += ", held";
    else if (isTarget) name += possible(shown, held + square);
    else if (sources.includes(square)) name += atBest(shown, square);
    if (shown.lines?.some((line) => line.includes(square))) name += ", in a line";
    mark(button, "aria-label", name);
    mark(button, "aria-selected", String(held === square));
    mark(button, "aria-disabled", held && !isTarget && held !== square ? "true" : null);
    const liftable = sources.includes(square) && !shown.touched;
    button.classList.toggle("source", liftable || held === square);
    button.classList.toggle("target", isTarget);
    button.classList.toggle("dimmed", Boolean(held) && !isTarget && held !== square);
    button.classList.toggle("held", held === square);
  }
  for (const handle of board.handles) labelHandle(board, handle, sources);
}

/** @param {NestBoard} board @param {NestBoard["handles"][number]} handle @param {string[]} sources */
function labelHandle(board, { seat, slots, size: largest, button }, sources) {
  const rules = /** @type {RuleSet} */ (board.rules);
  const shown = /** @type {Shown} */ (board.shown);
  const size = board.sizeOf(seat, slots);
  const inside = board.pieces.filter((piece) => slots.some((slot) => piece.place === `${seat}:${slot}`));
  let name;
  if (rules.reserve === "nested") {
    const stack = `stack ${(slots[0] ?? 0) + 1}`;
    name = size ? `${pieceName(rules, seat, size)}, on top of ${stack}` : `${stack}: empty`;
    if (size && size > 1)
      name += `, ${listing(
        inside
          .filter((piece) => piece.size < size)
          .map((piece) => sizeName(rules, piece.size))
          .reverse(),
      )} inside`;
  } else {
    name = `${pieceName(rules, seat, largest)}, ${inside.length || "none"} in reserve`;
  }
  const isTheirs = seat === board.turn && size > 0;
  const usable = isTheirs && sources.includes(String(size));
  const isHeld = isTheirs && board.held === String(size) && board.isHandleHeld(seat, slots);
  if (isHeld) name += ", held";
  else if (usable) name += atBest(shown, String(size));
  mark(button, "aria-label", name);
  mark(button, "aria-pressed", usable ? String(isHeld) : null);
  mark(button, "aria-disabled", usable ? null : "true");
  button.classList.toggle("source", usable && !shown.touched);
  button.classList.toggle("held", isHeld);
}

/** What is said of a square the held piece can go to. @param {Shown} shown @param {string} move */
function possible({ dangerous = [], warn, worth }, move) {
  if (warn !== false && dangerous.includes(move)) return ", possible, but reveals a line and loses";
  const found = worth?.[move];
  return found ? `, ${shortValue({ ...found, score: null })}` : ", possible";
}

/** What is said of a piece of which it is known what it can do. @param {Shown} shown @param {string} place */
function atBest(shown, place) {
  const best = bestFrom(shown, place);
  return best ? `, at best ${shortValue({ ...best, score: null })}` : "";
}
