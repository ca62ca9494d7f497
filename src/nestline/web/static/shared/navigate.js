/**
 * Lets any view go to another address without knowing the view that shows it.
 *
 * @typedef {{address: URL, parts: string[], state: any}} Visit  what a view is told when it is opened
 */

/** @param {string} address @param {any} [state]  what the next view need not ask for */
export function navigate(address, state) {
  document.dispatchEvent(new CustomEvent("nest-go", { detail: { address, state } }));
}

/** Preload the view of an address that will soon be opened. @param {string} address */
export function prefetch(address) {
  document.dispatchEvent(new CustomEvent("nest-prefetch", { detail: { address } }));
}
