/**
 * Which piece is where: gives the pieces of successive boards identities, so that the board can
 * animate them instead of redrawing.
 *
 * @import { Board, RuleSet, SeatName } from "../server/types.js"
 */
import { readPiece } from "../shared/notation.js";
import { MOST_SHOWN } from "./measures.js";

/**
 * A piece lies on a square (`b2`) or in a slot of a tray (`first:0`), at a level counted from
 * the bottom.
 *
 * @typedef {{id: number, seat: SeatName, size: number, place: string, level: number}} Piece
 * @typedef {Omit<Piece, "id">} Wanted
 * @typedef {{seat: SeatName, size: number, index: number}} Slot
 */

/** @type {SeatName[]} */
export const SEATS = ["first", "second"];

/** Whether the reserve is unlimited. @param {RuleSet} rules */
export function isEndless(rules) {
  return rules.stock.length === 1 && (rules.stock[0] ?? 0) >= rules.squares.length;
}

/**
 * Whether all pieces of a size share one slot. @param {RuleSet} rules @param {number} size
 */
export function isHeaped(rules, size) {
  return rules.reserve === "loose" && (rules.stock[size - 1] ?? 0) > MOST_SHOWN;
}

/**
 * The slots of a tray from left to right; `size` is the largest piece that fits.
 *
 * @param {RuleSet} rules
 * @param {SeatName} seat
 * @returns {Slot[]}
 */
export function slotsOf(rules, seat) {
  /** @type {Slot[]} */
  const slots = [];
  if (rules.reserve === "nested") {
    const size = rules.stock.length;
    for (let index = 0; index < (rules.stock[0] ?? 0); index += 1) slots.push({ seat, size, index });
    return slots;
  }
  rules.stock.forEach((stock, position) => {
    const size = position + 1;
    const count = isHeaped(rules, size) ? 1 : stock;
    for (let part = 0; part < count; part += 1) slots.push({ seat, size, index: slots.length });
  });
  return slots;
}

/**
 * The pieces of a board, keeping the identities of those that were there before.
 *
 * @param {Piece[]} before
 * @param {Board} board
 * @param {RuleSet} rules
 * @param {() => number} newId
 * @returns {Piece[]}
 */
export function arrange(before, board, rules, newId) {
  const wanted = [...onSquares(board), ...SEATS.flatMap((seat) => inTray(before, board, rules, seat))];
  const free = new Set(before);
  /** @type {(Piece | null)[]} */
  const found = wanted.map((want) => take(free, want, (piece) => piece.place === want.place));
  return wanted.map((want, index) => {
    const piece = found[index] ?? take(free, want, () => true);
    return { ...want, id: piece ? piece.id : newId() };
  });
}

/**
 * @param {Set<Piece>} free
 * @param {Wanted} want
 * @param {(piece: Piece) => boolean} fits
 */
function take(free, want, fits) {
  /** @type {Piece | null} */
  let best = null;
  for (const piece of free) {
    if (piece.seat !== want.seat || piece.size !== want.size || !fits(piece)) continue;
    // Of pieces in the same place, the top one goes first.
    if (!best || piece.level > best.level) best = piece;
  }
  if (best) free.delete(best);
  return best;
}

/** @param {Board} board @returns {Wanted[]} */
function onSquares(board) {
  return Object.entries(board.stacks).flatMap(([place, stack]) =>
    stack.map((text, level) => ({ ...readPiece(text), place, level })),
  );
}

/**
 * @param {Piece[]} before
 * @param {Board} board
 * @param {RuleSet} rules
 * @param {SeatName} seat
 * @returns {Wanted[]}
 */
function inTray(before, board, rules, seat) {
  const tops = board.reserves[seat];
  const slots = slotsOf(rules, seat);
  if (rules.reserve === "nested") return inStacks(before, tops, slots, seat);
  /** @type {Wanted[]} */
  const wanted = [];
  for (let size = 1; size <= rules.stock.length; size += 1) {
    const count = tops.filter((top) => top === size).length;
    const own = slots.filter((slot) => slot.size === size).map((slot) => `${seat}:${slot.index}`);
    if (isHeaped(rules, size)) {
      const place = own[0] ?? "";
      for (let level = 0; level < count; level += 1) wanted.push({ seat, size, place, level });
      continue;
    }
    const full = own.filter((place) => before.some((piece) => piece.place === place));
    const empty = own.filter((place) => !full.includes(place));
    for (const place of [...full, ...empty].slice(0, count)) {
      wanted.push({ seat, size, place, level: 0 });
    }
  }
  return wanted;
}

/**
 * Nested stacks keep their slots; only the one played from changes.
 *
 * @param {Piece[]} before
 * @param {number[]} tops
 * @param {Slot[]} slots
 * @param {SeatName} seat
 * @returns {Wanted[]}
 */
function inStacks(before, tops, slots, seat) {
  const left = [...tops].sort((one, two) => two - one);
  const present = slots.map((slot) => {
    const inside = before.filter((piece) => piece.place === `${seat}:${slot.index}`);
    return Math.max(0, ...inside.map((piece) => piece.size));
  });
  const chosen = present.map((top) => {
    const at = top > 0 ? left.indexOf(top) : -1;
    return at < 0 ? null : (left.splice(at, 1)[0] ?? null);
  });
  const open = slots
    .map((_, index) => index)
    .filter((index) => chosen[index] === null)
    .sort((one, two) => (present[two] ?? 0) - (present[one] ?? 0) || one - two);
  for (const index of open) chosen[index] = left.shift() ?? 0;
  return slots.flatMap((slot, index) => {
    const place = `${seat}:${slot.index}`;
    return Array.from({ length: chosen[index] ?? 0 }, (_, level) => ({
      seat,
      size: level + 1,
      place,
      level,
    }));
  });
}
