/**
 * Offers an easier level after three losses in a row against the computer, and a harder one after
 * three wins.
 *
 * @import { Item } from "./news.js"
 * @import { GameView } from "./view.js"
 */
import { seated, startGame } from "../local/creation.js";
import { gameOf, messageOf } from "../server/api.js";
import { notice } from "../shared/announce.js";
import { make } from "../shared/dom.js";
import { other } from "../shared/notation.js";
import { countResult, lastChoice, rememberChoice, seriesOf } from "../shared/settings.js";
import { levelName } from "../shared/words.js";

const IN_A_ROW = 3;

/** The level that a single person here plays against. @param {GameView} view */
function opponentOf({ game, session }) {
  const [seat, second] = session.playing;
  return seat && !second ? game.seats[other(seat)].level : null;
}

/** Count a game that has just ended. @param {GameView} view */
export function countGame(view) {
  const { game, session } = view;
  const level = opponentOf(view);
  if (!level || !game.outcome) return;
  const { winner } = game.outcome;
  countResult(game.rules, level, game.id, winner === null ? 0 : winner === session.playing[0] ? 1 : -1);
}

/** @param {GameView} view @returns {Item | null} */
export function levelOffer(view) {
  const { game, rules } = view;
  const level = opponentOf(view);
  const series = seriesOf(game.rules);
  if (!level || !game.outcome || series?.level !== level || series.game !== game.id) return null;
  if (Math.abs(series.count) < IN_A_ROW) return null;
  const isWinning = series.count > 0;
  const next = rules.levels[rules.levels.indexOf(level) + (isWinning ? 1 : -1)];
  if (!rules.levels.includes(level) || !next) return null;
  const name = levelName(next, rules);
  const count = Math.abs(series.count);
  const many = count === IN_A_ROW ? "Three" : String(count);
  return {
    key: "level",
    text: isWinning
      ? `${many} wins in a row! Ready for somebody stronger?`
      : `${many} losses in a row. Somebody easier would be more fun.`,
    make: () => [
      make("button", { type: "button", class: "primary", onclick: () => void play(view, next) }, `Play ${name}`),
    ],
  };
}

/** The same game against another level, which is remembered. @param {GameView} view @param {string} level */
async function play({ game, rules, session }, level) {
  const choice = lastChoice();
  rememberChoice({ ...choice, levels: { ...choice.levels, [game.rules]: level } });
  try {
    await startGame({
      rules: game.rules,
      seats: seated(session.playing[0] ?? "first", { player: "computer", level }),
      visibility: game.visibility,
      touch_move: rules.touch_move ? game.touch_move : null,
    });
  } catch (error) {
    notice(messageOf(error), gameOf(error));
  }
}
