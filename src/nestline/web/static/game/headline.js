/**
 * What is said above a game: whose turn it is, or how it ended, and a remark below.
 *
 * @import { RuleSet } from "../server/types.js"
 * @import { GameView } from "./view.js"
 */
import { make } from "../shared/dom.js";
import { isFull } from "../shared/games.js";
import { preferences } from "../shared/settings.js";
import { moveInWords, playerName } from "../shared/words.js";

/** What is played, and what it is about, in a line. @param {RuleSet} rules */
export function aboutGame({ name, title, line, custom }) {
  const count = ["", "one", "two", "three", "four"][line] ?? String(line);
  const rules = custom ? "/rules" : `/rules/${name}`;
  return make(
    "p",
    { class: "about-game" },
    make("span", {}, make("b", {}, title), " ", make("span", {}, `Get ${count} in a row.`)),
    make("a", { href: rules }, "Rules"),
  );
}

/** The end in a word or two: what it means to the person here. @param {GameView} view */
export function verdict({ game, rules, session }) {
  const { playing } = session;
  if (!game.outcome) return null;
  const { winner } = game.outcome;
  if (winner === null) return "A draw";
  if (playing.length !== 1) return `${playerName(rules, winner)} wins!`;
  return winner === playing[0] ? "You win!" : "You lose";
}

/** @param {GameView} view */
export function headline(view) {
  const { game, ply, session } = view;
  if (!view.isLive) return ply === 0 ? "The start of the game" : `After ${ply} of ${session.played.length} moves`;
  if (!isFull(game)) return "Waiting for your friend";
  if (game.outcome) return verdict(view) ?? game.text;
  if (session.playing.length !== 1) return game.text;
  if (session.isMyTurn) return "Your turn";
  // The remark says what the computer is waiting for.
  return game.thinking?.remark ? "Waiting for the computer…" : `${game.seats[game.turn].name} is thinking…`;
}

/** @param {GameView} view */
export function remark(view) {
  const { game } = view;
  if (!view.isLive) return lastMoveInWords(view);
  return game.thinking?.remark ?? (game.outcome ? game.text : null) ?? warning(view) ?? lastMoveInWords(view);
}

/** The last move; before the first one, how to play. @param {GameView} view */
function lastMoveInWords({ game, isLive, ply, rules, session }) {
  const played = session.played[ply - 1];
  if (played) return moveInWords(rules, played.move, played.board, session.played[ply - 2]?.board ?? game.start);
  return session.isMyTurn && isLive ? "Drag a piece to a square, or press one and then the other." : "";
}

/** @param {GameView} view */
function warning({ board, game }) {
  if (game.touched) return `The piece on ${game.touched} has been touched and must be played.`;
  const { held } = board;
  if (held && preferences().warn && game.dangerous.some((move) => move.startsWith(held))) {
    return "A triangle marks a move that reveals a line and loses.";
  }
  return game.hidden ? "Covered pieces are secret until the end." : null;
}
