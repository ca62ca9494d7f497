/**
 * `<nest-moves>`: the moves of a game in notation, to step through with keys or clicks.
 *
 * It sends `nest-jump` with the ply to show.
 */
import { keyed, make, mark, say } from "../shared/dom.js";

/** @typedef {{move: string, title: string, mark?: string}} Listed */

export class NestMoves extends HTMLElement {
  /** @type {Listed[]} */
  moves = [];
  cursor = 0;

  connectedCallback() {
    if (this.list) return;
    this.list = make("ol", { class: "moves", "aria-label": "Moves" });
    this.append(this.list);
    this.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button) this.jump(Number(button.dataset.ply));
    });
    this.addEventListener("keydown", (event) => {
      if (walk(event, this.cursor, this.moves.length, (ply) => this.jump(ply))) this.focusCursor();
    });
  }

  /** @param {number} ply */
  jump(ply) {
    this.dispatchEvent(new CustomEvent("nest-jump", { detail: { ply }, bubbles: true }));
  }

  focusCursor() {
    /** @type {HTMLElement | null} */ (this.querySelector(`button[data-ply="${this.cursor}"]`))?.focus();
  }

  /** @param {Listed[]} moves @param {number} cursor  how many of them are played on the board */
  show(moves, cursor) {
    this.moves = moves;
    this.cursor = cursor;
    if (!this.list) this.connectedCallback();
    const list = /** @type {HTMLElement} */ (this.list);
    const entries = [{ move: "Start", title: "The start of the game", mark: undefined }, ...moves];
    keyed(
      list,
      entries,
      (entry, ply) => `${ply}${entry.move}`,
      (entry, ply) => {
        const number =
          ply % 2 === 1 ? make("span", { class: "number", "aria-hidden": "true" }, `${(ply + 1) / 2}.`) : "";
        return make(
          "li",
          { class: ply === 0 ? "beginning" : ply % 2 ? "odd" : "even" },
          number,
          make(
            "button",
            { type: "button", class: "move", "data-ply": ply, title: entry.title },
            entry.move,
            make("span", { class: "sign" }),
          ),
        );
      },
      (element, entry, ply) => {
        const button = element.querySelector("button");
        say(element.querySelector(".sign"), entry.mark ?? "");
        mark(button, "aria-label", ply ? `${entry.move}${entry.mark ?? ""}: ${entry.title}` : entry.title);
        mark(button, "aria-current", ply === cursor ? "step" : null);
        mark(button, "tabindex", ply === cursor ? "0" : "-1");
      },
    );
    const current = list.querySelector("[aria-current]");
    if (current instanceof HTMLElement) {
      // Only the list scrolls, not the page.
      const { offsetTop, offsetHeight } = current;
      if (offsetTop < list.scrollTop || offsetTop + offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = offsetTop - list.clientHeight / 2;
      }
    }
  }
}

/**
 * Step with the left, right, home and end keys. Returns whether the key was one of them.
 *
 * @param {KeyboardEvent} event @param {number} cursor @param {number} last @param {(ply: number) => void} jump
 */
export function walk(event, cursor, last, jump) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const ply = /** @type {Record<string, number>} */ ({
    ArrowLeft: cursor - 1,
    ArrowRight: cursor + 1,
    ArrowUp: cursor - 1,
    ArrowDown: cursor + 1,
    Home: 0,
    End: last,
  })[event.key];
  if (ply === undefined) return false;
  event.preventDefault();
  event.stopPropagation();
  jump(Math.max(0, Math.min(last, ply)));
  return true;
}

/** Whether a key asks for the other side of the board. @param {KeyboardEvent} event */
export function turnsBoard(event) {
  return isShortcut(event, "f");
}

/** Whether a letter is pressed where nothing is written. @param {KeyboardEvent} event @param {string} letter */
export function isShortcut({ key, ctrlKey, metaKey, altKey, target }, letter) {
  const isWriting = target instanceof Element && target.closest("input, select, textarea, dialog");
  return key.toLowerCase() === letter && !ctrlKey && !metaKey && !altKey && !isWriting;
}

/** Whether a key pressed here belongs to something else. @param {EventTarget | null} target */
export function hasOwnKeys(target) {
  return (
    target instanceof Element &&
    target.closest("input, select, textarea, dialog, nest-board, nest-moves, [role=slider]") !== null
  );
}

customElements.define("nest-moves", NestMoves);
