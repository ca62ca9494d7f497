/**
 * The arrows over the pieces. Of moves that are equally good, those are drawn that keep clear of each other.
 *
 * @import { Shown } from "./board.js"
 * @import { Piece } from "./arrange.js"
 * @import { Geometry } from "./geometry.js"
 */
import { draw } from "../shared/dom.js";
import { readMove } from "../shared/notation.js";

const BEST = "#1668b8";
const OTHER = "#4a7ba6";
/** Two arrows nearer than this, in the board's units, would be taken for one. */
const CLEARANCE = 17;

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{start: Point, end: Point}} Segment
 */

/**
 * @param {Geometry} geometry @param {Shown} shown @param {Piece[]} pieces
 * @returns {SVGElement[]}
 */
export function drawArrows(geometry, shown, pieces) {
  /** @type {Segment[]} */
  const drawn = [];
  return (shown.arrows ?? []).flatMap((arrow) => {
    const choices = (arrow.equal ?? [arrow.move]).flatMap((move) => segmentsOf(geometry, shown, pieces, move));
    const segment = choices.find((each) => drawn.every((other) => distance(each, other) > CLEARANCE));
    if (!segment) return [];
    drawn.push(segment);
    return [drawArrow(segment, arrow.rank)];
  });
}

/**
 * Where the arrow of a move can lie: from its square, or from any piece of its size in the reserve.
 *
 * @param {Geometry} geometry @param {Shown} shown @param {Piece[]} pieces @param {string} move
 * @returns {Segment[]}
 */
export function segmentsOf(geometry, shown, pieces, move) {
  const { size, origin, target } = readMove(move);
  const tray = `${shown.board.turn}:`;
  const isTop = (/** @type {Piece} */ piece) =>
    !pieces.some((each) => each.place === piece.place && each.level > piece.level);
  const inTray = pieces.filter((piece) => piece.place.startsWith(tray) && piece.size === size && isTop(piece));
  const places = origin ? [origin] : [...new Set(inTray.map((piece) => piece.place))].reverse();
  return places.map((place) => shortened(geometry.spot(place), geometry.spot(target)));
}

/** From the rim of one piece to just before the middle of the other. @param {Point} from @param {Point} to */
function shortened(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  return {
    start: { x: from.x + ux * 20, y: from.y + uy * 20 },
    end: { x: to.x - ux * 6, y: to.y - uy * 6 },
  };
}

/** @param {Segment} segment @param {number} rank  0 is the best move */
export function drawArrow({ start, end }, rank) {
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const [ux, uy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const neck = { x: end.x - ux * 20, y: end.y - uy * 20 };
  const head = `M${end.x} ${end.y}L${neck.x - uy * 14} ${neck.y + ux * 14}L${neck.x + uy * 14} ${neck.y - ux * 14}Z`;
  const part = (/** @type {string} */ ink, /** @type {number} */ extra) => [
    draw("path", {
      d: `M${start.x} ${start.y}L${neck.x} ${neck.y}`,
      stroke: ink,
      "stroke-width": 9 - 2 * Math.min(rank, 2) + extra,
      "stroke-linecap": "round",
    }),
    draw("path", { d: head, fill: ink, stroke: ink, "stroke-width": 1 + extra, "stroke-linejoin": "round" }),
  ];
  const colour = rank === 0 ? BEST : OTHER;
  return draw("g", { class: "arrow", opacity: rank === 0 ? 0.95 : 0.8 }, part("#ffffff", 4), part(colour, 0));
}

/** How near two segments come to each other. @param {Segment} one @param {Segment} two */
export function distance(one, two) {
  if (cross(one, two)) return 0;
  return Math.min(
    toSegment(one.start, two),
    toSegment(one.end, two),
    toSegment(two.start, one),
    toSegment(two.end, one),
  );
}

/** @param {Segment} one @param {Segment} two */
function cross(one, two) {
  const side = (/** @type {Segment} */ { start, end }, /** @type {Point} */ point) =>
    Math.sign((end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x));
  return side(one, two.start) * side(one, two.end) < 0 && side(two, one.start) * side(two, one.end) < 0;
}

/** @param {Point} point @param {Segment} segment */
function toSegment(point, { start, end }) {
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const along = ((point.x - start.x) * dx + (point.y - start.y) * dy) / (dx * dx + dy * dy || 1);
  const part = Math.max(0, Math.min(1, along));
  return Math.hypot(point.x - start.x - part * dx, point.y - start.y - part * dy);
}
