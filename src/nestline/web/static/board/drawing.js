/**
 * What pieces and boards look like: the shapes of nestline's SVG pictures, drawn by the browser.
 *
 * A piece is a cup turned upside down, seen from above. The first player's are smooth, the second
 * player's scalloped, so that the sides differ in more than colour; size shows in the diameter
 * and in pips. `geometry` decides where things are.
 *
 * @import { RuleSet, SeatName } from "../server/types.js"
 */
import { draw } from "../shared/dom.js";
import { writePiece } from "../shared/notation.js";
import { ALMOST_BLACK, DARK_INK, LARGEST, LIGHT_INK, ONLY_SIZE, SHADOW, SIZE_STEP, SMALLEST } from "./measures.js";

/** Where the pips of sizes 1 to 4 sit, in units of their own radius. */
const PIPS = [
  [[0, 0]],
  [
    [-1.6, 0],
    [1.6, 0],
  ],
  [
    [0, -1.7],
    [-1.6, 1.05],
    [1.6, 1.05],
  ],
  [
    [-1.5, -1.5],
    [1.5, -1.5],
    [-1.5, 1.5],
    [1.5, 1.5],
  ],
];

/** @param {string} colour */
const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** @param {string} colour @param {string} stirred @param {number} share */
export function mix(colour, stirred, share) {
  const others = channels(stirred);
  const parts = channels(colour).map((one, index) => {
    const value = Math.round(one + ((others[index] ?? 0) - one) * share);
    return value.toString(16).padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

/** @param {string} colour */
export function luminance(colour) {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The ink with the better contrast on a background. @param {string} ground */
export function ink(ground) {
  return luminance(ground) > 0.3 ? DARK_INK : LIGHT_INK;
}

/** @param {RuleSet} rules @param {SeatName} seat */
export function colourOf(rules, seat) {
  return rules.colours[seat === "first" ? 0 : 1];
}

/** @param {number} size @param {RuleSet} rules */
export function pieceRadius(size, rules) {
  const sizes = rules.stock.length;
  if (sizes === 1) return ONLY_SIZE;
  const smallest = SMALLEST + (4 - sizes) * SIZE_STEP;
  return smallest + ((LARGEST - smallest) * (size - 1)) / (sizes - 1);
}

/** @param {string} colour */
function lightAndShade(colour) {
  const lit = luminance(colour) < ALMOST_BLACK ? mix(colour, "#c9c6d6", 0.7) : "#ffffff";
  return [mix(lit, colour, 0.12), mix(mix(colour, "#000000", 0.72), "#2a1030", 0.2)];
}

/** @param {number} value */
const short = (value) => String(Math.round(value * 100) / 100);

/** A circle with a wavy edge, as the data of a path. @param {number} radius */
export function scallops(radius) {
  const count = 2 * Math.round(radius / 3.6) + 2;
  const valley = radius * 0.965 - 0.6;
  const point = (/** @type {number} */ step) => {
    const angle = (2 * Math.PI * step) / count;
    return `${short(valley * Math.cos(angle))} ${short(valley * Math.sin(angle))}`;
  };
  const bulge = short(1.2 * valley * Math.sin(Math.PI / count));
  let path = `M${point(0)}`;
  for (let step = 1; step <= count; step += 1) path += `A${bulge} ${bulge} 0 0 1 ${point(step % count)}`;
  return `${path}Z`;
}

/** @param {SeatName} seat @param {number} radius @param {Record<string, any>} attributes */
function outline(seat, radius, attributes) {
  return seat === "first"
    ? draw("circle", { r: short(radius), ...attributes })
    : draw("path", { d: scallops(radius), "stroke-linejoin": "round", ...attributes });
}

/** @param {string} id @param {[number, string][]} stops */
function slope(id, stops) {
  return draw(
    "linearGradient",
    { id, x1: 0.18, y1: 0.1, x2: 0.82, y2: 0.9 },
    stops.map(([offset, colour]) => draw("stop", { offset, "stop-color": colour })),
  );
}

/** @param {number} radius @param {string} colour @param {number} opacity */
function gleam(radius, colour, opacity) {
  const at = (/** @type {number} */ turn) =>
    `${short(radius * Math.cos(turn * Math.PI))} ${short(radius * Math.sin(turn * Math.PI))}`;
  return draw("path", {
    d: `M${at(1.02)}A${short(radius)} ${short(radius)} 0 0 1 ${at(1.5)}`,
    fill: "none",
    stroke: colour,
    "stroke-opacity": opacity,
    "stroke-width": 1.5,
    "stroke-linecap": "round",
  });
}

/** @param {RuleSet} rules @param {SeatName} seat @param {number} size */
function pips(rules, seat, size) {
  const colour = colourOf(rules, seat);
  const tint = mix(ink(colour), colour, 0.08);
  if (rules.stock.length === 1) {
    const attributes = { fill: "none", stroke: tint, "stroke-width": 6.5, "stroke-linecap": "round" };
    return seat === "first"
      ? [draw("path", { d: "M-9.5-9.5L9.5 9.5M9.5-9.5L-9.5 9.5", ...attributes })]
      : [draw("circle", { r: 10.5, ...attributes })];
  }
  const unit = 0.205 * pieceRadius(1, rules);
  return (PIPS[size - 1] ?? []).map(([x = 0, y = 0]) =>
    draw("circle", { r: short(unit), cx: short(x * unit), cy: short(y * unit), fill: tint }),
  );
}

/**
 * The SVG definitions of a rule set's pieces, for one drawing. The ids begin
 * with the prefix: `…piece-first-3`, `…ring-second-1`, `…groove-first-2`.
 *
 * @param {RuleSet} rules
 * @param {string} prefix
 * @param {string[]} [kinds]  like `w3`: no others are needed
 */
export function pieceDefinitions(rules, prefix, kinds) {
  /** @type {SVGElement[]} */
  const parts = [
    draw(
      "radialGradient",
      { id: `${prefix}shadow` },
      [
        [0.6, 0.7],
        [0.82, 0.24],
        [1, 0],
      ].map(([offset, opacity]) => draw("stop", { offset, "stop-color": SHADOW, "stop-opacity": opacity })),
    ),
  ];
  for (const seat of /** @type {SeatName[]} */ (["first", "second"])) {
    const colour = colourOf(rules, seat);
    const [light = "", shade = ""] = lightAndShade(colour);
    const dark = luminance(colour) < ALMOST_BLACK;
    const casing = dark ? LIGHT_INK : mix(colour, DARK_INK, 0.8);
    parts.push(
      slope(`${prefix}rim-${seat}`, [
        [0, mix(colour, light, 0.34)],
        [1, mix(colour, shade, 0.3)],
      ]),
      slope(`${prefix}wall-${seat}`, [
        [0, mix(colour, light, 0.3)],
        [1, mix(colour, shade, 0.6)],
      ]),
      slope(`${prefix}face-${seat}`, [
        [0, mix(colour, light, 0.04)],
        [1, mix(colour, light, 0.2)],
      ]),
    );
    for (let size = 1; size <= rules.stock.length; size += 1) {
      if (kinds && !kinds.includes(writePiece(seat, size))) continue;
      const radius = pieceRadius(size, rules);
      const edge = { stroke: mix(colour, shade, 0.75), "stroke-width": 1.2 };
      parts.push(
        draw(
          "g",
          { id: `${prefix}piece-${seat}-${size}` },
          draw("circle", {
            class: "shade",
            r: short(radius * 1.05 + 6),
            cx: 2.5,
            cy: 4.5,
            fill: `url(#${prefix}shadow)`,
          }),
          outline(seat, radius, { fill: `url(#${prefix}rim-${seat})`, ...edge }),
          draw("circle", { r: short(radius * 0.9 - 0.6), fill: `url(#${prefix}wall-${seat})` }),
          draw("circle", { r: short(radius * 0.6), fill: `url(#${prefix}face-${seat})` }),
          gleam(radius * 0.6 - 0.5, light, 0.7),
          gleam(radius * 0.95 - 0.6, light, 0.5),
          pips(rules, seat, size),
        ),
        draw(
          "g",
          { id: `${prefix}ring-${seat}-${size}`, fill: "none" },
          outline(seat, radius - 1.5, { stroke: casing, "stroke-width": 5.8 }),
          outline(seat, radius - 1.5, { stroke: colour, "stroke-width": 3.8 }),
        ),
        draw(
          "g",
          { id: `${prefix}groove-${seat}-${size}`, fill: "none" },
          outline(seat, radius - 1.5, { stroke: mix(colour, ink(colour), 0.55), "stroke-width": 1.8 }),
        ),
      );
    }
  }
  return parts;
}

let drawings = 0;

/** A prefix for the ids of one drawing; two drawings on a page must not share ids. */
export function newPrefix() {
  drawings += 1;
  return `n${drawings}-`;
}

/**
 * One piece as a drawing of its own.
 *
 * @param {RuleSet} rules @param {SeatName} seat @param {number} size
 */
export function pieceDrawing(rules, seat, size) {
  const prefix = newPrefix();
  return draw(
    "svg",
    { viewBox: "-52 -52 104 104", class: "piece-drawing", "aria-hidden": "true" },
    draw("defs", {}, pieceDefinitions(rules, prefix, [writePiece(seat, size)])),
    draw("use", { href: `#${prefix}piece-${seat}-${size}` }),
  );
}
