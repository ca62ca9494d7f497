/**
 * What moves are worth, on the board: squares in the colour of what landing there brings, pieces in the colour
 * of the best they can do. Shape and sign say the same as the colour.
 *
 * @import { Shown } from "./board.js"
 * @import { Piece } from "./arrange.js"
 * @import { Geometry } from "./geometry.js"
 * @import { Worth } from "./board.js"
 */
import { draw } from "../shared/dom.js";
import { pieceRadius } from "./drawing.js";
import { placeOf, places } from "./holding.js";
import { SQUARE_CORNER } from "./measures.js";

const COLOURS = { win: "#1b8163", draw: "#7a5c00", loss: "#b3261e" };
const SHAPES = {
  win: "M-21 0A21 21 0 1 1 21 0A21 21 0 1 1 -21 0Z",
  draw: "M-19 -19H19V19H-19Z",
  loss: "M0 -25L25 0L0 25L-25 0Z",
};
const CASING = "#f2fff6";
/** A badge beside a piece, and one in the reserve, are smaller than one on an empty square. */
const BESIDE = 0.72;
const IN_TRAY = 0.6;

/** Fast wins first, then draws, then slow losses. @param {Worth} worth */
function rank({ value, distance }) {
  if (value === "draw") return 1000;
  return value === "win" ? (distance ?? 0) : 2000 - (distance ?? 0);
}

/**
 * The best that a piece from a place can do, if all of its moves are known.
 *
 * @param {Pick<Shown, "legal" | "worth">} shown @param {string} place
 */
export function bestFrom({ legal = [], worth }, place) {
  const known = legal.filter((move) => placeOf(move) === place).map((move) => worth?.[move]);
  if (!known.length || known.some((each) => !each)) return null;
  return /** @type {Worth[]} */ (known).reduce((best, each) => (rank(each) < rank(best) ? each : best));
}

/**
 * Under the pieces: the squares that a piece can go to.
 *
 * @param {Geometry} geometry @param {Shown} shown @param {string} place
 */
export function tintSquares(geometry, { legal = [], worth }, place) {
  return legal.flatMap((move) => {
    const found = placeOf(move) === place ? worth?.[move] : undefined;
    if (!found) return [];
    const { left, top, width, height } = geometry.square(move.slice(-2));
    const area = { x: left, y: top, width, height, rx: SQUARE_CORNER };
    return [draw("rect", { class: `tint ${found.value}`, ...area, fill: COLOURS[found.value], "fill-opacity": 0.55 })];
  });
}

/**
 * Over the pieces: what each square brings.
 *
 * @param {Geometry} geometry @param {Worth} worth @param {string} square @param {boolean} isOccupied
 */
export function squareBadge(geometry, worth, square, isOccupied) {
  const { x, y } = geometry.spot(square);
  return isOccupied ? badge(worth, x + 33, y + 33, BESIDE, "target") : badge(worth, x, y, 1, "target");
}

/**
 * Under the pieces: halos in the colour of the best that each can do.
 *
 * @param {Geometry} geometry @param {Shown} shown @param {Piece[]} tops
 */
export function halos(geometry, shown, tops) {
  return judged(shown, tops).map(({ piece, best }) => {
    const { x, y, scale } = geometry.spot(piece.place);
    const r = (pieceRadius(piece.size, geometry.rules) + 7) * scale;
    return draw("circle", { class: `halo ${best.value}`, cx: x, cy: y, r, fill: COLOURS[best.value] });
  });
}

/** Over the pieces: the same in signs. @param {Geometry} geometry @param {Shown} shown @param {Piece[]} tops */
export function pieceBadges(geometry, shown, tops) {
  // Of equal pieces in the reserve the last one speaks for all.
  const last = new Map(judged(shown, tops).map((each) => [each.place, each]));
  return [...last.values()].map(({ piece, best }) => {
    const { x, y, scale } = geometry.spot(piece.place);
    const reach = pieceRadius(piece.size, geometry.rules) * scale * 0.72;
    const size = piece.place.includes(":") ? IN_TRAY : BESIDE;
    return badge(best, x + reach + 4, y - reach - 4, size, "best");
  });
}

/**
 * The pieces that can be played, with the best they can do.
 *
 * @param {Shown} shown @param {Piece[]} tops
 */
function judged(shown, tops) {
  const reserve = `${shown.board.turn}:`;
  return places(shown.legal ?? []).flatMap((place) => {
    const best = bestFrom(shown, place);
    const isHere = (/** @type {Piece} */ piece) =>
      /^\d/.test(place) ? piece.place.startsWith(reserve) && piece.size === Number(place) : piece.place === place;
    return best ? tops.filter(isHere).map((piece) => ({ place, piece, best })) : [];
  });
}

/** @param {Worth} worth @param {number} x @param {number} y @param {number} scale @param {string} kind */
function badge({ value, distance }, x, y, scale, kind) {
  const sign = value === "draw" ? "=" : (distance ?? (value === "win" ? "+" : "−"));
  return draw(
    "g",
    { class: `${kind} worth ${value}`, transform: `translate(${x} ${y}) scale(${scale})` },
    draw("path", {
      d: SHAPES[value],
      fill: COLOURS[value],
      stroke: CASING,
      "stroke-width": 3.5,
      "stroke-linejoin": "round",
    }),
    draw("text", { class: "worth-sign", y: 7 }, sign),
  );
}
