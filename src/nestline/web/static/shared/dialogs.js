/**
 * Modal dialogs with a heading and a close button. The browser traps the focus and restores it.
 */
import { icon, make } from "./dom.js";

let count = 0;

/**
 * @param {string} title
 * @param {...(Node | string)} children
 */
export function openDialog(title, ...children) {
  count += 1;
  const id = `dialog-${count}`;
  const opener = document.activeElement;
  const dialog = make(
    "dialog",
    { "aria-labelledby": id },
    make(
      "header",
      {},
      make("h2", { id }, title),
      make(
        "button",
        { type: "button", class: "plain", "aria-label": "Close", onclick: () => dialog.close() },
        icon("M6 6L18 18M18 6L6 18"),
      ),
    ),
    ...children,
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Ask for confirmation.
 *
 * @param {string} title @param {string} text @param {string} yes
 * @returns {Promise<boolean>}
 */
export function confirmed(title, text, yes) {
  return new Promise((resolve) => {
    const finish = (/** @type {boolean} */ answer) => {
      resolve(answer);
      dialog.close();
    };
    const dialog = openDialog(
      title,
      make("p", {}, text),
      make(
        "p",
        { class: "row" },
        make("button", { type: "button", class: "primary", onclick: () => finish(true) }, yes),
        make("button", { type: "button", onclick: () => finish(false) }, "Cancel"),
      ),
    );
    dialog.addEventListener("close", () => resolve(false));
  });
}
