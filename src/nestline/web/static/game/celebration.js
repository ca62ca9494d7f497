/**
 * A short celebration over the board: rings in the winner's colours. There is none where motion is unwelcome.
 */
import { isMotionReduced } from "../board/pieces.js";
import { make } from "../shared/dom.js";

const COUNT = 44;
const LASTS = 1900;
const GOLD = "#ffc93c";

/** @param {HTMLElement} place @param {string} colour  of the winner */
export function celebrate(place, colour) {
  if (isMotionReduced()) return;
  const layer = make("div", { class: "celebration", "aria-hidden": "true" });
  place.append(layer);
  for (let index = 0; index < COUNT; index += 1) {
    const ring = make("i", { class: index % 3 ? "ring" : "dot" });
    ring.style.color = index % 2 ? colour : GOLD;
    const size = 10 + 16 * Math.random();
    ring.style.width = ring.style.height = `${size}px`;
    layer.append(ring);
    const angle = -Math.PI * (0.12 + 0.76 * Math.random());
    const reach = 130 + 210 * Math.random();
    const [x, y] = [Math.cos(angle) * reach, Math.sin(angle) * reach];
    ring.animate(
      [
        { transform: "translate(-50%, -50%) scale(0.2)", opacity: 1, easing: "cubic-bezier(.1,.7,.3,1)" },
        { transform: `translate(${x}px, ${y}px) scale(1)`, opacity: 1, offset: 0.4, easing: "ease-in" },
        { transform: `translate(${x * 1.25}px, ${y + 340}px) scale(0.8)`, opacity: 0 },
      ],
      { duration: LASTS - 500 * Math.random(), delay: 120 * Math.random(), fill: "both" },
    );
  }
  window.setTimeout(() => layer.remove(), LASTS + 150);
}
