/**
 * The dialog for taking a game or a position elsewhere: links, texts, files.
 *
 * @import { WatchedGame } from "../server/connection.js"
 * @import { Board, RuleSet, SeatName } from "../server/types.js"
 * @import { StudiedPosition } from "../shared/addresses.js"
 */

import { miniature } from "../board/miniature.js";
import { inviteFriend } from "../local/creation.js";
import { hostOf } from "../local/hosts.js";
import { fetchGamePicture, fetchPicture, messageOf, Refusal } from "../server/api.js";
import { positionAddress, studyRecord } from "../shared/addresses.js";
import { notice } from "../shared/announce.js";
import { copy } from "../shared/clipboard.js";
import { openDialog } from "../shared/dialogs.js";
import { make } from "../shared/dom.js";
import { isLocal } from "../shared/hosts.js";
import { tokensOf } from "../shared/settings.js";

/**
 * @typedef {{rules: RuleSet, board: Board, position: StudiedPosition, game: WatchedGame | null,
 *   flip: boolean, friend?: SeatName}} Shared  `friend` is the seat that somebody else may take
 */

const PICTURE_SIZE = 720;

/** @param {Shared} shared */
export function openShare(shared) {
  const { rules, board, game, friend } = shared;
  const isSecret = Boolean(game?.hidden);
  const isHere = game !== null && isLocal(game.id);
  const gameLink = game && !isHere ? `${location.origin}/game/${game.id}` : null;
  const positionLink = `${location.origin}${positionAddress(rules.name, board.text)}`;
  const dialog = openDialog(
    "Share",
    ...(isHere && friend && !game.outcome
      ? [
          make("p", {}, "This game is in this browser. On the server, a friend can take the other side."),
          button("Invite a friend", async () => {
            await inviteFriend(game.id, friend);
            dialog.close();
          }),
        ]
      : []),
    ...(gameLink ? [copied("Link to watch this game", gameLink)] : []),
    game?.expires ? make("p", {}, keptUntil(game)) : "",
    ...(isSecret
      ? [
          make(
            "p",
            {},
            "Position and record can be shared when the game is over: covered pieces are secret until then.",
          ),
        ]
      : [copied("Link to this position", positionLink), copied("This position as text", board.text)]),
    make("h3", {}, "Copy and keep"),
    make(
      "div",
      { class: "pairs" },
      isSecret ? null : button("Copy record", async () => copy(await record(shared), "The record is copied.")),
      isSecret
        ? null
        : button("Record file", async () => keep(new Blob([await record(shared)], { type: "text/plain" }), "game.txt")),
      button("SVG picture", async () =>
        keep(new Blob([await picture(shared)], { type: "image/svg+xml" }), "board.svg"),
      ),
      button("PNG picture", async () => keep(await bitmap(await picture(shared)), "board.png")),
    ),
  );
}

/** Until when the server has the game. @param {WatchedGame} game */
function keptUntil({ expires, outcome }) {
  const day = new Date(expires ?? 0).toLocaleDateString("en", { dateStyle: "long" });
  return outcome
    ? `The server keeps this game until ${day}. The browsers of its players keep its record.`
    : `The server keeps this game until ${day}, and longer if it goes on.`;
}

/** @param {string} label @param {string} text */
function copied(label, text) {
  const field = make("input", {
    type: "text",
    readonly: true,
    value: text,
    "aria-label": label,
    onfocus: () => field.select(),
  });
  return make(
    "div",
    { class: "field" },
    make("span", { "aria-hidden": "true" }, label),
    make(
      "div",
      { class: "copy" },
      field,
      make(
        "button",
        { type: "button", "aria-label": `Copy: ${label}`, onclick: () => void copy(text, "Copied.") },
        "Copy",
      ),
    ),
  );
}

/** @param {string} label @param {() => Promise<unknown>} action */
function button(label, action) {
  return make(
    "button",
    {
      type: "button",
      onclick: async () => {
        try {
          await action();
        } catch (error) {
          notice(messageOf(error));
        }
      },
    },
    label,
  );
}

/** @param {Shared} shared */
async function record({ game, position, rules }) {
  return game ? (await hostOf(game.id)).record(game.id) : studyRecord(position, rules);
}

/** @param {Shared} shared */
async function picture({ game, rules, board, position, flip }) {
  if (game?.hidden) {
    if (isLocal(game.id)) return drawn(rules, board);
    return fetchGamePicture(game.id, { size: PICTURE_SIZE, flip }, tokensOf(game.id)[0]);
  }
  const options = { position: board.text, size: PICTURE_SIZE, flip, last_move: position.moves.at(-1) };
  try {
    return await fetchPicture(rules.name, options);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "unreachable") throw error;
    return drawn(rules, board);
  }
}

/** The board without reserves, drawn by the browser. @param {RuleSet} rules @param {Board} board */
function drawn(rules, { stacks, text }) {
  const svg = miniature(rules, stacks, { label: text });
  svg.setAttribute("width", String(PICTURE_SIZE));
  svg.setAttribute("height", String(PICTURE_SIZE));
  return new XMLSerializer().serializeToString(svg);
}

/** An SVG picture as PNG, painted by the browser. @param {string} svg @returns {Promise<Blob>} */
async function bitmap(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = make("canvas", { width: image.naturalWidth, height: image.naturalHeight });
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be drawn."))));
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Let the browser save a file. @param {Blob} blob @param {string} name */
function keep(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(address), 10000);
}
