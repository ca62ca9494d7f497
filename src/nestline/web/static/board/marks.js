/**
 * What is drawn under the pieces (last move, lines, whose turn) and over them (targets, arrows).
 *
 * @import { Shown, Worth } from "./board.js"
 * @import { Piece } from "./arrange.js"
 * @import { Geometry } from "./geometry.js"
 */
import { draw } from "../shared/dom.js";
import { readMove } from "../shared/notation.js";
import { pieceRadius } from "./drawing.js";
import { targetsFrom } from "./holding.js";
import { GOLD } from "./measures.js";

const GOLD_SHADE = "#8a5a00";
const GOLD_LIGHT = "#fff2c4";
const SILVER = "#efe6d6";
const HINT = "#1b8163";
const HINT_CASING = "#f2fff6";
const DANGER = "#b3261e";
const EVEN = "#7a5c00";

/** @param {Piece[]} pieces @param {string} place */
const topOf = (pieces, place) =>
  pieces.filter((piece) => piece.place === place).sort((one, two) => two.level - one.level)[0];

/**
 * @param {SVGSVGElement} layer
 * @param {Geometry} geometry
 * @param {Shown} shown
 * @param {Piece[]} pieces
 */
export function drawMarks(layer, geometry, shown, pieces) {
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
    parts.push(chain(geometry, line, pieces, wins ? GOLD : SILVER));
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

/** @param {Geometry} geometry @param {string[]} line @param {Piece[]} pieces @param {string} metal */
function chain(geometry, line, pieces, metal) {
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
  return draw("g", { class: "line" }, strokes.flat(2));
}

/**
 * @param {SVGSVGElement} layer
 * @param {Geometry} geometry
 * @param {Shown} shown
 * @param {Piece[]} pieces
 * @param {string | null} held
 */
export function drawSigns(layer, geometry, shown, pieces, held) {
  const parts = [];
  for (const { move, rank } of held ? [] : (shown.arrows ?? [])) parts.push(arrow(geometry, shown, pieces, move, rank));
  if (held) {
    const dangerous = shown.warn === false ? [] : (shown.dangerous ?? []);
    for (const square of targetsFrom(shown.legal ?? [], held)) {
      const worth = shown.worth?.[held + square];
      const isDangerous = dangerous.includes(held + square);
      parts.push(
        worth && !isDangerous ? worthy(geometry, square, worth) : target(geometry, pieces, square, isDangerous),
      );
    }
  }
  layer.replaceChildren(...parts);
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

/**
 * What landing here is worth: colour, shape and sign all tell it.
 *
 * @param {Geometry} geometry @param {string} square @param {Worth} worth
 */
function worthy(geometry, square, { value, distance }) {
  const { x, y } = geometry.spot(square);
  const [colour, shape, sign] = {
    win: [HINT, "M-21 0A21 21 0 1 1 21 0A21 21 0 1 1 -21 0Z", distance ?? "+"],
    draw: [EVEN, "M-19 -19H19V19H-19Z", "="],
    loss: [DANGER, "M0 -25L25 0L0 25L-25 0Z", distance ?? "−"],
  }[value];
  return draw(
    "g",
    { class: `target worth ${value}`, transform: `translate(${x} ${y})` },
    draw("path", { d: shape, fill: colour, stroke: HINT_CASING, "stroke-width": 3.5, "stroke-linejoin": "round" }),
    draw("text", { class: "worth-sign", y: 7 }, sign),
  );
}

/**
 * @param {Geometry} geometry @param {Shown} shown @param {Piece[]} pieces
 * @param {string} move @param {number} rank  0 is the best move
 */
function arrow(geometry, shown, pieces, move, rank) {
  const { size, origin, target: square } = readMove(move);
  const inTray = pieces.filter((piece) => piece.place.startsWith(`${shown.board.turn}:`) && piece.size === size);
  const start = geometry.spot(origin ?? inTray.at(-1)?.place ?? "");
  const end = geometry.spot(square);
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const [ux, uy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const from = { x: start.x + ux * 20, y: start.y + uy * 20 };
  const tip = { x: end.x - ux * 6, y: end.y - uy * 6 };
  const neck = { x: end.x - ux * 26, y: end.y - uy * 26 };
  const head = `M${tip.x} ${tip.y}L${neck.x - uy * 14} ${neck.y + ux * 14}L${neck.x + uy * 14} ${neck.y - ux * 14}Z`;
  const colour = rank === 0 ? "#1668b8" : "#4a7ba6";
  const part = (/** @type {string} */ ink, /** @type {number} */ extra) => [
    draw("path", {
      d: `M${from.x} ${from.y}L${neck.x} ${neck.y}`,
      stroke: ink,
      "stroke-width": 9 - 2 * Math.min(rank, 2) + extra,
      "stroke-linecap": "round",
    }),
    draw("path", { d: head, fill: ink, stroke: ink, "stroke-width": 1 + extra, "stroke-linejoin": "round" }),
  ];
  return draw("g", { class: "arrow", opacity: rank === 0 ? 0.95 : 0.8 }, part("#ffffff", 4), part(colour, 0));
}
