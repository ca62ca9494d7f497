/**
 * The pieces on a board: one element each, which slides when its piece moves, and the rings that
 * show what lies covered. `arrange` decides which pieces there are.
 *
 * @import { RuleSet, SeatName } from "../server/types.js"
 * @import { Piece } from "./arrange.js"
 * @import { Geometry, Spot } from "./geometry.js"
 */

import { draw, keyed, make, mark } from "../shared/dom.js";
import { readMove } from "../shared/notation.js";
import { isHeaped } from "./arrange.js";

/** How long a piece is on its way, in milliseconds. */
export const WANDERING = 340;
const FLYING = 60;
/** How far a held piece stands above its place, in the board's units. */
const RISE = 26;

/** Whether the system's or the page's settings ask for less motion. */
export function isMotionReduced() {
  return (
    document.documentElement.dataset.motion === "reduced" ||
    window.matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}

export class PieceLayer {
  /**
   * @param {RuleSet} rules
   * @param {string} prefix  of the ids under which the pieces are drawn
   */
  constructor(rules, prefix) {
    this.rules = rules;
    this.prefix = prefix;
    this.bodies = make("div", { class: "layer" });
    this.rings = make("div", { class: "layer rings" });
    this.ghost = make("div", { class: "layer" });
    this.element = make("div", { class: "layer", "aria-hidden": "true" }, this.bodies, this.rings, this.ghost);
    /** @type {Map<number, {element: HTMLElement, place: string, transform: string}>} */
    this.known = new Map();
    /** The piece that follows the pointer. @type {number | null} */
    this.dragged = null;
    this.isFirst = true;
  }

  /**
   * @param {Piece[]} pieces
   * @param {Geometry} geometry
   * @param {Piece | null} lifted
   * @param {string | null} preview  a move to be hinted at
   * @param {SeatName} turn
   * @returns {Promise<unknown> | null}  until the pieces that set off now have landed; null if none does
   */
  show(pieces, geometry, lifted, preview, turn) {
    const calm = this.isFirst || isMotionReduced() || document.hidden;
    this.isFirst = false;
    /** @type {Promise<unknown>[]} */
    const flights = [];
    /** @type {Set<string>} */
    const arrivals = new Set();
    /** @type {Set<number>} */
    const present = new Set();
    for (const piece of pieces) {
      present.add(piece.id);
      const spot = geometry.spot(piece.place);
      const isLifted = lifted?.id === piece.id;
      const transform = placed(spot, isLifted);
      const old = this.known.get(piece.id);
      const element = old?.element ?? this.create(piece);
      element.style.zIndex = String(isLifted ? FLYING : piece.level + 1);
      element.classList.toggle("lifted", isLifted);
      element.classList.toggle("uncovering", isLifted && piece.level > 0 && !piece.place.includes(":"));
      element.hidden = this.isBuried(piece, pieces);
      this.known.set(piece.id, { element, place: piece.place, transform });
      if (this.dragged === piece.id) continue;
      element.style.transform = transform;
      if (calm || old?.transform === transform) continue;
      if (!old) appear(element);
      else if (old.place === piece.place) settle(element, old.transform, transform);
      else {
        flights.push(wander(element, old.transform, transform, piece.level + 1));
        arrivals.add(piece.place);
      }
    }
    for (const [id, { element }] of this.known) {
      if (present.has(id)) continue;
      this.known.delete(id);
      vanish(element, calm);
    }
    this.showRings(pieces, geometry, lifted, calm ? new Set() : arrivals);
    this.showGhost(pieces, geometry, preview, turn);
    return flights.length ? Promise.allSettled(flights) : null;
  }

  /** @param {Piece} piece */
  create(piece) {
    const element = make(
      "div",
      { class: "piece", "data-piece": `${piece.seat}-${piece.size}` },
      this.drawing([`piece-${piece.seat}-${piece.size}`]),
    );
    this.bodies.append(element);
    return element;
  }

  /** @param {string[]} names */
  drawing(names) {
    return draw(
      "svg",
      { viewBox: "-50 -50 100 100", overflow: "visible" },
      names.map((name) => draw("use", { href: `#${this.prefix}${name}` })),
    );
  }

  /** Of a heap only the uppermost two are there to be seen. @param {Piece} piece @param {Piece[]} pieces */
  isBuried(piece, pieces) {
    if (!piece.place.includes(":") || !isHeaped(this.rules, piece.size)) return false;
    return pieces.filter((each) => each.place === piece.place && each.level > piece.level).length > 1;
  }

  /**
   * @param {Piece[]} pieces
   * @param {Geometry} geometry
   * @param {Piece | null} lifted
   * @param {Set<string>} arrivals
   */
  showRings(pieces, geometry, lifted, arrivals) {
    /** @type {Map<string, Piece[]>} */
    const stacks = new Map();
    for (const piece of [...pieces].sort((one, two) => one.level - two.level)) {
      if (piece.id === lifted?.id) continue;
      if (piece.place.includes(":") && this.rules.reserve === "loose") continue;
      stacks.set(piece.place, [...(stacks.get(piece.place) ?? []), piece]);
    }
    const full = [...stacks].filter(([, stack]) => stack.length > 1);
    const names = ([place, stack] = /** @type {[string, Piece[]]} */ (["", []])) => {
      const kind = place.includes(":") ? "groove" : "ring";
      return stack
        .slice(0, -1)
        .reverse()
        .map((piece) => `${kind}-${piece.seat}-${piece.size}`);
    };
    keyed(
      this.rings,
      full,
      (entry) => `${entry[0]} ${names(entry).join(" ")}`,
      (entry) => {
        const element = make("div", { class: "piece" }, this.drawing(names(entry)));
        const isNew = arrivals.has(entry[0]);
        if (isNew) {
          element.animate([{ opacity: 0 }, { opacity: 0, offset: 0.7 }, { opacity: 1 }], { duration: WANDERING + 120 });
        }
        return element;
      },
      (element, [place]) => {
        element.style.transform = placed(geometry.spot(place), false);
      },
    );
  }

  /**
   * @param {Piece[]} pieces
   * @param {Geometry} geometry
   * @param {string | null} preview
   * @param {SeatName} turn
   */
  showGhost(pieces, geometry, preview, turn) {
    if (!preview) return this.ghost.replaceChildren();
    const { size, origin, target } = readMove(preview);
    const top = pieces.filter((piece) => piece.place === origin).at(-1);
    const kind = origin && top ? `piece-${top.seat}-${top.size}` : `piece-${turn}-${size}`;
    const element = make("div", { class: "piece ghost" }, this.drawing([kind]));
    element.style.transform = placed(geometry.spot(target), false);
    this.ghost.replaceChildren(element);
  }

  /**
   * Let a piece follow the pointer to a point, in the board's units.
   *
   * @param {number} id @param {number} x @param {number} y @param {boolean} shadow
   */
  drag(id, x, y, shadow = true) {
    const known = this.known.get(id);
    if (!known) return;
    this.dragged = id;
    known.transform = placed({ x, y, scale: 1 }, shadow);
    known.element.style.transform = known.transform;
    known.element.style.zIndex = String(FLYING);
    mark(known.element, "data-dragged", "");
  }

  /** Leave the dragged piece where it is until the next `show` lets it land or slide back. */
  drop() {
    if (this.dragged !== null) {
      const known = this.known.get(this.dragged);
      if (known) {
        mark(known.element, "data-dragged", null);
        known.place = "pointer";
      }
    }
    this.dragged = null;
  }
}

/** @param {Spot} spot @param {boolean} lifted */
function placed({ x, y, scale }, lifted) {
  const rise = lifted ? RISE * Math.max(0.5, scale) : 0;
  const growth = lifted ? 1.12 : 1;
  const number = (/** @type {number} */ value) => Math.round(value * 100) / 100;
  return `translate(${number(x - 50)}%, ${number(y - 50 - rise)}%) scale(${number(scale * growth)})`;
}

/** @param {HTMLElement} element @param {string} from @param {string} to @param {number} level */
function wander(element, from, to, level) {
  element.style.zIndex = String(FLYING);
  const raised = (/** @type {string} */ transform) =>
    transform.replace(/scale\(([\d.]+)\)/, (_, scale) => `scale(${Number(scale) * 1.16})`);
  const animation = element.animate(
    [
      { transform: from, easing: "ease-out" },
      { transform: raised(from), offset: 0.22, easing: "cubic-bezier(.45,.05,.35,1)" },
      { transform: raised(to), offset: 0.8, easing: "ease-in" },
      { transform: to },
    ],
    { duration: WANDERING },
  );
  animation.onfinish = () => {
    if (!element.classList.contains("lifted")) element.style.zIndex = String(level);
  };
  return animation.finished;
}

/** @param {HTMLElement} element @param {string} from @param {string} to */
function settle(element, from, to) {
  element.animate([{ transform: from }, { transform: to }], { duration: 130, easing: "ease-out" });
}

/** @param {HTMLElement} element */
function appear(element) {
  element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 220 });
}

/** @param {HTMLElement} element @param {boolean} calm */
function vanish(element, calm) {
  if (calm) return element.remove();
  const animation = element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: WANDERING });
  animation.onfinish = () => element.remove();
  return undefined;
}
