/**
 * Whether the server is ready: after its first start it compiles for a while. Listeners can tell
 * people what they are waiting for.
 */

export const WAIT_MILLISECONDS = 1000;

class Readiness extends EventTarget {
  /** What people wait for, in words; null when they do not. @type {string | null} */
  remark = null;

  /** @param {string | null} remark */
  tell(remark) {
    if (remark === this.remark) return;
    this.remark = remark;
    this.dispatchEvent(new Event("change"));
  }
}

export const readiness = new Readiness();

/** @param {number} milliseconds @returns {Promise<void>} */
export function pause(milliseconds) {
  return new Promise((resolve) => window.setTimeout(resolve, milliseconds));
}
