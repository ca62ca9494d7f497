/**
 * Where everything is on the wooden board, in the units of nestline's pictures, and the wood itself.
 *
 * @import { RuleSet, SeatName } from "../server/types.js"
 */

import { draw } from "../shared/dom.js";
import { isEndless, isHeaped, slotsOf } from "./arrange.js";
import { pieceRadius } from "./drawing.js";
import * as measures from "./measures.js";
import { CORNER, PITCH, SLOT_GAP, SQUARE, SQUARE_CORNER, TRAY_GAP, TRAY_HEIGHT } from "./measures.js";

/**
 * @typedef {{x: number, y: number, scale: number}} Spot  a centre, and how large pieces are there
 * @typedef {{left: number, top: number, width: number, height: number}} Area
 */

export class Geometry {
  /**
   * @param {RuleSet} rules
   * @param {{flip?: boolean, coordinates?: boolean, trays?: boolean}} [options]
   */
  constructor(rules, { flip = false, coordinates = true, trays = true } = {}) {
    this.rules = rules;
    this.flip = flip;
    this.coordinates = coordinates;
    this.trays = trays;
    this.margin = coordinates ? measures.MARGIN_WITH_COORDINATES : measures.MARGIN;
    this.inner = (rules.board - 1) * PITCH + SQUARE;
    this.width = this.inner + 2 * this.margin;
    this.top = trays ? TRAY_HEIGHT + 2 * TRAY_GAP : this.margin;
    this.height = this.top + this.inner + this.margin + (trays ? TRAY_HEIGHT + TRAY_GAP : 0);
    /** @type {Map<string, Spot>} */
    this.spots = new Map();
    for (const square of rules.squares) {
      const { left, top } = this.square(square);
      this.spots.set(square, { x: left + SQUARE / 2, y: top + SQUARE / 2, scale: 1 });
    }
    if (trays) for (const seat of /** @type {SeatName[]} */ (["first", "second"])) this.placeSlots(seat);
  }

  /** @param {string} square @returns {Area} */
  square(square) {
    const column = square.charCodeAt(0) - 97;
    const row = Number(square[1]) - 1;
    const last = this.rules.board - 1;
    const [right, down] = this.flip ? [last - column, row] : [column, last - row];
    return {
      left: this.margin + right * PITCH,
      top: this.top + down * PITCH,
      width: SQUARE,
      height: SQUARE,
    };
  }

  /** @param {SeatName} seat @returns {Area} */
  tray(seat) {
    const upper = (seat === "second") !== this.flip;
    return {
      left: TRAY_GAP,
      top: upper ? TRAY_GAP : this.height - TRAY_GAP - TRAY_HEIGHT,
      width: this.width - 2 * TRAY_GAP,
      height: TRAY_HEIGHT,
    };
  }

  /** @param {SeatName} seat */
  placeSlots(seat) {
    const tray = this.tray(seat);
    const slots = slotsOf(this.rules, seat);
    const widths = slots.map(({ size }) => 2 * pieceRadius(size, this.rules) + SLOT_GAP + this.countWidth(size));
    const total = widths.reduce((sum, width) => sum + width, 0);
    const scale = Math.min(measures.LARGEST_TRAY_SCALE, (tray.width - measures.TRAY_ENDS) / total);
    let x = (this.width - total * scale) / 2;
    slots.forEach((slot, index) => {
      const radius = pieceRadius(slot.size, this.rules) + SLOT_GAP / 2;
      this.spots.set(`${seat}:${index}`, {
        x: x + radius * scale,
        y: tray.top + TRAY_HEIGHT / 2,
        scale,
      });
      x += (widths[index] ?? 0) * scale;
    });
  }

  /** Whether the count of a size's pieces is written beside them. @param {number} size */
  counts(size) {
    return isHeaped(this.rules, size) && !isEndless(this.rules);
  }

  /** The width of that count, enough for the largest. @param {number} size */
  countWidth(size) {
    const { COUNT_GAP, COUNT_GLYPH } = measures;
    return this.counts(size) ? COUNT_GLYPH * `×${this.rules.stock[size - 1]}`.length + COUNT_GAP : 0;
  }

  /** @param {string} place @returns {Spot} */
  spot(place) {
    return this.spots.get(place) ?? { x: this.width / 2, y: this.height / 2, scale: 1 };
  }

  /**
   * What a person can press to take a piece from the reserve: a size or a stack.
   *
   * @param {SeatName} seat
   * @returns {{slots: number[], size: number, area: Area}[]}
   */
  handles(seat) {
    const tray = this.tray(seat);
    /** @type {Map<number, number[]>} */
    const groups = new Map();
    for (const slot of slotsOf(this.rules, seat)) {
      const name = this.rules.reserve === "nested" ? slot.index : slot.size;
      groups.set(name, [...(groups.get(name) ?? []), slot.index]);
    }
    return [...groups.values()].map((slots) => {
      const first = this.spot(`${seat}:${slots[0]}`);
      const last = this.spot(`${seat}:${slots.at(-1)}`);
      const size = slotsOf(this.rules, seat)[slots[0] ?? 0]?.size ?? 1;
      // Small pieces get a handle as wide as a finger, if there is room.
      const reach = Math.max(pieceRadius(size, this.rules) * first.scale + 3, 20);
      return {
        slots,
        size,
        area: {
          left: first.x - reach,
          top: tray.top + 2,
          width: last.x - first.x + 2 * reach,
          height: tray.height - 4,
        },
      };
    });
  }
}

/** @param {Area} area @param {number} corner @param {Record<string, any>} attributes */
function box({ left, top, width, height }, corner, attributes) {
  return draw("rect", { x: left, y: top, width, height, rx: corner, ...attributes });
}

/** @param {Area} area @param {number} by @returns {Area} */
function grown({ left, top, width, height }, by) {
  return { left: left - by, top: top - by, width: width + 2 * by, height: height + 2 * by };
}

/**
 * The empty board.
 *
 * @param {Geometry} geometry
 * @param {string} prefix
 */
export function woodenBoard(geometry, prefix) {
  const { width, height, rules } = geometry;
  const whole = { left: 0, top: 0, width, height };
  const stop = (/** @type {number} */ offset, /** @type {string} */ colour, opacity = 1) =>
    draw("stop", { offset, "stop-color": colour, "stop-opacity": opacity });
  const slope = (
    /** @type {string} */ id,
    /** @type {number[]} */ [x1, y1, x2, y2],
    /** @type {SVGStopElement[]} */ ...stops
  ) => draw("linearGradient", { id: prefix + id, x1, y1, x2, y2 }, stops);
  const parts = [
    draw(
      "defs",
      {},
      draw("clipPath", { id: `${prefix}outline` }, box(whole, CORNER, {})),
      slope(
        "wood",
        [0, 0, 0.6, 1],
        stop(0, measures.WOOD_LIGHT),
        stop(0.5, measures.WOOD),
        stop(1, measures.WOOD_DARK),
      ),
      slope("linen", [0, 0, 1, 1], stop(0, measures.LINEN_LIGHT), stop(1, measures.LINEN)),
      slope(
        "bevel",
        [0.3, 0, 0.7, 1],
        stop(0, measures.GRAIN, 0.4),
        stop(0.4, measures.GRAIN, 0.05),
        stop(0.7, "#ffffff", 0.08),
        stop(1, "#ffffff", 0.32),
      ),
      slope("hollow", [0, 0, 0, 1], stop(0, measures.GRAIN), stop(0.5, measures.GRAIN, 0.3), stop(1, "#ffffff", 0.16)),
    ),
    box(whole, CORNER, { fill: `url(#${prefix}wood)` }),
    draw("path", {
      "clip-path": `url(#${prefix}outline)`,
      d: grain(width, height),
      fill: "none",
      stroke: measures.GRAIN,
      "stroke-opacity": 0.13,
      "stroke-width": 1.4,
    }),
    box(grown(whole, -1), CORNER - 1, { fill: "none", stroke: measures.GROOVE, "stroke-width": 2 }),
    box(grown(whole, -3), CORNER - 3, { fill: "none", stroke: "#fff", "stroke-opacity": 0.16, "stroke-width": 2 }),
  ];
  for (const square of rules.squares) {
    const area = geometry.square(square);
    parts.push(
      box(grown(area, 1.5), SQUARE_CORNER + 1.5, { fill: measures.GROOVE }),
      box(area, SQUARE_CORNER, { fill: `url(#${prefix}linen)` }),
      box(grown(area, -1.1), SQUARE_CORNER - 1.1, {
        fill: "none",
        stroke: `url(#${prefix}bevel)`,
        "stroke-width": 2.2,
      }),
    );
  }
  if (geometry.coordinates) parts.push(...coordinates(geometry));
  if (geometry.trays) {
    for (const seat of /** @type {SeatName[]} */ (["first", "second"])) {
      const tray = geometry.tray(seat);
      parts.push(
        box(tray, TRAY_HEIGHT / 2, { fill: measures.TRAY }),
        box(grown(tray, -1.2), TRAY_HEIGHT / 2, { fill: "none", stroke: `url(#${prefix}hollow)`, "stroke-width": 2.5 }),
      );
      slotsOf(rules, seat).forEach((slot, index) => {
        const { x, y, scale } = geometry.spot(`${seat}:${index}`);
        parts.push(draw("circle", { cx: x, cy: y, r: pieceRadius(slot.size, rules) * scale, fill: measures.GROOVE }));
      });
    }
  }
  return parts;
}

/** @param {Geometry} geometry */
function coordinates(geometry) {
  const { rules, margin, top, inner } = geometry;
  const parts = [];
  for (let index = 1; index <= rules.board; index += 1) {
    const letter = "abcd"[index - 1];
    const row = geometry.square(`a${index}`);
    const column = geometry.square(`${letter}1`);
    parts.push(
      draw("text", { class: "coordinate", x: margin / 2, y: row.top + SQUARE / 2 + 5 }, index),
      draw("text", { class: "coordinate", x: column.left + SQUARE / 2, y: top + inner + margin / 2 + 5 }, letter),
    );
  }
  return parts;
}

/** The grain of the wood. @param {number} width @param {number} height */
function grain(width, height) {
  const lines = Math.round(height / 9);
  let path = "";
  for (let index = 1; index < lines; index += 1) {
    const y = (index * height) / lines + 2.5 * Math.sin(index * 2.4);
    const bend = 5 * Math.sin(index * 0.9);
    const swing = 5 * Math.cos(index * 0.53);
    const curve = [0, y, width / 3, y + bend, (width * 2) / 3, y + swing, width, y + (bend - swing) / 2];
    const [x0, y0, ...rest] = curve.map((value) => value.toFixed(1));
    path += `M${x0} ${y0}C${rest.join(" ")}`;
  }
  return path;
}
