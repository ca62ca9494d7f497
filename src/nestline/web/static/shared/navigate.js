/**
 * Lets any view ask for another address, without knowing who shows it.
 */

/** @param {string} address @param {any} [state] */
export function navigate(address, state) {
  document.dispatchEvent(new CustomEvent("nest-go", { detail: { address, state } }));
}
