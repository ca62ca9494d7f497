/**
 * Small pictures of boards, drawn by the browser, which cannot be played on.
 *
 * @import { RuleSet } from "../server/types.js"
 */
import { draw } from "../shared/dom.js";
import { readPiece } from "../shared/notation.js";
import { newPrefix, pieceDefinitions, pieceRadius } from "./drawing.js";
import { Geometry, woodenBoard } from "./geometry.js";
import { GOLD } from "./measures.js";

/**
 * @param {RuleSet} rules
 * @param {Record<string, string[]>} stacks
 * @param {{line?: string[], label?: string}} [options]  without a label it is an ornament
 */
export function miniature(rules, stacks, { line, label } = {}) {
  const prefix = newPrefix();
  const geometry = new Geometry(rules, { coordinates: false, trays: false });
  const { width, height } = geometry;
  return draw(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      class: "miniature",
      ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }),
    },
    draw("defs", {}, pieceDefinitions(rules, prefix, Object.values(stacks).flat())),
    woodenBoard(geometry, prefix),
    piecesOn(geometry, stacks, prefix, line),
  );
}

/**
 * The pieces of a board, and a line behind them.
 *
 * @param {Geometry} geometry @param {Record<string, string[]>} stacks @param {string} prefix @param {string[]} [line]
 */
export function piecesOn(geometry, stacks, prefix, line) {
  const pieces = Object.entries(stacks).map(([square, stack]) => {
    const { x, y } = geometry.spot(square);
    const [top, ...covered] = [...stack].reverse().map(readPiece);
    return draw(
      "g",
      { transform: `translate(${x} ${y})` },
      top && draw("use", { href: `#${prefix}piece-${top.seat}-${top.size}` }),
      covered.map(({ seat, size }) => draw("use", { href: `#${prefix}ring-${seat}-${size}` })),
    );
  });
  return line ? [chain(geometry, line, stacks), ...pieces] : pieces;
}

/** A golden chain. @param {Geometry} geometry @param {string[]} line @param {Record<string, string[]>} stacks */
export function chain(geometry, line, stacks) {
  const spots = line.map((square) => geometry.spot(square));
  const [start, end] = [spots[0], spots.at(-1)];
  const radius = (/** @type {string} */ square) => {
    const top = stacks[square]?.at(-1);
    return top ? pieceRadius(readPiece(top).size, geometry.rules) : 0;
  };
  return draw(
    "g",
    {},
    draw("path", {
      d: `M${start?.x} ${start?.y}L${end?.x} ${end?.y}`,
      stroke: GOLD,
      "stroke-width": 20,
      "stroke-linecap": "round",
    }),
    line.map((square, index) =>
      draw("circle", { cx: spots[index]?.x, cy: spots[index]?.y, r: radius(square) + 5.5, fill: GOLD }),
    ),
  );
}

/**
 * A diagonal line of the first player's, with pieces of the second beside it: what the game is
 * about, in the rule set's colours and sizes. The position need not be reachable.
 *
 * @param {RuleSet} rules
 */
export function emblem(rules) {
  const sizes = rules.stock.length;
  const diagonal =
    rules.line_squares.find((line) => line[0] === "a1" && line[1] === "b2") ?? rules.line_squares[0] ?? [];
  /** @type {Record<string, string[]>} */
  const stacks = {};
  diagonal.forEach((square, index) => {
    const size = sizes - (index % sizes);
    stacks[square] =
      size === sizes && sizes > 1 && index === 0 ? [`b${Math.max(1, sizes - 2)}`, `w${size}`] : [`w${size}`];
  });
  const others = rules.squares.filter((square) => !stacks[square]);
  [0, 3, 5].forEach((at, index) => {
    const square = others[at];
    if (square) stacks[square] = [`b${sizes - ((index + 1) % sizes)}`];
  });
  return miniature(rules, stacks, { line: diagonal });
}
