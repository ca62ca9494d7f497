/**
 * What needs an answer or announces the end: the invitation, offers, requests, rematch.
 *
 * @import { SeatName } from "../server/types.js"
 * @import { Deed } from "./session.js"
 * @import { GameView } from "./view.js"
 */

import { inviteTo, messageOf } from "../server/api.js";
import { notice } from "../shared/announce.js";
import { copy } from "../shared/clipboard.js";
import { keyed, make } from "../shared/dom.js";
import { isFull } from "../shared/games.js";
import { isLocal } from "../shared/hosts.js";
import { navigate } from "../shared/navigate.js";
import { other } from "../shared/notation.js";
import { invitationOf, isNew, keepInvitation, keepOwnName, ownName, tokensOf } from "../shared/settings.js";
import { canShare, shareWithOthers } from "../shared/sharing.js";
import { counted, listing, nameOf, playerName } from "../shared/words.js";
import { linkTo } from "../site/site.js";
import { levelOffer } from "./level_offer.js";

/** @typedef {{key: string, text: string, make?: () => Node[]}} Item */

export class GameNews {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    this.element = make("div", { class: "news" });
    /** Whether one has told one's name here, or does not want to. */
    this.isNamed = false;
    /** Whether the other side has moved instead of answering a draw offer. */
    this.passedOver = false;
  }

  update() {
    keyed(
      this.element,
      this.items(),
      (item) => `${item.key} ${item.text}`,
      (item) =>
        make("div", { class: `item ${item.key}` }, item.text ? make("p", {}, item.text) : "", item.make?.() ?? []),
    );
  }

  /** What somebody waits for comes first. @returns {Item[]} */
  items() {
    return [
      ...[
        this.lookingBack(),
        this.waiting(),
        this.hint(),
        this.invitation(),
        this.drawOffer(),
        this.undoRequest(),
        this.declined(),
      ],
      ...[...this.ending(), levelOffer(this.view), this.naming(), this.lessons()],
    ].filter((item) => item !== null);
  }

  /** @param {string} label @param {Deed} action @param {string} [kind] */
  button(label, action, kind = "") {
    return make("button", { type: "button", class: kind, onclick: () => void this.view.act(action) }, label);
  }

  /** @returns {Item | null} */
  lookingBack() {
    const { view } = this;
    const { game, session } = view;
    if (view.isLive) return null;
    const canBranch = session.playing.length > 0 && !game.between_people && !game.hidden && !view.isFinal;
    const end = () => view.jump(session.played.length);
    return {
      key: "back",
      text: "",
      make: () => [
        this.row(
          canBranch
            ? make("button", { type: "button", onclick: () => void this.playFromHere() }, "Play from here")
            : null,
          make("button", { type: "button", onclick: end }, "To the end"),
        ),
      ],
    };
  }

  /** Play on from the position on the board, taking back what came after it. */
  async playFromHere() {
    const { view } = this;
    if (await view.act({ action: "undo", ply: view.ply, seat: view.seat })) {
      view.cursor = null;
      view.update(null);
    }
  }

  /** The computer could not play here; the remark says why. @returns {Item | null} */
  waiting() {
    const { game, isLive, session } = this.view;
    if (!isLive || !isLocal(game.id) || !game.thinking?.remark) return null;
    const again = () => session.host.watchAgain(game.id);
    const button = () => make("button", { type: "button", class: "primary", onclick: again }, "Try again");
    return { key: "waiting", text: "", make: () => [this.row(button())] };
  }

  /** @returns {Item | null} */
  hint() {
    const { text } = this.view.hints;
    return text && this.view.isLive ? { key: "hint", text } : null;
  }

  /** @returns {Item | null} */
  invitation() {
    const { game, session } = this.view;
    const empty = /** @type {SeatName[]} */ (["first", "second"]).find((seat) => !game.seats[seat].taken);
    if (!empty || !session.you.length) return null;
    const secret = invitationOf(game.id);
    if (!secret) {
      const again = () => void this.inviteAgain(empty);
      return {
        key: "invitation",
        text: "This game waits for a second player.",
        make: () => [make("button", { type: "button", class: "primary", onclick: again }, "Make an invitation link")],
      };
    }
    const link = linkTo(`/game/${game.id}#join=${encodeURIComponent(secret)}`);
    return {
      key: "invitation",
      text: "Send this link to your friend. The game starts when it is opened.",
      make: () => {
        const field = make("input", {
          type: "text",
          readonly: true,
          value: link,
          "aria-label": "Invitation link",
          onfocus: () => field.select(),
        });
        return [
          make(
            "div",
            { class: "copy" },
            field,
            make(
              "button",
              { type: "button", class: "primary", onclick: () => void copy(link, "The link is copied.") },
              "Copy",
            ),
          ),
          ...(canShare()
            ? [
                make(
                  "button",
                  { type: "button", onclick: () => void shareWithOthers("A game for two", link) },
                  "Send it…",
                ),
              ]
            : []),
        ];
      },
    };
  }

  /** For an invited friend who has never played here. @returns {Item | null} */
  lessons() {
    const { game, session } = this.view;
    if (!game.between_people || game.outcome || !session.playing.length || !isNew()) return null;
    const link = make("a", { class: "button", href: `/learn?game=${game.id}` }, "Learn it in three minutes");
    return { key: "lessons", text: "New to this game?", make: () => [link] };
  }

  /** @param {SeatName} seat */
  async inviteAgain(seat) {
    const { game } = this.view;
    try {
      const { invitations } = await inviteTo(game.id, seat, tokensOf(game.id)[0] ?? "");
      keepInvitation(game.id, invitations[seat] ?? null);
      this.update();
    } catch (error) {
      notice(messageOf(error));
    }
  }

  /** @returns {Item | null} */
  drawOffer() {
    const { game, rules } = this.view;
    const offer = game.draw_offer;
    if (!offer || game.outcome) return null;
    const seat = this.view.answering(offer);
    const isMine = !seat && this.view.session.playing.includes(offer);
    return {
      key: "draw",
      text: isMine
        ? `You offered a draw. ${nameOf(game, rules, other(offer))} has not answered yet.`
        : `${nameOf(game, rules, offer)} offers a draw.`,
      make: () =>
        seat
          ? [
              this.row(
                this.button("Accept", { action: "accept-draw", seat }, "primary"),
                this.button("Decline", { action: "decline-draw", seat }),
              ),
            ]
          : [],
    };
  }

  /** @returns {Item | null} */
  undoRequest() {
    const { game, rules } = this.view;
    const request = game.undo_request;
    if (!request || game.outcome) return null;
    const seat = this.view.answering(request.seat);
    const isMine = !seat && this.view.session.playing.includes(request.seat);
    const count = counted(game.ply - request.ply, "move");
    return {
      key: "undo",
      text: isMine
        ? `You asked to take back ${count}. ${nameOf(game, rules, other(request.seat))} has not answered yet.`
        : `${nameOf(game, rules, request.seat)} asks to take back ${count}.`,
      make: () =>
        seat
          ? [
              this.row(
                this.button("Allow", { action: "accept-undo", seat }, "primary"),
                this.button("Decline", { action: "decline-undo", seat }),
              ),
            ]
          : [],
    };
  }

  /** What was declined, for whoever asked; until something else happens. @returns {Item | null} */
  declined() {
    const { game, rules, session } = this.view;
    const { event } = game;
    if (!event || game.outcome || session.playing.length !== 1 || session.playing[0] === event.seat) return null;
    const name = nameOf(game, rules, event.seat);
    if (event.action === "decline-draw") return { key: "declined", text: `${name} declined the draw.` };
    if (event.action === "decline-undo") return { key: "declined", text: `${name} did not want to take back.` };
    if (event.action === "move" && this.passedOver) {
      return { key: "declined", text: `${name} played on instead of a draw.` };
    }
    return null;
  }

  /** Ask for the name under which the other side meets one, once. @returns {Item | null} */
  naming() {
    const { game, rules, session } = this.view;
    const [seat] = session.playing;
    const isByLink = game.between_people || !isFull(game);
    if (!seat || game.outcome || !isByLink || session.playing.length > 1) return null;
    if (this.isNamed || ownName() || game.seats[seat].name !== playerName(rules, seat)) return null;
    return { key: "naming", text: "What may we call you?", make: () => [this.nameForm(seat)] };
  }

  /** @param {SeatName} seat */
  nameForm(seat) {
    const field = make("input", {
      type: "text",
      name: "name",
      autocomplete: "nickname",
      maxlength: 40,
      "aria-label": "Your name",
      placeholder: "Name",
    });
    const skip = () => {
      this.isNamed = true;
      this.view.update(null);
    };
    const save = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const player = field.value.trim();
      if (!player) return skip();
      if (await this.view.act({ action: "rename", seat, player })) {
        keepOwnName(player);
        skip();
      }
      return undefined;
    };
    return make(
      "form",
      { class: "naming-form", onsubmit: (/** @type {Event} */ event) => void save(event) },
      field,
      make("button", { type: "submit", class: "primary" }, "Save"),
      make("button", { type: "button", onclick: skip }, "Skip"),
    );
  }

  /** @returns {(Item | null)[]} */
  ending() {
    const { game, rules, session } = this.view;
    if (!game.outcome) return [];
    const wanted = game.rematch_offers.map((seat) => nameOf(game, rules, seat));
    const mine = session.playing.some((seat) => game.rematch_offers.includes(seat));
    const next = game.rematch;
    const waits = mine
      ? "You asked for a rematch."
      : `${listing(wanted)} ${wanted.length > 1 ? "want" : "wants"} a rematch.`;
    const text = wanted.length && !next ? waits : "";
    return [
      {
        key: `ending ${next ?? ""} ${mine}`,
        text,
        make: () => [
          this.row(
            next
              ? make(
                  "button",
                  { type: "button", class: "primary", onclick: () => this.view.follow(next) },
                  "Go to the next game",
                )
              : session.playing.length && !mine
                ? this.button("Rematch", { action: "rematch", seat: session.playing[0] }, "primary")
                : null,
            make("button", { type: "button", onclick: () => navigate("/") }, "New game"),
          ),
        ],
      },
    ];
  }

  /** @param {...(HTMLElement | null)} buttons */
  row(...buttons) {
    return make("div", { class: "pairs" }, buttons);
  }

  /** @param {{action: string, seat: SeatName}} event */
  eventInWords({ action, seat }) {
    const { game, rules } = this.view;
    const name = nameOf(game, rules, seat);
    const words = /** @type {Record<string, string>} */ ({
      "offer-draw": `${name} offers a draw.`,
      "decline-draw": `${name} declines the draw.`,
      "accept-draw": game.text,
      "ask-undo": `${name} asks to take back a move.`,
      "accept-undo": `${name} allows to take back. ${game.text}`,
      "decline-undo": `${name} does not take back.`,
      undo: `Taken back. ${game.text}`,
      redo: `Played again. ${game.text}`,
      resign: game.text,
      touch: `${name} touched the piece on ${game.touched ?? "the board"}.`,
      join: `${game.seats[seat].name} is here. The game begins.`,
      rematch: `${name} wants a rematch.`,
      "hand-over": `The computer plays ${playerName(rules, seat)} now.`,
      "take-over": `A person plays ${playerName(rules, seat)} now.`,
      rename: `${playerName(rules, seat)} is ${name}.`,
    });
    return words[action] ?? game.text;
  }
}
