/**
 * Reads games written as text: `nestline.record` and `nestline.game.tags` in the page, with the same
 * leniency and the same refusals. All moves, including those of variations, are played on a board.
 *
 * @import { Position } from "../engine/law.js"
 * @import { SeatName, Visibility } from "../server/types.js"
 * @import { End, Referee } from "./referee.js"
 */
import { isDesign, Refusal } from "../server/api.js";
import { Game, refused, requireSeats } from "./game.js";
import { SEATS } from "./referee.js";
import * as say from "./sentences.js";
import { quoted, strip } from "./texts.js";

/**
 * A game as written; of the moves, those of the main line.
 *
 * @typedef {{start: Position, moves: string[], result: string, tags: Map<string, string>}} Recorded
 * @typedef {{kind: string, text: string, line: number}} Token
 */

/** What Python takes for blank. */
const S = "[\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const COORDINATES = `\\(${S}*-?[0-9]{1,3}${S}*,${S}*-?[0-9]{1,3}${S}*\\)`;
const TAG = new RegExp(`${S}*\\[${S}*([\\p{L}\\p{N}_]+)${S}*"((?:[^"\\\\\\n]|\\\\[^\\n])*)"${S}*\\]`, "uy");
const ENDS = `(?=${S}|[(){};]|$)`;
const KINDS = {
  comment: "\\{([^}]*)\\}",
  rest: ";([^\\n]*)",
  result: `(1-0|0-1|1/2-1/2|½-½|\\*)${ENDS}`,
  number: `((?:[0-9]+${S}*)?\\.+)`,
  word: `((?:[0-9A-Za-z]${S}*)?${COORDINATES}(?:${S}*(?:->|→|-|x)?${S}*${COORDINATES})?)`,
  open: "(\\()",
  close: "(\\))",
  plain: `((?:(?!${S})[^(){};])+)`,
  bad: `((?!${S}).)`,
};
const NAMES = Object.keys(KINDS);
const TOKEN = new RegExp(`(${S}*)(?:${Object.values(KINDS).join("|")})`, "suy");
const CUSTOM = /^custom-[0-9a-f]{16}$/;
/** How many words people spread a move over. */
const MOST_WORDS = 3;

/** @param {string} message */
function invalid(message) {
  return new Refusal("invalid", message);
}

/** How many lines end in a text. @param {string} text */
function lines(text) {
  return text.split("\n").length - 1;
}

/**
 * A text from some place on matched by a sticky pattern.
 * @param {RegExp} pattern @param {string} text @param {number} place
 */
function matched(pattern, text, place) {
  pattern.lastIndex = place;
  return pattern.exec(text);
}

/** The tags of a record, and where its moves begin. @param {string} text */
function readTags(text) {
  /** @type {Map<string, string>} */
  const tags = new Map();
  let place = 0;
  for (let found = matched(TAG, text, 0); found; found = matched(TAG, text, place)) {
    const [whole, written = "", value = ""] = found;
    const name = say.KNOWN_TAGS.find((tag) => tag.toLowerCase() === written.toLowerCase()) ?? written;
    if (tags.has(name)) throw invalid(say.tagTwice(name));
    tags.set(name, value.replace(/\\(.)/gsu, "$1"));
    place += whole.length;
  }
  const rest = text.slice(place);
  const blank = rest.length - rest.replace(new RegExp(`^${S}+`, "u"), "").length;
  if (text.charAt(place + blank) === "[") {
    throw invalid(say.notATag(1 + lines(text.slice(0, place + blank))));
  }
  return { tags, place };
}

/** The text as it is read. @param {string} text */
function withoutMark(text) {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** The name of the rule set of a record; for custom sets records name a file. @param {string} text */
export function rulesOf(text) {
  const reference = readTags(withoutMark(text)).tags.get("Rules");
  if (reference === undefined) throw invalid(say.noRulesTag());
  if (isDesign(strip(reference))) return strip(reference);
  const name = strip(reference).toLowerCase();
  const plain = name.endsWith(".toml") ? name.slice(0, -".toml".length) : name;
  return CUSTOM.test(plain) ? plain : name;
}

/**
 * Read a record whose rules are those of the referee.
 *
 * @param {string} text
 * @param {Referee} referee
 * @returns {Recorded}
 */
export function readRecord(text, referee) {
  const whole = withoutMark(text);
  const { tags, place } = readTags(whole);
  const start = referee.read(tags.get("Position") ?? "start");
  const tagged = tags.get("Result");
  if (tagged !== undefined && !say.RESULTS.includes(tagged)) {
    throw invalid(say.unknownResult(tagged, say.RESULTS.join(", ")));
  }
  const reader = new Reader(whole, place, referee);
  const moves = reader.readLine(start, 1, 0);
  const written = reader.readEnd();
  if (tagged && written && tagged !== written) throw invalid(say.resultsDiffer(tagged, written));
  for (const name of ["Rules", "Position", "Result"]) tags.delete(name);
  if (moves.length > say.MOST_PLIES) throw invalid(say.tooManyMoves(say.MOST_PLIES.toLocaleString("en")));
  return { start, moves, result: written ?? tagged ?? "*", tags };
}

/** Reads moves from a list of tokens, playing them as it goes. */
class Reader {
  /** @param {string} text @param {number} place @param {Referee} referee */
  constructor(text, place, referee) {
    this.referee = referee;
    /** @type {Token[]} */
    this.tokens = [];
    this.next = 0;
    let line = 1 + lines(text.slice(0, place));
    for (let found = matched(TOKEN, text, place); found; found = matched(TOKEN, text, place)) {
      const [whole, blank = "", ...texts] = found;
      const index = texts.findIndex((each) => each !== undefined);
      const token = { kind: NAMES[index] ?? "", text: texts[index] ?? "", line: line + lines(blank) };
      if (token.kind === "bad") {
        const what = token.text === "{" ? say.commentNeverEnds() : say.commentNeverBegan();
        throw invalid(`line ${token.line}: ${quoted(token.text)}: ${what}`);
      }
      this.tokens.push(token);
      line += lines(whole);
      place += whole.length;
    }
  }

  /** @returns {Token | undefined} */
  get token() {
    return this.tokens[this.next];
  }

  /**
   * Moves from a position to the end of the line, which is left for the caller to read.
   *
   * @param {Position} position
   * @param {number} number
   * @param {number} depth
   */
  readLine(position, number, depth) {
    if (depth > say.MAX_NESTING) throw invalid(say.nestedTooDeep(say.MAX_NESTING));
    this.skipComments();
    /** @type {string[]} */
    const moves = [];
    for (let { token } = this; token && ["number", "word", "plain"].includes(token.kind); token = this.token) {
      if (token.kind === "number") {
        this.next += 1;
        continue;
      }
      const move = this.readMove(token, position, number);
      if (move === null) continue;
      const after = this.played(position, move, number, token);
      this.skipComments();
      for (let opened = this.token; opened?.kind === "open"; opened = this.token) {
        this.next += 1;
        this.readLine(position, number, depth + 1);
        this.expectClose(opened);
        this.skipComments();
      }
      moves.push(move);
      number += position.turn === "second" ? 1 : 0;
      position = after;
    }
    return moves;
  }

  /** The result, after which only comments may follow. */
  readEnd() {
    let result = null;
    if (this.token?.kind === "result") {
      result = this.token.text.replaceAll("½", "1/2");
      this.next += 1;
      this.skipComments();
    }
    const { token } = this;
    if (token) throw invalid(say.misplaced(token.line, token.text, result ? say.nothingMore() : say.moveOrResult()));
    return result;
  }

  skipComments() {
    while (this.token?.kind === "comment" || this.token?.kind === "rest") this.next += 1;
  }

  /** @param {Token} opened */
  expectClose(opened) {
    const { token } = this;
    if (token?.kind !== "close") {
      const found = token ? quoted(token.text) : say.theEnd();
      throw invalid(say.unclosed((token ?? opened).line, opened.line, found));
    }
    this.next += 1;
  }

  /**
   * The next move, from one word or, where people put blanks, from some; null if the word was a move
   * number without its dot.
   *
   * @param {Token} token
   * @param {Position} position
   * @param {number} number
   */
  readMove(token, position, number) {
    if (token.text === String(number) && position.turn === "first") {
      const { move } = this.matchMove(this.next + 1);
      if (move !== null && this.referee.law.isLegal(position, move)) {
        this.next += 1;
        return null;
      }
    }
    const { move, words, problem } = this.matchMove(this.next);
    if (move !== null) {
      this.next += words;
      return move;
    }
    if (/^[0-9]+$/.test(token.text)) {
      this.next += 1;
      return null;
    }
    throw invalid(`line ${token.line}: ${this.place(position, number)}: ${problem}`);
  }

  /** The move that begins with a token, or why there is none. @param {number} place */
  matchMove(place) {
    /** @type {string[]} */
    const written = [];
    let problem = "";
    for (const { kind, text } of this.tokens.slice(place, place + MOST_WORDS)) {
      if (kind !== "word" && kind !== "plain") break;
      written.push(text);
      try {
        return { move: this.referee.readMove(written.join(" ")), words: written.length, problem };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (written.length === 1) problem = error.message;
      }
    }
    return { move: null, words: 0, problem };
  }

  /** @param {Position} position @param {string} move @param {number} number @param {Token} token */
  played(position, move, number, token) {
    try {
      return this.referee.play(position, move);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(error.code, `line ${token.line}: ${this.place(position, number)}: ${error.message}`);
    }
  }

  /** @param {Position} position @param {number} number */
  place({ turn }, number) {
    return say.moveOf(number, this.referee.name(turn));
  }
}

/**
 * The game of a record's main line, with its options, other tags and result.
 *
 * @param {Referee} referee
 * @param {Recorded} recorded
 */
export function recordedGame(referee, { start, moves, result, tags }) {
  const limit = tags.get("PlyLimit");
  if (limit !== undefined && !/^[1-9][0-9]{0,8}$/.test(limit)) throw invalid(say.notALimit(limit));
  const touchMove = readWord(tags, "TouchMove", { yes: null, no: false });
  const offer = readWord(tags, "DrawOffer", { first: SEATS[0], second: SEATS[1] });
  const player = (/** @type {SeatName} */ seat, /** @type {string} */ tag) => ({
    name: tags.get(tag) || referee.name(seat),
    level: tags.get(`${tag}Level`) ?? null,
  });
  const players = { first: player("first", "First"), second: player("second", "Second") };
  requireSeats(referee, players);
  const visibility = tags.get("Visibility") ?? "open";
  if (!say.VISIBILITIES.includes(visibility)) {
    throw refused(say.noVisibility(say.VISIBILITIES.join(", "), visibility));
  }
  const game = new Game(referee, {
    start,
    visibility: /** @type {Visibility} */ (visibility),
    touchMove: touchMove ?? null,
    plyLimit: limit === undefined ? null : Number(limit),
  });
  game.players = players; // A computer's move may be taken back whole, though its piece was touched.
  game.tags = new Map([...tags].filter(([tag]) => !say.OWN_TAGS.includes(tag)));
  for (const move of moves) game.play(move, game.turn);
  const touched = tags.get("Touched");
  if (touched && !game.end) game.touch(touched, game.turn);
  const end = endOf(game, result, tags);
  if (end) game.finish(end);
  if (offer && !game.end) game.offerDraw(offer);
  return game;
}

/**
 * @template Meaning
 * @param {Map<string, string>} tags
 * @param {string} tag
 * @param {Record<string, Meaning>} meanings
 */
function readWord(tags, tag, meanings) {
  const text = tags.get(tag);
  if (text === undefined) return null;
  const word = text.toLowerCase();
  if (!Object.hasOwn(meanings, word)) throw invalid(say.unknownWord(tag, text, Object.keys(meanings).join(", ")));
  return meanings[word];
}

/**
 * What a record adds to how its moves ended; null if it adds nothing. Refused where the two contradict
 * each other.
 *
 * @param {Game} game
 * @param {string} result
 * @param {Map<string, string>} tags
 * @returns {End | null}
 */
function endOf(game, result, tags) {
  const told = tags.get("Termination");
  if (told !== undefined && !say.REASONS.includes(told)) {
    throw invalid(say.unknownReason(told, say.REASONS.join(", ")));
  }
  if (result === "*") return null;
  if (game.end) {
    if (result !== game.result) throw invalid(say.resultContradicts(result, game.result));
    const { reason } = game.end;
    if (told !== undefined && told !== reason) throw invalid(say.reasonContradicts(told, reason));
    return null;
  }
  const winner = { "1-0": SEATS[0], "0-1": SEATS[1] }[result] ?? null;
  const allowed = winner
    ? ["resignation", ...(game.touchMove ? ["touch"] : [])]
    : [...(game.referee.rules.draw_agreement ? ["agreement"] : []), "unfinished"];
  const reason = told || allowed[0] || "";
  if (!allowed.includes(reason)) throw invalid(say.gameGoesOn(result, reason, allowed.join(" and ")));
  return { winner, reason };
}
