/**
 * Boards, moves and values in words, for screen readers and for the page.
 *
 * @import { Board, Judgement, RuleSet, SeatName, Study } from "../server/types.js"
 * @import { WatchedGame } from "../server/connection.js"
 */
import { mover, readMove, readPiece } from "./notation.js";

const SIZE_WORDS = [[""], ["small", "large"], ["small", "medium", "large"], ["tiny", "small", "medium", "large"]];

/** @param {RuleSet} rules @param {number} size */
export function sizeName(rules, size) {
  return SIZE_WORDS[rules.stock.length - 1]?.[size - 1] ?? `size ${size}`;
}

/** @param {RuleSet} rules @param {SeatName} seat */
export function playerName(rules, seat) {
  return rules.players[seat === "first" ? 0 : 1];
}

/**
 * What a person is called; the colour, if no name is known.
 *
 * @param {Pick<WatchedGame, "seats">} game @param {RuleSet} rules @param {SeatName} seat
 */
export function nameOf(game, rules, seat) {
  const { name, player } = game.seats[seat];
  return player === "computer" || !name ? playerName(rules, seat) : name;
}

/** `Red large` @param {RuleSet} rules @param {SeatName} seat @param {number} size */
export function pieceName(rules, seat, size) {
  return `${playerName(rules, seat)} ${sizeName(rules, size)}`.trim();
}

/** `Red large, on Blue small` @param {RuleSet} rules @param {string[]} stack  bottom to top */
export function stackName(rules, stack) {
  const names = stack.map((text) => {
    const { seat, size } = readPiece(text);
    return pieceName(rules, seat, size);
  });
  return names.reverse().join(", on ");
}

/** `b2: Red large, on Blue small` @param {RuleSet} rules @param {Board} board @param {string} square */
export function squareName(rules, board, square) {
  const stack = board.stacks[square] ?? [];
  return `${square}: ${stack.length ? stackName(rules, stack) : "empty"}`;
}

/**
 * A move that has been played, in words, from the boards before and after it.
 *
 * @param {RuleSet} rules
 * @param {string} move
 * @param {Board} after
 * @param {Board | null} before
 */
export function moveInWords(rules, move, after, before) {
  const { origin, target } = readMove(move);
  const stack = after.stacks[target] ?? [];
  const top = stack.at(-1);
  const piece = top ? readPiece(top) : { seat: mover(after), size: 1 };
  const name = pieceName(rules, piece.seat, piece.size);
  let text = origin ? `${name} from ${origin} to ${target}` : `${name} to ${target}`;
  const covered = before?.stacks[target]?.at(-1);
  if (covered) text += `, over ${stackName(rules, [covered])}`;
  const shown = origin ? after.stacks[origin]?.at(-1) : undefined;
  if (shown) text += `, uncovering ${stackName(rules, [shown])} on ${origin}`;
  return `${text}.`;
}

/**
 * A move as people write it: where all pieces are alike, only the square.
 *
 * @param {Pick<RuleSet, "stock">} rules @param {string} move
 */
export function moveText({ stock }, move) {
  return stock.length === 1 && readMove(move).origin === null ? readMove(move).target : move;
}

/**
 * Why a move with the mouse or a finger is refused: without the move itself, and with pieces called what they are
 * called on the board. Whoever types `2b2` knows what a size 2 is.
 *
 * @param {RuleSet} rules @param {string} text
 */
export function whyRefused(rules, text) {
  return text
    .replace(/^(Move \d+: )?\w{3,4}: /, "")
    .replace(/\ba size (\d)\b/g, (_, size) => `a ${sizeName(rules, Number(size))} piece`);
}

/** A list as people write it. @param {string[]} items @param {string} [word] */
export function listing(items, word = "and") {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * A score as players write it: two decimals and a sign.
 *
 * @param {number} score
 */
export function scoreText(score) {
  const text = (Math.abs(score) / 100).toFixed(2);
  return score > 0 ? `+${text}` : score < 0 ? `−${text}` : text;
}

/**
 * A short value for a list: `wins in 9`, `draw`, `+0.35`, or nothing if nothing is known.
 *
 * @param {Pick<Judgement, "value" | "distance" | "score">} judgement
 */
export function shortValue({ value, distance, score }) {
  if (value === "draw") return "draw";
  if (value) {
    const verb = value === "win" ? "wins" : "loses";
    return distance === null ? verb : `${verb} in ${distance}`;
  }
  return score === null ? "" : scoreText(score);
}

/**
 * The first player's chance of winning, from 0 to 1.
 *
 * @param {Pick<Study, "chance">} judgement  for the player to move
 * @param {SeatName} turn
 */
export function share({ chance }, turn) {
  const own = chance ?? 0.5;
  return turn === "first" ? own : 1 - own;
}

/** The name of a computer level for people: `Casual (3)`, `Perfect`. @param {string} level @param {RuleSet} rules */
export function levelName(level, { strengths }) {
  // Games that were kept by an earlier version, and levels by older names, have no words.
  const title = strengths?.find((each) => each.level === level)?.title;
  if (/^\d+$/.test(level)) return title ? `${title}\u00a0(${level})` : `Level ${level}`;
  return title ?? level[0]?.toUpperCase() + level.slice(1);
}
