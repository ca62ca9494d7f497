/**
 * Positions and studies as addresses and texts.
 *
 * @import { RuleSet } from "../server/types.js"
 */
import { query } from "../server/api.js";

/**
 * A position and how it was reached: the start, and the moves since.
 *
 * @typedef {{rules: string, start: string, moves: string[]}} StudiedPosition
 */

/** The address of a position. @param {string} rules @param {string} text @param {string[]} [moves] */
export function positionAddress(rules, text, moves = []) {
  return `/study?${query({ rules, position: text.replaceAll(" ", "_"), moves: moves.join(" ") || undefined })}`;
}

/** A study as a record. @param {Omit<StudiedPosition, "rules">} position @param {RuleSet} rules */
export function studyRecord({ start, moves }, rules) {
  const tags = [`[Rules "${rules.name}"]`];
  if (start !== rules.start.text) tags.push(`[Position "${start}"]`);
  tags.push('[Result "*"]');
  // If the second player begins, the first move number has three dots.
  const offset = start.endsWith(" b") ? 1 : 0;
  const numbered = moves.map((move, index) => {
    const ply = index + offset;
    if (ply % 2 === 0) return `${ply / 2 + 1}. ${move}`;
    return index === 0 ? `1... ${move}` : move;
  });
  return `${tags.join("\n")}\n\n${[...numbered, "*"].join(" ")}\n`;
}
