/**
 * Games as records, written as `nestline.record` writes them.
 *
 * @import { Game } from "./game.js"
 */
import { isDesign, Refusal } from "../server/api.js";
import * as say from "./sentences.js";
import { isPrintable } from "./texts.js";

const LINE_WIDTH = 80;

/** @param {Game} game @param {string} date  like `2026-11-16` */
export function writeRecord(game, date) {
  const { referee, players, end } = game;
  const { rules } = referee;
  /** @type {[string, string | null][]} */
  const tags = [
    ["Rules", rules.custom && !isDesign(rules.name) ? `${rules.name}.toml` : rules.name],
    ["First", players.first.name],
    ["Second", players.second.name],
    ["Date", game.tags.get("Date") ?? date],
    ["Result", game.result],
    ["Termination", end ? end.reason : "unfinished"],
    ["Position", isStart(game) ? null : referee.board(game.start).text],
    ...[...game.tags].filter(([name]) => name !== "Date"),
    ["FirstLevel", players.first.level],
    ["SecondLevel", players.second.level],
    // Without the tag a record is open.
    ["Visibility", game.visibility === "open" && rules.visibility === "open" ? null : game.visibility],
    ["TouchMove", game.touchMove === rules.touch_move ? null : "no"],
    ["PlyLimit", game.plyLimit === null ? null : String(game.plyLimit)],
    ["Touched", game.touched],
    ["DrawOffer", game.offer],
  ];
  const head = tags.flatMap(([name, value]) => (value === null ? [] : [`[${name} "${escaped(name, value)}"]`]));
  return `${head.join("\n")}\n\n${wrapped([...numbered(game), game.result])}\n`;
}

/** @param {string} name @param {string} value */
function escaped(name, value) {
  if (!isPrintable(value)) throw new Refusal("invalid", say.unprintable(name, value));
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}

/** @param {Game} game */
function isStart({ start }) {
  return start.first === 0n && start.second === 0n && start.turn === "first";
}

/** The moves with their numbers. @param {Game} game */
function numbered({ start, played }) {
  const offset = start.turn === "first" ? 0 : 1;
  return played.flatMap(({ move }, index) => {
    const ply = index + offset;
    if (ply % 2 === 0) return [`${ply / 2 + 1}.`, move];
    return index === 0 ? ["1...", move] : [move];
  });
}

/** @param {string[]} words */
function wrapped(words) {
  const lines = [""];
  for (const word of words) {
    const line = lines.at(-1) ?? "";
    if (line && line.length + 1 + word.length > LINE_WIDTH) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join("\n");
}
