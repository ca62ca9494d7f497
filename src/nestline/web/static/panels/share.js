/**
 * The dialog for taking a game or a position elsewhere: links, texts, files.
 *
 * @import { WatchedGame } from "../server/connection.js"
 * @import { Board, RuleSet, SeatName } from "../server/types.js"
 * @import { StudiedPosition } from "../shared/addresses.js"
 */

import { inviteFriend } from "../local/creation.js";
import { hostOf } from "../local/hosts.js";
import { messageOf } from "../server/api.js";
import { positionAddress, studyRecord } from "../shared/addresses.js";
import { notice } from "../shared/announce.js";
import { copy } from "../shared/clipboard.js";
import { openDialog } from "../shared/dialogs.js";
import { make } from "../shared/dom.js";
import { isLocal } from "../shared/hosts.js";
import { canShare, shareWithOthers } from "../shared/sharing.js";
import { hasServer, linkTo } from "../site/site.js";

/**
 * @typedef {{rules: RuleSet, board: Board, position: StudiedPosition, game: WatchedGame | null,
 *   flip: boolean, boards?: Board[], friend?: SeatName}} Shared  `boards` are those of the whole game, from its start;
 *   `friend` is the seat that somebody else may take
 */

const PICTURE_SIZE = 720;

/** @param {Shared} shared */
export function openShare(shared) {
  const { rules, board, boards, game, friend, position } = shared;
  const isSecret = Boolean(game?.hidden);
  const isHere = game !== null && isLocal(game.id);
  const gameLink = game && !isHere ? linkTo(`/game/${game.id}`) : null;
  const embedded = positionAddress(rules.name, position.start, position.moves).replace("/study", "/embed");
  const positionLink = linkTo(positionAddress(rules.name, board.text));
  const dialog = openDialog(
    "Share",
    ...(isHere && hasServer && friend && !game.outcome
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
    ...(canShare() && !isSecret
      ? [button("Share…", () => shareWithOthers(rules.title, gameLink ?? positionLink))]
      : []),
    ...(isSecret ? [] : [copied("Show it in another page", frame(gameLink ? `/embed/${game?.id}` : embedded))]),
    make("h3", {}, "Copy and keep"),
    make(
      "div",
      { class: "pairs" },
      isSecret ? null : button("Copy record", async () => copy(await record(shared), "The record is copied.")),
      isSecret
        ? null
        : button("Record file", async () =>
            saveFile(new Blob([await record(shared)], { type: "text/plain" }), "game.txt"),
          ),
      button("SVG picture", async () =>
        saveFile(new Blob([await drawn(shared)], { type: "image/svg+xml" }), "board.svg"),
      ),
      boards && boards.length > 1
        ? button("Animation", async () => {
            const { animation } = await import("./animation.js");
            const moving = animation(rules, boards, PICTURE_SIZE, game?.outcome?.lines[0]);
            saveFile(new Blob([moving], { type: "image/svg+xml" }), "game.svg");
          })
        : null,
      button("PNG picture", async () => saveFile(await bitmap(await drawn(shared)), "board.png")),
    ),
  );
}

/** The text that shows an address in a frame of another page. @param {string} address */
function frame(address) {
  const url = linkTo(address).replaceAll("&", "&amp;");
  return `<iframe src="${url}" width="400" height="640" style="border:0" title="nestline"></iframe>`;
}

/** Until when the server has the game. @param {WatchedGame} game */
function keptUntil({ expires, outcome }) {
  const day = new Date(expires ?? 0).toLocaleDateString("en", { dateStyle: "long" });
  return outcome
    ? `The server keeps this game until ${day}. The browsers of its players keep its record.`
    : `The server keeps this game until ${day}, and longer if it goes on.`;
}

/** @param {string} label @param {string} text */
export function copied(label, text) {
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

/** What everybody may see of the position. @param {Shared} shared */
async function drawn({ game, rules, board, position, flip }) {
  const { picture } = await import("./picture.js");
  const topOf = (/** @type {string} */ square) => board.stacks[square]?.at(-1)?.charAt(0);
  const lines = rules.line_squares.filter((line) =>
    line.every((each) => topOf(each) && topOf(each) === topOf(line[0] ?? "")),
  );
  const isEnd = Boolean(game?.outcome) && position.moves.length === game?.ply;
  const shown = {
    board,
    lines,
    lastMove: position.moves.at(-1) ?? null,
    turn: lines.length || isEnd ? null : board.turn,
    winner: game?.outcome?.winner ?? null,
  };
  return picture(rules, shown, { size: PICTURE_SIZE, flip });
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
export function saveFile(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(address), 10000);
}
