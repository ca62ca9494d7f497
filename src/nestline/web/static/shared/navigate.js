/**
 * Lets any view ask for another address, without knowing who shows it.
 *
 * @typedef {{address: URL, parts: string[], state: any}} Visit  what a view is told when it is opened
 */

/** @param {string} address @param {any} [state]  what the next view need not ask for */
export function navigate(address, state) {
  document.dispatchEvent(new CustomEvent("nest-go", { detail: { address, state } }));
}

/** Load what shows an address, which will be asked for soon. @param {string} address */
export function prefetch(address) {
  document.dispatchEvent(new CustomEvent("nest-prefetch", { detail: { address } }));
}
