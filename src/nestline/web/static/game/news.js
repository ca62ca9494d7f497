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
import { navigate } from "../shared/navigate.js";
import { invitationOf, keepInvitation, tokensOf } from "../shared/settings.js";
import { counted, listing, playerName } from "../shared/words.js";

/** @typedef {{key: string, text: string, make?: () => Node[]}} Item */

export class GameNews {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    this.element = make("div", { class: "news" });
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

  /** @returns {Item[]} */
  items() {
    return [this.lookingBack(), this.invitation(), this.drawOffer(), this.undoRequest(), ...this.ending()].filter(
      (item) => item !== null,
    );
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
    const link = `${location.origin}/game/${game.id}#join=${encodeURIComponent(secret)}`;
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
        ];
      },
    };
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
    return {
      key: "draw",
      text: `${playerName(rules, offer)} offers a draw.`,
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
    return {
      key: "undo",
      text: `${playerName(rules, request.seat)} asks to take back ${counted(game.ply - request.ply, "move")}.`,
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

  /** @returns {(Item | null)[]} */
  ending() {
    const { game, rules, session } = this.view;
    if (!game.outcome) return [];
    const wanted = game.rematch_offers.map((seat) => playerName(rules, seat));
    const mine = session.playing.some((seat) => game.rematch_offers.includes(seat));
    const next = game.rematch;
    const text = wanted.length && !next ? `${listing(wanted)} ${wanted.length > 1 ? "want" : "wants"} a rematch.` : "";
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
    const name = playerName(rules, seat);
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
      "hand-over": `The computer plays ${name} now.`,
      "take-over": `A person plays ${name} now.`,
    });
    return words[action] ?? game.text;
  }
}
