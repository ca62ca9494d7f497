/**
 * A game that needs no server: it takes the actions that the server takes, sends the message that
 * the server sends, and refuses in the same words. Nothing here knows a screen or a storage.
 *
 * A game is its setup and the list of what was done; replaying that always gives the same game.
 *
 * @import { Action, Game as GameMessage, NewGame, Peek, SeatName, Visibility } from "../server/types.js"
 * @import { Deed } from "./actions.js"
 * @import { Player } from "./game.js"
 * @import { Recorded } from "./record_reader.js"
 * @import { Referee } from "./referee.js"
 */
import { Refusal } from "../server/api.js";
import { other } from "../shared/notation.js";
import { apply, settle } from "./actions.js";
import { Game, refused } from "./game.js";
import { writeRecord } from "./record.js";
import { readRecord, recordedGame } from "./record_reader.js";
import { SEATS } from "./referee.js";
import * as say from "./sentences.js";
import { isPrintable, tidy } from "./texts.js";

const LONGEST_NAME = 40;

/**
 * How a game begins: with a record, or with choices. A player's name is null where the rules name him.
 *
 * @typedef {{name: string | null, level: string | null}[]} SetupSeats
 * @typedef {{seats: SetupSeats, record: string}} RecordedSetup
 * @typedef {{seats: SetupSeats, position: string, visibility: Visibility, touch_move: boolean | null,
 *   ply_limit: number | null}} ChosenSetup
 * @typedef {RecordedSetup | ChosenSetup} Setup
 * @typedef {{deed: Deed, at: number}} Done  what was done, and when, in milliseconds
 * @typedef {{id: string, rules: string, setup: Setup, created: number, done: Done[]}} StoredGame
 */

/**
 * The setup of a new game; refused where the choices contradict each other.
 *
 * @param {Referee} referee
 * @param {NewGame} wanted  for seats here and for the computer
 * @returns {Setup}
 */
export function setUp(referee, wanted) {
  const recorded = wanted.record ? readRecord(wanted.record, referee) : null;
  const choices = SEATS.map((seat) => wanted.seats?.[seat] ?? {});
  for (const [index, { player = "here", level = null }] of choices.entries()) {
    const seat = SEATS[index] ?? "first";
    if ((player === "computer") !== (level !== null)) {
      throw new Refusal("invalid", level === null ? say.needsLevel(seat) : say.hasNoLevel(seat));
    }
    if (level !== null) requireLevel(referee, level);
  }
  const names = [recordedName(referee, recorded, "First"), recordedName(referee, recorded, "Second")];
  const seats = choices.map(({ name, level = null }, index) => ({ name: name ?? names[index] ?? null, level }));
  const setup = { seats, ...(wanted.record ? recordAlone(wanted) : choicesOf(referee, wanted)) };
  new LocalGame(referee, { id: "", rules: referee.rules.name, setup, created: 0, done: [] });
  return setup;
}

/** @param {Referee} referee @param {NewGame} wanted */
function choicesOf({ rules }, wanted) {
  return {
    position: wanted.position ?? "start",
    visibility: wanted.visibility ?? /** @type {Visibility} */ (rules.visibility),
    touch_move: wanted.touch_move ?? null,
    ply_limit: wanted.ply_limit ?? null,
  };
}

/** A record says everything but who plays. @param {NewGame} wanted */
function recordAlone({ rules, visibility, touch_move, ply_limit, position, record }) {
  const others = Object.entries({ rules, visibility, touch_move, ply_limit, position });
  const beside = others.find(([, value]) => value !== undefined && value !== null);
  if (beside) throw new Refusal("invalid", say.saidByRecord(beside[0]));
  return { record: record ?? "" };
}

/**
 * The player's name in the record, unless it is only a default one.
 *
 * @param {Referee} referee @param {Recorded | null} recorded @param {string} tag
 */
function recordedName({ rules }, recorded, tag) {
  const name = Array.from(tidy(recorded?.tags.get(tag) ?? ""))
    .slice(0, LONGEST_NAME)
    .join("");
  return [...rules.players, "Computer", "Person", ""].includes(name) || !isPrintable(name) ? null : name;
}

/** @param {Referee} referee @param {string} level */
function requireLevel({ rules }, level) {
  if (![...say.LEVELS, ...say.LEVEL_ALIASES].includes(level)) {
    const offered = [...rules.levels, ...say.LEVEL_ALIASES].join(", ");
    throw new Refusal("invalid", say.levelProblem(say.noLevel(level, "", offered)));
  }
  if (level === "perfect" && !rules.levels.includes(level)) throw new Refusal("invalid", say.notSolved(rules.name));
}

/** The game before anything was done. @param {Referee} referee @param {Setup} setup */
function gameOf(referee, setup) {
  if ("record" in setup) return recordedGame(referee, readRecord(setup.record, referee));
  return new Game(referee, {
    start: referee.read(setup.position),
    visibility: setup.visibility,
    touchMove: setup.touch_move,
    plyLimit: setup.ply_limit,
  });
}

/** The state after some deeds; it never changes, and every deed makes a new one. */
export class LocalGame {
  /** @param {Referee} referee @param {StoredGame} stored */
  constructor(referee, { id, setup, created, done }) {
    this.referee = referee;
    this.id = id;
    this.created = created;
    this.changed = created;
    this.number = 0;
    this.setup = setup;
    this.game = gameOf(referee, setup);
    this.plyLimit = this.game.plyLimit;
    const [first, second] = setup.seats;
    this.levels = { first: first?.level ?? null, second: second?.level ?? null };
    this.names = { first: first?.name ?? null, second: second?.name ?? null };
    /** The id of the next game. @type {string | null} */
    this.rematch = null;
    /** @type {Deed | null} */
    this.last = null;
    this.seatPlayers();
    for (const each of done) this.add(each);
  }

  /** The game after one more deed; refused if it is impossible. @param {Deed} deed @param {number} at */
  after(deed, at) {
    /** @type {LocalGame} */
    const next = Object.assign(Object.create(LocalGame.prototype), this);
    next.game = this.game.copy();
    next.add({ deed, at });
    return next;
  }

  /** @param {Done} done */
  add({ deed, at }) {
    apply(this, deed);
    this.number += 1;
    this.changed = at;
    this.last = deed;
  }

  /**
   * The deed that somebody here asks for.
   *
   * @param {Action} asked
   * @param {string} nextId  the id of the next game, if this begins one
   * @returns {Deed}
   */
  settle(asked, nextId) {
    if (asked.action === "hand-over") requireLevel(this.referee, asked.level);
    this.requireNumber(asked.number);
    return settle(this, asked.seat ?? this.game.turn, asked, nextId);
  }

  /** @param {number} asked */
  requireNumber(asked) {
    if (asked !== this.number) throw new Refusal("stale", say.stale(this.number, asked));
  }

  /**
   * What lies under a piece, for a player who may lift it.
   *
   * @param {string} square
   * @param {SeatName} [seat]
   * @returns {Peek}
   */
  peek(square, seat = this.game.turn) {
    if (this.isComputer(seat)) throw refused(say.computerPlays(this.referee.name(seat)));
    return { square, stack: this.game.peek(seat, square), number: this.number };
  }

  /** @param {SeatName} seat */
  isComputer(seat) {
    return this.levels[seat] !== null;
  }

  /** The sides that are not played by the computer. */
  get people() {
    return SEATS.filter((seat) => !this.isComputer(seat));
  }

  /** Whether it is over for good: the rules allow only a new game. */
  get isClosed() {
    return this.game.end !== null && !this.referee.rules.take_back_after_end;
  }

  /** Whether covered pieces are secret now. */
  get isHidden() {
    return this.game.visibility !== "open" && this.game.end === null;
  }

  /** The side for which the computer has to do something now: move, or answer an offer. */
  get computerSeat() {
    const { end, offer, turn } = this.game;
    if (end) return null;
    if (offer && this.isComputer(other(offer))) return other(offer);
    return this.isComputer(turn) ? turn : null;
  }

  /** @param {SeatName} seat @param {string | null} level */
  setLevel(seat, level) {
    this.levels = { ...this.levels, [seat]: level };
    this.seatPlayers();
  }

  /** @param {SeatName} seat @param {string} name */
  setName(seat, name) {
    this.names = { ...this.names, [seat]: name };
    this.seatPlayers();
  }

  seatPlayers() {
    const player = (/** @type {SeatName} */ seat) => {
      const level = this.levels[seat];
      const name = level === null ? this.names[seat] || this.referee.name(seat) : "Computer";
      return /** @type {Player} */ ({ name, level });
    };
    this.game.seat({ first: player("first"), second: player("second") });
    if (this.people.length > 0) this.game.plyLimit = this.plyLimit;
    else this.game.plyLimit ??= this.game.ply + say.PLIES_WITHOUT_PEOPLE;
  }

  /** The next game: the same in everything but who begins. @returns {Setup} */
  nextSetup() {
    const { game, people, plyLimit, referee } = this;
    const isGiven = referee.rules.person_begins && people.length === 1;
    const begins = isGiven ? (people[0] ?? "first") : "second";
    return {
      seats: [begins, other(begins)].map((seat) => ({ name: this.names[seat], level: this.levels[seat] })),
      position: referee.board(game.start).text,
      visibility: game.visibility,
      touch_move: referee.rules.touch_move ? game.touchMove : null,
      ply_limit: plyLimit,
    };
  }

  /** The game as a record. */
  record() {
    if (this.isHidden) throw refused(say.recordIsSecret());
    return writeRecord(this.game, this.day);
  }

  /** When it began, as records write it. */
  get day() {
    return new Date(this.created).toISOString().slice(0, 10);
  }

  /** The whole game as the server would send it. @returns {GameMessage} */
  message() {
    const { game, last, levels, referee } = this;
    const isHidden = this.isHidden;
    const board = isHidden ? referee.hiddenBoard.bind(referee) : referee.board.bind(referee);
    const legal = game.legalMoves();
    const { end, position } = game;
    const seat = (/** @type {SeatName} */ each) => ({
      player: /** @type {"person" | "computer"} */ (this.isComputer(each) ? "computer" : "person"),
      name: game.players[each].name,
      level: levels[each],
      taken: true,
    });
    const thinking = this.computerSeat;
    return {
      id: this.id,
      number: this.number,
      created: written(this.created),
      changed: written(this.changed),
      rules: referee.rules.name,
      visibility: game.visibility,
      hidden: isHidden,
      touch_move: game.touchMove,
      ply_limit: game.plyLimit,
      seats: { first: seat("first"), second: seat("second") },
      between_people: false,
      start: board(game.start),
      board: board(position),
      ply: game.ply,
      turn: game.turn,
      moves: {
        from: 0,
        list: isHidden ? [] : game.played.map((each) => ({ move: each.move, board: board(each.position) })),
      },
      last_move: game.lastMove,
      legal,
      dangerous: isHidden || end ? [] : referee.law.dangerousMoves(position).filter((move) => legal.includes(move)),
      touched: game.touched,
      draw_offer: game.offer,
      undo_request: null,
      can_undo: game.canUndo,
      can_redo: game.canRedo,
      outcome: end && {
        ...end,
        result: game.result,
        lines: SEATS.flatMap((each) => referee.lines(position, each)),
      },
      text: game.explain(),
      thinking: thinking && { seat: thinking, level: levels[thinking] ?? "", remark: null },
      rematch: this.rematch,
      rematch_offers: this.rematch === null ? [] : [...SEATS],
      event: last && { action: last.action, seat: last.seat },
      expires: null,
      you: [...SEATS],
    };
  }
}

/** @param {number} milliseconds */
function written(milliseconds) {
  return new Date(milliseconds).toISOString().replace("Z", "+00:00");
}
