/**
 * The moves of a study, with their branches.
 *
 * @import { Study } from "../server/types.js"
 */

export class Branch {
  /** @param {string | null} move @param {Branch | null} parent @param {Study} study */
  constructor(move, parent, study) {
    this.move = move;
    this.parent = parent;
    this.study = study;
    /** @type {Branch[]} */
    this.children = [];
    /** The child that was looked at last, and is the way forward. @type {Branch | null} */
    this.next = null;
  }

  /** The branch after a move, if it has been played before. @param {string} move */
  find(move) {
    return this.children.find((child) => child.move === move) ?? null;
  }

  /** @param {string} move @param {Study} study */
  add(move, study) {
    const child = this.find(move) ?? new Branch(move, this, study);
    if (!this.children.includes(child)) this.children.push(child);
    this.next = child;
    return child;
  }

  /** From the root to here. @returns {Branch[]} */
  path() {
    return this.parent ? [...this.parent.path(), this] : [];
  }

  /** The moves from the root to here. */
  moves() {
    return this.path().map((branch) => branch.move ?? "");
  }

  /** The line through here to its end: the moves before, and those last looked at after it. */
  line() {
    const line = this.path();
    for (let branch = this.next; branch; branch = branch.next) line.push(branch);
    return line;
  }

  /** Other moves that were tried instead of this one. */
  siblings() {
    return this.parent ? this.parent.children.filter((child) => child !== this) : [];
  }
}

const KEPT = "nestline.study";
const MOST_LINES = 12;

/** Every line of a study to its end. @param {Branch} branch @returns {string[][]} */
function linesFrom(branch) {
  if (!branch.children.length) return branch.parent ? [branch.moves()] : [];
  return branch.children.flatMap(linesFrom);
}

/** Keep the branches for a reload; this tab alone knows them. @param {string} rules @param {Branch} root */
export function keepLines(rules, root) {
  try {
    const lines = linesFrom(root).slice(-MOST_LINES);
    sessionStorage.setItem(KEPT, JSON.stringify({ rules, start: root.study.board.text, lines }));
  } catch {
    // Private windows may refuse; the study works without it.
  }
}

/**
 * The branches of the last study, if it began there.
 *
 * @param {string} rules @param {string} start @returns {string[][]}
 */
export function keptLines(rules, start) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    return kept?.rules === rules && kept.start === start ? kept.lines : [];
  } catch {
    return [];
  }
}
