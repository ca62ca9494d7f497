/**
 * The view of a game: opens it, joins it with an invitation, and keeps board, players, text, moves
 * and buttons up to date with the game's host.
 *
 * @import { Board, Game, RuleSet, SeatName } from "../server/types.js"
 * @import { Arrow, Shown, Worth } from "../board/board.js"
 * @import { Presence, WatchedGame } from "../server/connection.js"
 * @import { Deed } from "./session.js"
 */

import { NestBoard } from "../board/board.js";
import { hostOf } from "../local/hosts.js";
import { hasOwnKeys, isShortcut, NestMoves, turnsBoard, walk } from "../panels/moves.js";
import { TypedMove } from "../panels/typed_move.js";
import { messageOf, Refusal } from "../server/api.js";
import { announce, notice } from "../shared/announce.js";
import { make, mark, say } from "../shared/dom.js";
import { navigate } from "../shared/navigate.js";
import { other } from "../shared/notation.js";
import { keepRecord, recordOf } from "../shared/records.js";
import { keepTokens, prefer, preferences, tokensOf } from "../shared/settings.js";
import { sound, soundOf } from "../shared/sounds.js";
import { moveInWords, moveText, nameOf, playerName, whyRefused } from "../shared/words.js";
import { GameButtons } from "./buttons.js";
import { celebrate } from "./celebration.js";
import { aboutGame, headline, remark, verdict } from "./headline.js";
import { Hints } from "./hint.js";
import { join, showKept } from "./joining.js";
import { countGame } from "./level_offer.js";
import { GameNews } from "./news.js";
import { notify } from "./notification.js";
import { PlayerCard } from "./players.js";
import { Session } from "./session.js";
import { ThinkingBar } from "./thinking_bar.js";

const PEEK_TIME = 4000;
/** Between the landing of the last piece and the celebration, in milliseconds. */
const AFTER_LANDING = 120;

/**
 * @param {HTMLElement} content
 * @param {import("../shared/navigate.js").Visit} visit
 */
export async function open(content, { parts, state, address }) {
  const id = parts[0] ?? "";
  const invitation = address.hash.startsWith("#join=") ? decodeURIComponent(address.hash.slice(6)) : null;
  const host = await hostOf(id);
  /** @type {Game} */
  let game;
  try {
    game = invitation ? await join(host, id, invitation) : (state?.game ?? (await host.fetchGame(id)));
  } catch (error) {
    const record = recordOf(id);
    if (!record || !(error instanceof Refusal) || error.code !== "not-found") throw error;
    return showKept(content, record);
  }
  const rules = await host.fetchRules(id, game.rules);
  content.className = "view game";
  const view = new GameView(content, await Session.of(game, host), rules);
  view.open();
  if (address.hash === "#review" && game.outcome) void view.buttons.toggleReview();
  return () => view.close();
}

export class GameView {
  /** @param {HTMLElement} content @param {Session} session @param {RuleSet} rules */
  constructor(content, session, rules) {
    this.content = content;
    this.session = session;
    this.rules = rules;
    /** How many moves are on the board; null is all, and stays all. @type {number | null} */
    this.cursor = null;
    /** Whether the person has turned the board. @type {boolean | null} */
    this.flipped = null;
    this.isSecond = false;
    /** The seats for which that was found out. @type {string | null} */
    this.seated = null;
    /** @type {{square: string, stack: string[]} | null} */
    this.peeked = null;
    this.peekTimer = 0;
    /** @type {string | null} */
    this.preview = null;
    /** What the moves are worth, while that is studied. @type {Record<string, Worth> | null} */
    this.worth = null;
    /** @type {Arrow[]} */
    this.arrows = [];
    /** @type {import("../panels/evaluation.js").EvaluationPanel | null} */
    this.study = null;
    /** @type {import("./review.js").ReviewPanel | null} */
    this.review = null;
    this.board = new NestBoard();
    this.heading = make("h1", { class: "for-listeners" });
    this.status = make("h2", { class: "status", tabindex: "-1" });
    this.remark = make("p", { class: "remark" });
    /** Who was at the board when that was last told. @type {Presence | null} */
    this.met = null;
    this.cards = { first: new PlayerCard(this, "first"), second: new PlayerCard(this, "second") };
    this.hints = new Hints(this);
    this.news = new GameNews(this);
    this.thinkingBar = new ThinkingBar(this);
    this.buttons = new GameButtons(this);
    this.typed = new TypedMove((move) => this.session.act({ action: "move", move }), rules);
    this.moves = new NestMoves();
    this.extra = make("div", { class: "extra" });
  }

  /** Show everything, and follow the game. */
  open() {
    const { content, session } = this;
    content.append(
      this.heading,
      make(
        "section",
        { class: "table", "aria-label": "Board and reserves" },
        this.cards.second.element,
        this.board,
        this.cards.first.element,
      ),
      make(
        "section",
        { class: "panel", "aria-label": "Game" },
        aboutGame(this.rules),
        make("div", { class: "headline" }, this.status, this.remark),
        this.thinkingBar.element,
        this.news.element,
        this.buttons.element,
        this.typed.element,
        this.moves,
        this.extra,
      ),
    );
    this.board.prepare(this.rules, this.shown());
    this.board.addEventListener("nest-move", (event) => this.play(/** @type {CustomEvent} */ (event).detail.move));
    this.board.addEventListener("nest-touch", (event) =>
      this.act({ action: "touch", square: /** @type {CustomEvent} */ (event).detail.square }),
    );
    this.board.addEventListener(
      "nest-peek",
      (event) => void this.peek(/** @type {CustomEvent} */ (event).detail.square),
    );
    this.board.addEventListener(
      "nest-refuse",
      (event) => void this.explain(/** @type {CustomEvent} */ (event).detail.move),
    );
    this.board.addEventListener("nest-held", () => {
      this.buttons.update();
      this.showStatus();
    });
    this.moves.addEventListener("nest-jump", (event) => this.jump(/** @type {CustomEvent} */ (event).detail.ply));
    session.addEventListener("change", (event) => this.update(/** @type {CustomEvent} */ (event).detail.before));
    session.addEventListener("meet", () => this.meet());
    session.addEventListener("fail", (event) => this.fail(/** @type {CustomEvent} */ (event).detail));
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.onPreferences = () => this.update(null);
    document.addEventListener("keydown", this.onKey);
    window.addEventListener("nest-preferences", this.onPreferences);
    this.update(null);
    session.open();
  }

  close() {
    this.session.close();
    this.thinkingBar.close();
    this.study?.close();
    this.review?.close();
    if (this.onKey) document.removeEventListener("keydown", this.onKey);
    if (this.onPreferences) window.removeEventListener("nest-preferences", this.onPreferences);
  }

  get game() {
    return this.session.game;
  }

  /** How many moves are on the board now. */
  get ply() {
    return this.cursor ?? this.session.played.length;
  }

  /** Whether the end is final: the rules may say so, and so do revealed pieces. */
  get isFinal() {
    const { game, rules } = this;
    return game.outcome !== null && (!rules.take_back_after_end || game.visibility !== "open");
  }

  get isLive() {
    return this.cursor === null;
  }

  /** The board is turned for a person who plays only the second side; handing a side over never turns it. */
  get flip() {
    const { playing, you } = this.session;
    if (this.seated !== you.join()) {
      this.seated = you.join();
      this.isSecond = playing.length === 1 && playing[0] === "second";
    }
    return this.flipped ?? this.isSecond;
  }

  /** The board after some moves. @param {number} ply @returns {Board} */
  boardAfter(ply) {
    if (this.isLive && ply === this.session.played.length) return this.game.board;
    return ply === 0 ? this.game.start : (this.session.played[ply - 1]?.board ?? this.game.board);
  }

  /** @returns {Shown} */
  shown() {
    const { game, session } = this;
    const { warn, coordinates } = preferences();
    const isLive = this.isLive;
    const canPlay = isLive && session.isMyTurn;
    return {
      board: this.boardAfter(this.ply),
      legal: canPlay ? game.legal : [],
      dangerous: game.dangerous,
      lastMove: isLive ? game.last_move : (session.played[this.ply - 1]?.move ?? null),
      lines: isLive ? (game.outcome?.lines ?? []) : [],
      winner: isLive ? (game.outcome?.winner ?? null) : null,
      turn: isLive && !game.outcome ? game.turn : null,
      touched: canPlay ? game.touched : null,
      touchMove: game.touch_move,
      peek: game.visibility === "peek" && canPlay,
      warn,
      coordinates,
      flip: this.flip,
      arrows: this.arrows,
      preview: this.preview,
      peeked: isLive ? this.peeked : null,
      worth: this.worth,
      hint: canPlay ? this.hints.shown : null,
    };
  }

  showBoard() {
    // A move just played stays on the board until the host has answered.
    if (this.session.moving === null) this.board.show(this.shown());
  }

  /** @param {WatchedGame | null} before */
  update(before) {
    const { game, rules, session } = this;
    if (this.cursor !== null && this.cursor > session.played.length) this.cursor = null;
    if (before && before.number !== game.number) {
      this.peeked = null;
      this.worth = null;
    }
    this.hints.follow();
    if (before && before.number !== game.number) {
      const wasMine = before.draw_offer && session.playing.includes(before.draw_offer);
      this.news.passedOver = Boolean(wasMine && !game.draw_offer && game.event?.action === "move");
    }
    if (before && !before.outcome && game.outcome) countGame(this);
    this.thinkingBar.update();
    this.showBoard();
    say(this.heading, `${rules.title}: ${game.seats.first.name} against ${game.seats.second.name}`);
    this.showStatus();
    this.keepFocus(() => {
      this.showPlayers();
      this.news.update();
      this.buttons.update();
      mark(this.typed.element, "hidden", preferences().typed && session.isMyTurn && this.isLive ? null : "");
      this.showMoves();
    });
    if (before) this.tell(before);
    if (before) void this.respond(before);
    this.study?.look(this.position());
    this.review?.update();
    if (game.outcome && session.you.length && before?.number !== game.number) void this.keepRecord();
    if (before && !before.rematch && game.rematch && session.playing.length) this.follow(game.rematch);
  }

  /** A player of the other side came, went away, or is gone. */
  meet() {
    const { game, rules, session } = this;
    for (const seat of /** @type {SeatName[]} */ (["first", "second"])) {
      const state = session.presence?.[seat];
      const was = this.met?.[seat];
      const isElsewhere = game.between_people && !session.you.includes(seat);
      if (isElsewhere && was && state !== was) announce(`${nameOf(game, rules, seat)} is ${state}.`);
    }
    this.met = session.presence;
    this.showPlayers();
  }

  /** Keep the player's own record of a finished game: the server deletes it some day. */
  async keepRecord() {
    const { id } = this.game;
    try {
      keepRecord(id, await this.session.host.record(id));
    } catch {
      // There will be another chance when the game is opened again.
    }
  }

  showPlayers() {
    const { first, second } = this.cards;
    const [upper, lower] = this.flip ? [first, second] : [second, first];
    if (this.board.previousElementSibling !== upper.element) {
      this.board.before(upper.element);
      this.board.after(lower.element);
    }
    first.show();
    second.show();
  }

  showStatus() {
    const { game, session } = this;
    const { flight } = this.board;
    if (game.outcome && this.isLive && flight) {
      // The end is told when the last piece has landed.
      void flight.then(() => this.board.isConnected && this.showStatus());
      return;
    }
    const text = headline(this);
    say(this.status, text);
    this.status.classList.toggle("ended", Boolean(game.outcome) && this.isLive);
    say(this.remark, remark(this));
    const isWaitedFor = session.isMyTurn && session.playing.length === 1;
    document.title = `${isWaitedFor ? "● " : ""}${text} · nestline`;
  }

  /** Let what happened be heard, and celebrate a win, when the piece has landed. @param {WatchedGame} before */
  async respond(before) {
    const { game, rules, session } = this;
    if (session.isMyTurn && session.playing.length === 1 && before.turn !== game.turn) {
      notify(
        "It is your turn",
        `${rules.title}: ${moveInWords(rules, game.last_move ?? "", game.board, null)}`,
        game.id,
      );
    }
    await this.board.flight;
    if (!this.board.isConnected) return;
    if (game.event?.action === "move" && game.ply > before.ply && game.last_move) {
      sound(soundOf(game.last_move, before.board, game.board));
    }
    if (!game.outcome || before.outcome || !session.playing.length) return;
    const { winner } = game.outcome;
    const isWon = winner !== null && session.playing.includes(winner);
    sound(winner === null ? "draw" : isWon ? "win" : "lose", AFTER_LANDING);
    const colour = rules.colours[winner === "first" ? 0 : 1];
    if (isWon) window.setTimeout(() => this.board.isConnected && celebrate(this.board, colour), AFTER_LANDING);
  }

  showMoves() {
    const { game, rules, session } = this;
    this.moves.hidden = game.hidden || session.played.length === 0;
    const listed = session.played.map(({ move, board }, index) => ({
      move: moveText(rules, move),
      title: moveInWords(rules, move, board, index ? (session.played[index - 1]?.board ?? null) : game.start),
      mark: this.review?.signOf(index),
    }));
    this.moves.show(listed, this.ply);
  }

  /** Say what happened. @param {WatchedGame} before */
  tell(before) {
    const { game, rules } = this;
    const problem = game.thinking?.remark;
    if (problem && problem !== before.thinking?.remark) announce(problem);
    if (game.number === before.number && game.ply === before.ply) return;
    if (game.event?.action === "move" && game.last_move) {
      announce(moveInWords(rules, game.last_move, game.board, before.board));
      announce(
        this.session.isMyTurn
          ? `Your turn, ${playerName(rules, game.turn)}.`
          : game.outcome
            ? `${verdict(this)} ${game.text}`
            : "",
      );
    } else if (game.event) announce(this.news.eventInWords(game.event));
  }

  /** Do something; a refusal is told. @param {Deed} action */
  async act(action) {
    try {
      await this.session.act(action);
      return true;
    } catch (error) {
      notice(messageOf(error));
      this.update(null);
      return false;
    }
  }

  /** @param {string} move */
  play(move) {
    void this.act({ action: "move", move });
  }

  /** Say why a move is refused, as for a typed one. @param {string | null} move */
  async explain(move) {
    if (!move) return notice("Take one of your own pieces first.");
    try {
      await this.session.act({ action: "move", move });
    } catch (error) {
      notice(whyRefused(this.rules, messageOf(error)));
    }
  }

  /** @param {string} square */
  async peek(square) {
    try {
      const seen = await this.session.host.peek(this.game.id, square);
      this.peeked = { square: seen.square, stack: seen.stack };
      this.board.held = null;
      this.showBoard();
      const button = this.board.squares.get(seen.square);
      announce(`Looking under ${button?.getAttribute("aria-label")}.`);
      // The timer of an earlier look must not end this one.
      window.clearTimeout(this.peekTimer);
      this.peekTimer = window.setTimeout(() => {
        this.peeked = null;
        this.showBoard();
      }, PEEK_TIME);
    } catch (error) {
      notice(messageOf(error));
    }
  }

  /** Look at the position after some moves. @param {number} ply */
  jump(ply) {
    const last = this.session.played.length;
    this.cursor = ply >= last ? null : Math.max(0, ply);
    this.preview = null;
    this.arrows = [];
    this.worth = null;
    this.update(null);
    announce(this.ply ? (this.moves.moves[this.ply - 1]?.title ?? "") : "The start of the game.");
  }

  /** The position on the board, for study. */
  position() {
    const moves = this.session.played.slice(0, this.ply).map((each) => each.move);
    return { rules: this.rules.name, start: this.game.start.text, moves };
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (turnsBoard(event)) this.turnBoard();
    else if (isShortcut(event, "s")) this.toggleSounds();
    else if (hasOwnKeys(event.target) || this.game.hidden) return;
    else if (!["ArrowUp", "ArrowDown"].includes(event.key)) {
      walk(event, this.ply, this.session.played.length, (ply) => this.jump(ply));
    }
  }

  toggleSounds() {
    const isOn = !preferences().sound;
    prefer({ sound: isOn });
    announce(isOn ? "Sounds on." : "Sounds off.");
    sound("place");
  }

  turnBoard() {
    this.flipped = !this.flip;
    this.update(null);
  }

  /** If what had the focus goes away, the words about the game get it. @param {() => void} change */
  keepFocus(change) {
    const focused = document.activeElement;
    const had = focused instanceof HTMLElement && this.content.contains(focused);
    change();
    if (had && (!focused.isConnected || focused.closest("[hidden]"))) this.status.focus({ preventScroll: true });
  }

  /** Go on to the next game. @param {string} id */
  follow(id) {
    const tokens = tokensOf(this.session.id);
    if (tokens.length) keepTokens(id, tokens);
    navigate(`/game/${id}`);
  }

  /** @param {Refusal} error */
  fail(error) {
    notice(error.message);
    // The server has deleted the game: show what is left of it.
    if (error.code === "not-found") navigate(`/game/${this.session.id}`);
  }

  /** The seat that acts here: the player to move, if it is held here. */
  get seat() {
    const { playing } = this.session;
    return playing.includes(this.game.turn) ? this.game.turn : (playing[0] ?? "first");
  }

  /** The seat that has to answer an offer of another seat. @param {SeatName} seat */
  answering(seat) {
    return this.session.playing.includes(other(seat)) ? other(seat) : null;
  }
}
