/**
 * Where an arrow key leads on the board.
 */

/**
 * The nearest button in a direction on the screen.
 *
 * @param {HTMLElement[]} buttons @param {HTMLElement} from @param {number} right @param {number} down
 */
export function nearest(buttons, from, right, down) {
  const centre = (/** @type {HTMLElement} */ button) => ({
    x: parseFloat(button.style.left) + parseFloat(button.style.width) / 2,
    y: parseFloat(button.style.top) + parseFloat(button.style.height) / 2,
  });
  const here = centre(from);
  const ahead = buttons
    .map((button) => ({ button, ...centre(button) }))
    .map(({ button, x, y }) => ({
      button,
      along: right ? (x - here.x) * right : (y - here.y) * down,
      across: Math.abs(right ? y - here.y : x - here.x),
    }))
    .filter(({ along, across }) => along > 1 && (down || across < 2))
    .sort((one, two) => Math.round(one.along - two.along) || one.across - two.across);
  return ahead[0]?.button;
}
