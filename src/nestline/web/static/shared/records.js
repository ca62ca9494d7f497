/**
 * The player's own records of finished games, kept in this browser. The server deletes games after a
 * time; whoever played them can still open them.
 */

const NAME = "nestline.records";
const MOST_RECORDS = 100;

/** @returns {Record<string, string>} */
function records() {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? "{}") ?? {};
  } catch {
    // Storage is blocked, or holds something that is not ours.
    return {};
  }
}

/** @param {string} id @returns {string | null} */
export function recordOf(id) {
  return records()[id] ?? null;
}

/** @param {string} id */
export function forgetRecord(id) {
  const { [id]: _, ...others } = records();
  write(others);
}

/** @param {string} id @param {string} record */
export function keepRecord(id, record) {
  const others = Object.entries(records()).filter(([each]) => each !== id);
  write(Object.fromEntries([...others.slice(1 - MOST_RECORDS), [id, record]]));
}

/** @param {Record<string, string>} all */
function write(all) {
  try {
    localStorage.setItem(NAME, JSON.stringify(all));
  } catch {
    // Private windows may refuse; the game stays on the server for a time.
  }
}
