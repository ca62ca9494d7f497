/**
 * A position as an SVG picture of its own, with reserves, last move and lines, drawn by the browser: what
 * `nestline picture` draws.
 *
 * @import { Piece } from "../board/arrange.js"
 * @import { Shown } from "../board/board.js"
 * @import { RuleSet } from "../server/types.js"
 */
import { arrange } from "../board/arrange.js";
import { newPrefix, pieceDefinitions } from "../board/drawing.js";
import { Geometry, woodenBoard } from "../board/geometry.js";
import { drawMarks } from "../board/marks.js";
import { draw } from "../shared/dom.js";
import { writePiece } from "../shared/notation.js";
import { playerName } from "../shared/words.js";

/** Letters as on the page, which has a style sheet. */
const STYLE = ".coordinate{fill:#f0dfc2;font:700 15px sans-serif;text-anchor:middle}";

/**
 * @param {RuleSet} rules
 * @param {Shown} shown
 * @param {{size: number, flip: boolean}} options  `size` is the width in pixels
 */
export function picture(rules, shown, { size, flip }) {
  const prefix = newPrefix();
  const geometry = new Geometry(rules, { flip });
  const { width, height } = geometry;
  let ids = 0;
  const pieces = arrange([], shown.board, rules, () => {
    ids += 1;
    return ids;
  });
  const marks = draw("g", {});
  drawMarks(marks, geometry, shown, pieces, null);
  const svg = draw(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width: size, height: Math.round((size * height) / width), role: "img" },
    draw("title", {}, `${rules.title}: ${stateOf(rules, shown)}`),
    draw("desc", {}, shown.board.text),
    draw("style", {}, STYLE),
    draw(
      "defs",
      {},
      pieceDefinitions(
        rules,
        prefix,
        pieces.map((piece) => writePiece(piece.seat, piece.size)),
      ),
    ),
    woodenBoard(geometry, prefix),
    marks,
    [...new Set(pieces.map(({ place }) => place))].map((place) =>
      stackAt(
        geometry,
        place,
        pieces.filter((piece) => piece.place === place),
        prefix,
      ),
    ),
  );
  return new XMLSerializer().serializeToString(svg);
}

/**
 * The pieces in one place: the top one, and what is known of those inside.
 *
 * @param {Geometry} geometry @param {string} place @param {Piece[]} stack  from the bottom @param {string} prefix
 */
function stackAt(geometry, place, stack, prefix) {
  const { x, y, scale } = geometry.spot(place);
  const [top, ...covered] = [...stack].reverse();
  const use = (/** @type {string} */ kind, /** @type {Piece} */ { seat, size }) =>
    draw("use", { href: `#${prefix}${kind}-${seat}-${size}` });
  const isReserve = place.includes(":");
  // Equal pieces in a heap are counted, not shown.
  const inside = covered.filter(({ size }) => size !== top?.size);
  return draw(
    "g",
    { transform: `translate(${x} ${y}) scale(${scale})` },
    top && use("piece", top),
    inside.map((piece) => use(isReserve ? "groove" : "ring", piece)),
  );
}

/** @param {RuleSet} rules @param {Shown} shown */
function stateOf(rules, { turn, winner }) {
  if (turn) return `${playerName(rules, turn)} to move`;
  return winner ? `${playerName(rules, winner)} wins` : "a draw";
}
