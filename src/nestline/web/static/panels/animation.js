/**
 * A game as one SVG picture that moves by itself, drawn by the browser. `nestline picture --animate` draws the
 * same with the reserves. Where motion is unwelcome it shows the end.
 *
 * @import { Board, RuleSet } from "../server/types.js"
 */
import { newPrefix, pieceDefinitions } from "../board/drawing.js";
import { Geometry, woodenBoard } from "../board/geometry.js";
import { piecesOn } from "../board/miniature.js";
import { draw } from "../shared/dom.js";

const SECONDS_A_MOVE = 1.2;
const SECONDS_AT_THE_END = 3;

/**
 * @param {RuleSet} rules
 * @param {Board[]} boards  from the start to the end
 * @param {number} size  in pixels
 * @param {string[]} [line]  the line that has won
 */
export function animation(rules, boards, size, line) {
  const prefix = newPrefix();
  const geometry = new Geometry(rules, { coordinates: false, trays: false });
  const { width, height } = geometry;
  const kinds = [...new Set(boards.flatMap(({ stacks }) => Object.values(stacks).flat()))];
  const frames = boards.map(({ stacks }, index) =>
    draw(
      "g",
      { class: `${prefix}frame`, id: `${prefix}${index}` },
      piecesOn(geometry, stacks, prefix, index === boards.length - 1 ? line : undefined),
    ),
  );
  const last = boards.at(-1);
  const picture = draw(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      width: size,
      height: Math.round((size * height) / width),
      role: "img",
      "aria-label": `${rules.title}: ${boards.length - 1} moves, to ${last?.text ?? ""}`,
    },
    draw("style", {}, styleOf(prefix, boards.length)),
    draw("defs", {}, pieceDefinitions(rules, prefix, kinds)),
    woodenBoard(geometry, prefix),
    frames,
  );
  return new XMLSerializer().serializeToString(picture);
}

/** Shows the frames in turn; without motion the last one alone. @param {string} prefix @param {number} count */
function styleOf(prefix, count) {
  const total = SECONDS_A_MOVE * (count - 1) + SECONDS_AT_THE_END;
  const steps = Array.from({ length: count }, (_, index) => {
    const begin = (100 * SECONDS_A_MOVE * index) / total;
    const end = index + 1 < count ? (100 * SECONDS_A_MOVE * (index + 1)) / total : 100;
    const first = index ? "hidden" : "visible";
    return (
      `@keyframes ${prefix}k${index}{0%{visibility:${first}}` +
      `${begin.toFixed(3)}%{visibility:visible}${end.toFixed(3)}%{visibility:hidden}}` +
      `#${prefix}${index}{animation-name:${prefix}k${index}}`
    );
  });
  return (
    `.${prefix}frame{visibility:hidden}#${prefix}${count - 1}{visibility:visible}` +
    `@media(prefers-reduced-motion:no-preference){.${prefix}frame{animation:${total}s step-end infinite}` +
    `${steps.join("")}}`
  );
}
