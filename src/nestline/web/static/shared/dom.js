/**
 * Creates and updates elements.
 */
import { place } from "../site/site.js";

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An HTML element: attributes by name, `on…` listeners by function, `href` an address of the page.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  return fill(element, attributes, children);
}

/**
 * An SVG element, in the same way.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * @template {Element} Kind
 * @param {Kind} element
 * @param {Record<string, any>} attributes
 * @param {(Child | Child[])[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "href") element.setAttribute(name, place(String(value)));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
  return element;
}

/**
 * Change text only if it differs: screen readers and selections notice every change.
 *
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Set, or with null remove, an attribute if that changes anything.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
export function mark(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/**
 * Update a parent's children to match a list, keeping the elements that stay.
 *
 * @template Item
 * @param {Element} parent
 * @param {Item[]} items
 * @param {(item: Item, index: number) => string} key
 * @param {(item: Item, index: number) => HTMLElement | SVGElement} create
 * @param {(element: any, item: Item, index: number) => void} [update]
 */
export function keyed(parent, items, key, create, update) {
  /** @type {Map<string, Element>} */
  const present = new Map();
  for (const child of parent.children) present.set(/** @type {any} */ (child).dataset.key, child);
  /** @type {Element | null} */
  let before = null;
  items.forEach((item, index) => {
    const name = key(item, index);
    let element = present.get(name);
    if (element) present.delete(name);
    else {
      const created = create(item, index);
      created.dataset.key = name;
      element = created;
    }
    const place = before ? before.nextElementSibling : parent.firstElementChild;
    if (element !== place) parent.insertBefore(element, place);
    update?.(element, item, index);
    before = element;
  });
  for (const child of present.values()) child.remove();
}

/** @param {string} path  strokes on a grid of 24 by 24 */
export function icon(path) {
  return draw(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" },
    draw("path", { d: path }),
  );
}

/** Lay out the visible buttons in one row, or in two with equal columns. @param {HTMLElement} buttons */
export function inColumns(buttons) {
  const count = [...buttons.children].filter((button) => !(/** @type {HTMLElement} */ (button).hidden)).length;
  buttons.style.setProperty("--columns", String(count > 5 ? Math.ceil(count / 2) : count));
}
