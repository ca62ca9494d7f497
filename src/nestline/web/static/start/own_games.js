/**
 * Your games: those of this browser and those by link in which it holds a seat. Running ones come
 * first, with a little board and whose turn it is; finished ones can be reviewed; all can be deleted.
 *
 * @import { RuleSet } from "../server/types.js"
 * @import { WatchedGame } from "../server/connection.js"
 */
import { miniature } from "../board/miniature.js";
import { hostOf } from "../local/hosts.js";
import { newest, remove } from "../local/storage.js";
import { connection } from "../server/connection.js";
import { announce } from "../shared/announce.js";
import { confirmed } from "../shared/dialogs.js";
import { icon, keyed, make, say } from "../shared/dom.js";
import { isFull } from "../shared/games.js";
import { isLocal, online } from "../shared/hosts.js";
import { forgetRecord, recordOf } from "../shared/records.js";
import { forgetGame, heldGames, tokensOf } from "../shared/settings.js";
import { counted, levelName, playerName } from "../shared/words.js";
import { hasServer } from "../site/site.js";

const MOST_BY_LINK = 24;
const FINISHED_AT_ONCE = 6;
const BIN = "M5 7H19M10 7V4H14V7M7 7L8 20H16L17 7M10 11V16M14 11V16";

/** @typedef {{id: string, changed: number, game: WatchedGame | null, rules: RuleSet | null}} Entry */

export class OwnGames {
  constructor() {
    /** @type {Map<string, Entry>} */
    this.entries = new Map();
    /** The games of this browser that are over and not shown yet. @type {string[]} */
    this.waiting = [];
    /** What ends the watching of a game by link. @type {Map<string, () => void>} */
    this.leaving = new Map();
    this.isClosed = false;
    this.list = make("ul", { class: "own-games" });
    this.heading = make("h2", { id: "own-games", tabindex: "-1" }, "Your games");
    /** Leads here from the top of the page, and tells how many games wait for a move. */
    this.way = make("a", { href: "#own-games", class: "button", onclick: () => this.heading.focus() });
    this.more = make("button", { type: "button", onclick: () => void this.showMore() }, "Show more");
    this.element = make(
      "section",
      { class: "own", "aria-labelledby": "own-games", hidden: true },
      this.heading,
      this.list,
      this.more,
    );
  }

  /** Show the games, and follow those by link until `close`. */
  async open() {
    const kept = await newest().catch(() => []);
    if (this.isClosed) return;
    this.waiting = kept.filter(({ over }) => over).map(({ id }) => id);
    const running = kept.filter(({ over }) => !over).map(({ id }) => id);
    this.follow();
    await Promise.all([...running, ...this.waiting.splice(0, FINISHED_AT_ONCE)].map((id) => this.add(id)));
    this.show();
  }

  close() {
    this.isClosed = true;
    for (const leave of this.leaving.values()) leave();
  }

  /** The games by link: whose turn it is changes while the page is open. */
  follow() {
    if (!hasServer) return;
    for (const id of heldGames().slice(0, MOST_BY_LINK)) {
      if (isLocal(id)) continue;
      this.leaving.set(
        id,
        connection.watch({
          id,
          tokens: () => tokensOf(id).slice(0, 2),
          receive: (game) => void this.hear(id, game),
          fail: (error) => {
            if (error.code === "not-found") this.lose(id);
          },
        }),
      );
    }
  }

  /** @param {string} id @param {WatchedGame} game */
  async hear(id, game) {
    const before = this.entries.get(id);
    const you = game.you ?? before?.game?.you ?? [];
    const rules = before?.rules ?? (await online.fetchRules(id, game.rules).catch(() => null));
    this.entries.set(id, { id, changed: Date.parse(game.changed), game: { ...game, you }, rules });
    this.show();
  }

  /** The server has deleted a game; its record may be here. @param {string} id */
  lose(id) {
    if (recordOf(id)) this.entries.set(id, { id, changed: 0, game: null, rules: null });
    else {
      forgetGame(id);
      this.entries.delete(id);
    }
    this.show();
  }

  /** @param {string} id */
  async add(id) {
    try {
      const host = await hostOf(id);
      const game = await host.fetchGame(id);
      const rules = await host.fetchRules(id, game.rules);
      this.entries.set(id, { id, changed: Date.parse(game.changed), game, rules });
    } catch {
      // A game that cannot be read any more is not worth a message here.
    }
  }

  async showMore() {
    await Promise.all(this.waiting.splice(0, 2 * FINISHED_AT_ONCE).map((id) => this.add(id)));
    this.show();
  }

  show() {
    const rank = (/** @type {Entry} */ { game }) => (!game || game.outcome ? 2 : isYours(game) ? 0 : 1);
    const entries = [...this.entries.values()].sort((one, two) => rank(one) - rank(two) || two.changed - one.changed);
    this.element.hidden = entries.length === 0;
    this.way.hidden = entries.length === 0;
    const turns = entries.filter(({ game }) => game && !game.outcome && isYours(game)).length;
    say(this.way, turns ? `Your turn in ${counted(turns, "game")}` : "Your games");
    this.more.hidden = this.waiting.length === 0;
    keyed(
      this.list,
      entries,
      ({ id, game }) => `${id} ${game?.number} ${game ? isFull(game) : ""}`,
      (entry) => this.card(entry),
    );
  }

  /** @param {Entry} entry */
  card({ id, game, rules, changed }) {
    const isOver = !game || game.outcome !== null;
    const title = game && rules ? titleOf(game, rules) : "A game you played";
    const state = game && rules ? stateOf(game, rules) : "Its record is kept in this browser";
    const lines = game?.outcome?.lines ?? [];
    return make(
      "li",
      { class: "own-game" },
      game && rules ? miniature(rules, game.board.stacks, { line: lines[0] }) : "",
      make(
        "div",
        { class: "own-words" },
        make("a", { class: "own-title", href: `/game/${id}` }, title),
        make("p", { class: game && !isOver && isYours(game) ? "own-state yours" : "own-state" }, state),
        game ? make("p", { class: "remark" }, `${counted(game.ply, "move")} · ${when(changed)}`) : "",
        game && isOver && game.ply ? make("a", { class: "own-review", href: `/game/${id}#review` }, "Review") : "",
      ),
      make(
        "button",
        { type: "button", class: "plain", "aria-label": `Delete: ${title}`, onclick: () => void this.delete(id) },
        icon(BIN),
      ),
    );
  }

  /** @param {string} id */
  async delete(id) {
    const text = isLocal(id)
      ? "It is gone from this browser for good."
      : "This browser gives up its seat and forgets the game. The other player can still open it.";
    if (!(await confirmed("Delete this game?", text, "Delete"))) return;
    if (isLocal(id)) await remove(id);
    this.leaving.get(id)?.();
    this.leaving.delete(id);
    forgetGame(id);
    forgetRecord(id);
    this.entries.delete(id);
    if (this.waiting.length) await this.add(/** @type {string} */ (this.waiting.shift()));
    this.show();
    announce("The game is deleted.");
    // With the last game the whole list is gone.
    (this.entries.size ? this.heading : this.element.closest("main"))?.focus({ preventScroll: true });
  }
}

/** The seats that a person here plays. @param {WatchedGame} game */
function ownSeats(game) {
  return (game.you ?? []).filter((seat) => game.seats[seat].player === "person");
}

/** Whether a person here is to move. @param {WatchedGame} game */
function isYours(game) {
  return isFull(game) && ownSeats(game).includes(game.turn);
}

/** `Gobblet against Casual (3)` @param {WatchedGame} game @param {RuleSet} rules */
function titleOf(game, rules) {
  const seats = /** @type {const} */ (["first", "second"]);
  const own = ownSeats(game);
  const others = seats.filter((seat) => !own.includes(seat));
  if (others.length === 0) return `${rules.title} on this screen`;
  const names = others.map((seat) => {
    const { level, name, taken } = game.seats[seat];
    if (level) return levelName(level, rules);
    return taken && name !== playerName(rules, seat) ? name : "a friend";
  });
  return others.length === 2 ? `${rules.title}: ${names.join(" and ")}` : `${rules.title} against ${names[0]}`;
}

/** @param {WatchedGame} game @param {RuleSet} rules */
function stateOf(game, rules) {
  const { outcome, turn } = game;
  const own = ownSeats(game);
  if (outcome) {
    if (outcome.winner === null) return "Draw";
    if (own.length === 1) return outcome.winner === own[0] ? "You won" : "You lost";
    return `${playerName(rules, outcome.winner)} won`;
  }
  if (!isFull(game)) return "Waiting for your friend";
  if (own.length === 1 && own[0] === turn) return "Your turn";
  return game.seats[turn].level ? "The computer’s turn" : `${playerName(rules, turn)} to move`;
}

/** @param {number} time */
function when(time) {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? `today, ${date.toLocaleTimeString([], { timeStyle: "short" })}`
    : date.toLocaleDateString([], { dateStyle: "medium" });
}
