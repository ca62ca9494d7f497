/**
 * What is drawn under the pieces (last move, lines, whose turn) and over them (targets, arrows).
 *
 * @import { Shown } from "./board.js"
 * @import { Piece } from "./arrange.js"
 * @import { Geometry } from "./geometry.js"
 */
import { draw } from "../shared/dom.js";
import { readMove } from "../shared/notation.js";
import { drawArrow, drawArrows, segmentsOf } from "./arrows.js";
import { pieceRadius } from "./drawing.js";
import { targetsFrom } from "./holding.js";
import { GOLD } from "./measures.js";
import { halos, pieceBadges, squareBadge, tintSquares } from "./worth.js";

const GOLD_SHADE = "#8a5a00";
const GOLD_LIGHT = "#fff2c4";
const SILVER = "#efe6d6";
const HINT = "#1b8163";
const HINT_CASING = "#f2fff6";
const DANGER = "#b3261e";

/** @param {Piece[]} pieces @param {string} place */
const topOf = (pieces, place) =>
  pieces.filter((piece) => piece.place === place).sort((one, two) => two.level - one.level)[0];

/** @param {Piece[]} pieces */
const isTopOf = (pieces) => (/** @type {Piece} */ piece) =>
  !pieces.some((each) => each.place === piece.place && each.level > piece.level);

/**
 * @param {SVGElement} layer
 * @param {Geometry} geometry
 * @param {Shown} shown
 * @param {Piece[]} pieces
 * @param {string | null} place  whose piece is held or pointed at
 */
export function drawMarks(layer, geometry, shown, pieces, place) {
  const parts = [];
  if (shown.turn) {
    const { left, top, width, height } = geometry.tray(shown.turn);
    parts.push(
      draw("rect", {
        x: left + 1.5,
        y: top + 1.5,
        width: width - 3,
        height: height - 3,
        rx: height / 2 - 1.5,
        fill: "none",
        stroke: GOLD,
        "stroke-width": 3,
      }),
      draw("circle", { cx: left + 18, cy: top + height / 2, r: 5, fill: GOLD }),
    );
  }
  if (shown.lastMove) {
    const { origin, target } = readMove(shown.lastMove);
    if (origin) parts.push(...border(geometry, origin, { "stroke-dasharray": "0 11.2", "stroke-linecap": "round" }));
    parts.push(...border(geometry, target, {}));
  }
  for (const line of shown.lines ?? []) {
    const owner = topOf(pieces, line[0] ?? "")?.seat;
    const wins = !shown.winner || owner === shown.winner;
    parts.push(chain(geometry, line, pieces, wins ? GOLD : SILVER, shown.isLineNew ?? false));
  }
  if (shown.worth) {
    if (place) parts.push(...tintSquares(geometry, shown, place));
    else parts.push(...halos(geometry, shown, pieces.filter(isTopOf(pieces))));
  }
  for (const count of heaps(geometry, pieces)) parts.push(count);
  layer.replaceChildren(...parts);
}

/** The number of pieces in a slot. @param {Geometry} geometry @param {Piece[]} pieces */
function heaps(geometry, pieces) {
  /** @type {Map<string, Piece[]>} */
  const found = new Map();
  for (const piece of pieces) {
    if (!piece.place.includes(":") || !geometry.counts(piece.size)) continue;
    found.set(piece.place, [...(found.get(piece.place) ?? []), piece]);
  }
  return [...found].map(([place, heap]) => {
    const { x, y, scale } = geometry.spot(place);
    const radius = pieceRadius(heap[0]?.size ?? 1, geometry.rules);
    return draw("text", { class: "coordinate", x: x + (radius + 34) * scale, y: y + 6 }, `×${heap.length}`);
  });
}

/** @param {Geometry} geometry @param {string} square @param {Record<string, any>} style */
function border(geometry, square, style) {
  const { left, top, width, height } = geometry.square(square);
  return [
    draw("rect", { x: left, y: top, width, height, rx: 12, fill: GOLD, "fill-opacity": 0.3 }),
    draw("rect", {
      class: "last-move",
      x: left + 3.25,
      y: top + 3.25,
      width: width - 6.5,
      height: height - 6.5,
      rx: 8.75,
      fill: "none",
      stroke: GOLD_LIGHT,
      "stroke-width": 4.5,
      ...style,
    }),
  ];
}

/**
 * @param {Geometry} geometry @param {string[]} line @param {Piece[]} pieces
 * @param {string} metal @param {boolean} isNew  whether it lights up
 */
function chain(geometry, line, pieces, metal, isNew) {
  const spots = line.map((square) => geometry.spot(square));
  const [start, end] = [spots[0], spots.at(-1)];
  const radius = (/** @type {string} */ square) => pieceRadius(topOf(pieces, square)?.size ?? 1, geometry.rules);
  const strokes = [
    [1.5, GOLD_SHADE],
    [0, metal],
  ].map(([edge, colour]) => [
    draw("path", {
      d: `M${start?.x} ${start?.y}L${end?.x} ${end?.y}`,
      stroke: colour,
      "stroke-width": 20 + 2 * Number(edge),
      "stroke-linecap": "round",
    }),
    line.map((square, index) =>
      draw("circle", {
        cx: spots[index]?.x,
        cy: spots[index]?.y,
        r: radius(square) + 5.5 + Number(edge),
        fill: colour,
      }),
    ),
  ]);
  return draw("g", { class: isNew ? "line lit" : "line" }, strokes.flat(2));
}

/**
 * @param {SVGSVGElement} layer
 * @param {Geometry} geometry
 * @param {Shown} shown
 * @param {Piece[]} pieces
 * @param {string | null} held
 * @param {string | null} pointed  the place at which somebody points
 */
export function drawSigns(layer, geometry, shown, pieces, held, pointed) {
  const parts = [];
  const legal = shown.legal ?? [];
  if (held) {
    const dangerous = shown.warn === false ? [] : (shown.dangerous ?? []);
    for (const square of targetsFrom(legal, held)) {
      const worth = shown.worth?.[held + square];
      const isDangerous = dangerous.includes(held + square);
      parts.push(
        worth && !isDangerous
          ? squareBadge(geometry, worth, square, Boolean(topOf(pieces, square)))
          : target(geometry, pieces, square, isDangerous),
      );
    }
  } else if (pointed && shown.worth) {
    for (const square of targetsFrom(legal, pointed)) {
      const worth = shown.worth[pointed + square];
      if (worth) parts.push(squareBadge(geometry, worth, square, Boolean(topOf(pieces, square))));
    }
  } else {
    parts.push(...drawArrows(geometry, shown, pieces));
    if (shown.worth) parts.push(...pieceBadges(geometry, shown, pieces.filter(isTopOf(pieces))));
  }
  if (shown.hint) parts.push(...hint(geometry, shown, pieces, shown.hint));
  layer.replaceChildren(...parts);
}

/**
 * The piece to look at, and then where it goes.
 *
 * @param {Geometry} geometry @param {Shown} shown @param {Piece[]} pieces
 * @param {{place: string, target: string | null}} hint
 */
function hint(geometry, shown, pieces, { place, target }) {
  const reserve = `${shown.board.turn}:`;
  const isHere = (/** @type {Piece} */ piece) =>
    /^\d/.test(place) ? piece.place.startsWith(reserve) && piece.size === Number(place) : piece.place === place;
  const piece = pieces.filter(isTopOf(pieces)).filter(isHere).at(-1);
  if (!piece) return [];
  const { x, y, scale } = geometry.spot(piece.place);
  const r = (pieceRadius(piece.size, geometry.rules) + 8) * scale;
  /** @type {SVGElement[]} */
  const parts = [
    draw("circle", { cx: x, cy: y, r, fill: "none", stroke: GOLD_SHADE, "stroke-width": 9 }),
    draw("circle", { class: "hint-ring", cx: x, cy: y, r, fill: "none", stroke: GOLD, "stroke-width": 5.5 }),
  ];
  if (target) {
    const { left, top, width, height } = geometry.square(target);
    const area = { x: left + 4, y: top + 4, width: width - 8, height: height - 8, rx: 10, fill: "none" };
    const segment = segmentsOf(geometry, shown, pieces, place + target)[0];
    parts.push(
      draw("rect", { ...area, stroke: GOLD_SHADE, "stroke-width": 9 }),
      draw("rect", { ...area, class: "hint-ring", stroke: GOLD, "stroke-width": 5.5, "stroke-dasharray": "14 8" }),
    );
    if (segment) parts.push(drawArrow(segment, 0));
  }
  return [draw("g", { class: "hint" }, parts)];
}

/** @param {Geometry} geometry @param {Piece[]} pieces @param {string} square @param {boolean} danger */
function target(geometry, pieces, square, danger) {
  const { x, y } = geometry.spot(square);
  const top = topOf(pieces, square);
  const colour = danger ? DANGER : HINT;
  const parts = [];
  if (top) {
    const r = pieceRadius(top.size, geometry.rules) + 5;
    parts.push(
      draw("circle", { cx: x, cy: y, r, fill: "none", stroke: HINT_CASING, "stroke-width": 8 }),
      draw("circle", { cx: x, cy: y, r, fill: "none", stroke: colour, "stroke-width": 5 }),
    );
  } else if (!danger) {
    parts.push(
      draw("circle", { cx: x, cy: y, r: 11.5, fill: HINT_CASING }),
      draw("circle", { cx: x, cy: y, r: 10, fill: colour }),
    );
  }
  if (danger) {
    // A different shape, so that nobody has to tell red from green.
    const [cx, cy] = top ? [x + 34, y - 34] : [x, y];
    parts.push(
      draw("path", {
        d: `M${cx} ${cy - 17}L${cx + 18} ${cy + 13}H${cx - 18}Z`,
        fill: DANGER,
        stroke: HINT_CASING,
        "stroke-width": 3,
        "stroke-linejoin": "round",
      }),
      draw("path", {
        d: `M${cx} ${cy - 7}V${cy + 3}M${cx} ${cy + 8.5}V${cy + 8.6}`,
        stroke: HINT_CASING,
        "stroke-width": 4,
        "stroke-linecap": "round",
      }),
    );
  }
  return draw("g", { class: danger ? "target danger" : "target" }, parts);
}
