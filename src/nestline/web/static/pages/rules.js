/**
 * The rules of each set in words and pictures, made from the fields of the rule set, so
 * a custom set is explained like the others.
 *
 * @import { RuleSet, SeatName } from "../server/types.js"
 */

import { pieceDrawing } from "../board/drawing.js";
import { emblem, miniature } from "../board/miniature.js";
import { fetchRuleSet, fetchRules, fetchRulesFile, isDesign } from "../server/api.js";
import { make } from "../shared/dom.js";
import { counted, listing, playerName, sizeName } from "../shared/words.js";

/** What is seen of covered pieces. */
const SEEN = /** @type {Record<string, string>} */ ({
  open: "always shown",
  peek: "hidden until a player lifts one of their own pieces to look",
  memory: "hidden, and have to be remembered",
});

/** Whose pieces may be covered, where not everybody's. */
const WHOSE = /** @type {Record<string, string>} */ ({
  opponent: " of the opponent's",
  own: " of your own",
});

/** Which sizes a line needs. */
const SIZES = /** @type {Record<string, string>} */ ({
  equal: " They must all be of the same size.",
  rising: " Their sizes must rise from one end to the other.",
});

/** @typedef {{text: string, pictures?: Node[]}} Sentence */

/**
 * @param {HTMLElement} content
 * @param {import("../shared/navigate.js").Visit} visit
 */
export async function open(content, { parts }) {
  content.className = "view words";
  if (parts[0]) return openOne(content, await fetchRuleSet(parts[0]));
  document.title = "Rules · nestline";
  const all = await fetchRules();
  content.append(
    make("h1", {}, "Rules"),
    make(
      "p",
      {},
      "One family of games: pieces in nested sizes on a square board, and a full line of visible " +
        "pieces wins. These are its members.",
    ),
    make(
      "ul",
      { class: "cards linked" },
      all.map((rules) =>
        make(
          "li",
          { class: "card" },
          emblem(rules),
          make(
            "div",
            { class: "card-words" },
            make("h2", {}, make("a", { href: `/rules/${rules.name}` }, rules.title)),
            make("span", {}, rules.summary),
          ),
        ),
      ),
    ),
    make("p", {}, make("a", { class: "button", href: "/workshop" }, "Design a game of your own")),
  );
}

/** @param {HTMLElement} content @param {RuleSet} rules */
function openOne(content, rules) {
  document.title = `Rules: ${rules.title} · nestline`;
  const file = make("pre", { class: "file", tabindex: "0", "aria-label": "The file of this rule set" });
  content.append(
    make("p", {}, make("a", { href: "/rules" }, "All rules")),
    make("h1", {}, rules.title),
    make("p", { class: "lead" }, rules.summary),
    make(
      "p",
      { class: "row" },
      make("a", { class: "button primary", href: `/?rules=${rules.name}` }, "Play"),
      make("a", { class: "button", href: `/study?rules=${rules.name}` }, "Study"),
      rules.custom && !isDesign(rules.name)
        ? ""
        : make("a", { class: "button", href: `/workshop?rules=${rules.name}` }, "Change these rules"),
      rules.stock.length > 1 && !rules.custom
        ? make("a", { class: "button", href: rules.board > 3 ? "/learn?lesson=nested" : "/learn" }, "Learn by playing")
        : "",
    ),
    section("The pieces", pieces(rules)),
    section("Your turn", turn(rules)),
    section("Winning", winning(rules)),
    section("Draws", draws(rules)),
    section("And also", others(rules)),
    make(
      "details",
      { ontoggle: () => void showFile(rules.name, file) },
      make("summary", {}, "The rule set's file"),
      make("p", {}, "This whole page is made from this file."),
      file,
    ),
  );
}

/** @param {string} name @param {HTMLElement} place */
async function showFile(name, place) {
  if (place.textContent) return;
  place.textContent = await fetchRulesFile(name).catch((error) => error.message);
}

/** @param {string} title @param {Sentence[]} sentences */
function section(title, sentences) {
  if (!sentences.length) return "";
  return make(
    "section",
    { class: "rule" },
    make("h2", {}, title),
    sentences.flatMap(({ text, pictures }) => [
      make("p", {}, text),
      pictures ? make("div", { class: "pictures" }, pictures) : "",
    ]),
  );
}

/** @param {RuleSet} rules @returns {Sentence[]} */
function pieces(rules) {
  const [one, two] = rules.players;
  const sizes = rules.stock.length;
  const names = rules.stock.map((count, index) => `${count} ${sizeName(rules, index + 1)}`);
  /** @type {Sentence[]} */
  const sentences = [
    {
      text: `${one} and ${two} play on a board of ${rules.board} by ${rules.board} squares. ${one} begins.`,
    },
  ];
  const [count = 0] = rules.stock;
  if (hasEnoughMarks(rules)) {
    sentences.push({ text: "Each player has enough marks to fill the board." });
  } else if (sizes === 1) sentences.push({ text: `Each player has ${counted(count, "piece")}.` });
  else if (rules.reserve === "nested") {
    sentences.push({
      text:
        `Each player has ${counted(count, "stack")} of ${sizes} pieces, nested into each ` +
        "other. Only the outermost piece of a stack can be played.",
    });
  } else {
    const noun = rules.stock.at(-1) === 1 ? "piece" : "pieces";
    sentences.push({ text: `Each player has ${listing(names)} ${noun}, which start beside the board.` });
  }
  const drawings = /** @type {SeatName[]} */ (["first", "second"]).map((seat) =>
    make(
      "span",
      { class: "set" },
      rules.stock.map((_, index) => pieceDrawing(rules, seat, index + 1)),
    ),
  );
  sentences.push({
    text:
      `${playerName(rules, "first")}'s pieces have a smooth edge, ${playerName(rules, "second")}'s a ` +
      `wavy one${sizes > 1 ? "; dots show the size" : ""}.`,
    pictures: drawings,
  });
  return sentences;
}

/** Whether a piece can be covered at all. @param {RuleSet} rules */
function covers(rules) {
  return rules.stock.length > 1 && rules.cover !== "none";
}

/** @param {RuleSet} rules @returns {Sentence[]} */
function turn(rules) {
  const sizes = rules.stock.length;
  const whose = WHOSE[rules.cover] ?? "";
  const onto = /** @type {Record<string, string>} */ ({
    empty: "onto an empty square",
    smaller: `onto an empty square or over a smaller piece${whose || ", yours or the opponent's"}`,
    threat:
      "onto an empty square; over a smaller piece of the opponent's only if it is on a line " +
      "that the opponent needs one more piece to complete",
  })[rules.place_onto];
  /** @type {Sentence[]} */
  const sentences = [{ text: `Put a new piece ${onto ?? rules.place_onto}.` }];
  if (rules.moving) {
    const back = rules.same_square ? "" : " It cannot go back to the square it came from.";
    const where = covers(rules) ? `square that is empty or shows a smaller piece${whose}` : "empty square";
    sentences.push({ text: `Or move one of your pieces that is on top to any ${where}.${back}` });
  } else sentences.push({ text: "Pieces on the board stay where they are." });
  if (covers(rules)) {
    const middle = rules.squares[Math.floor(rules.squares.length / 2)] ?? "a1";
    sentences.push({
      text: "A larger piece hides a smaller one. Only what lies on top counts; rings show what lies below.",
      pictures: [
        miniature(rules, { [middle]: ["b1"] }, { label: `A small piece of ${rules.players[1]}` }),
        miniature(
          rules,
          { [middle]: ["b1", `w${sizes}`] },
          { label: `The same piece, covered by a large one of ${rules.players[0]}` },
        ),
      ],
    });
  }
  return sentences;
}

/** Whether pieces of one size cannot run out. @param {RuleSet} rules */
function hasEnoughMarks({ stock, squares }) {
  return stock.length === 1 && (stock[0] ?? 0) >= squares.length;
}

/** @param {RuleSet} rules @returns {Sentence[]} */
function winning(rules) {
  const sizes = rules.stock.length;
  const line =
    rules.line_squares.find((squares) => squares[0] === "a1" && squares[1] === "b2") ?? rules.line_squares[0] ?? [];
  const enough = 1 + rules.stock.findLastIndex((count) => count >= rules.line);
  const full = Object.fromEntries(
    line.map((square, index) => [square, [`w${rules.line_sizes === "equal" ? enough : sizes - (index % sizes)}`]]),
  );
  /** @type {Sentence[]} */
  const sentences = [
    {
      text:
        `Whoever shows ${rules.line} pieces in a row, a column or a diagonal ${rules.misere ? "loses" : "wins"}.` +
        (SIZES[rules.line_sizes] ?? "") +
        (rules.wrap ? " A line may go over the edge of the board and on at the opposite one." : ""),
      pictures: [miniature(rules, full, { line, label: `A line of ${rules.players[0]}` })],
    },
  ];
  if (rules.moving && covers(rules) && rules.cover !== "own") sentences.push(...revealing(rules));
  // Where marks fill the board and that is a draw, everybody can move until then.
  if (!(hasEnoughMarks(rules) && rules.draw_board_full)) {
    sentences.push({
      text:
        rules.no_move === "loses"
          ? "A player who cannot move loses."
          : "If the player to move has no legal move, the game is drawn.",
    });
  }
  return sentences;
}

/** @param {RuleSet} rules @returns {Sentence[]} */
function revealing(rules) {
  if (rules.reveal === "forbidden")
    return [{ text: "A piece whose lifting would reveal a line of the opponent's cannot be moved." }];
  if (rules.reveal === "ignored")
    return [
      {
        text:
          "Only a line of the player who has just moved counts. One that a move reveals for the opponent does not " +
          "end the game until the opponent has moved and it is still there.",
      },
    ];
  return [reveal(rules), bothLines(rules)];
}

/** @param {RuleSet} rules @returns {Sentence} */
function reveal(rules) {
  const sizes = rules.stock.length;
  const row = rules.line_squares.find((squares) => squares[0]?.[1] === squares[1]?.[1]) ?? [];
  const line =
    rules.line_squares.find(
      (squares) => squares !== row && squares[0]?.[1] === squares[1]?.[1] && squares[0]?.[1] === "2",
    ) ?? row;
  const away = rules.squares.find((square) => !line.includes(square)) ?? "a1";
  const lifted = line[0] ?? "a1";
  const stacks = Object.fromEntries(
    line.map((square, index) => [square, [`b${Math.min(sizes, 1 + (index % sizes))}`]]),
  );
  const before = { ...stacks, [lifted]: ["b1", `w${sizes}`] };
  const text =
    "Lifting a piece may reveal a line of the opponent's. Unless the piece lands on another square of " +
    `that line and breaks it, the opponent ${rules.misere ? "loses" : "wins"}.`;
  if (rules.line_sizes !== "any") return { text };
  return {
    text,
    pictures: [
      miniature(rules, before, { label: `${rules.players[0]} covers a piece of ${rules.players[1]}'s line` }),
      miniature(
        rules,
        { ...stacks, [away]: [`w${sizes}`] },
        { line, label: `The piece has moved away, and ${rules.players[1]}'s line is revealed` },
      ),
    ],
  };
}

/** @param {RuleSet} rules @returns {Sentence} */
function bothLines(rules) {
  const who = rules.both_lines === "mover" ? "the player who moved" : "the other player";
  const result = rules.both_lines === "draw" ? "the game is drawn" : `${who} ${rules.misere ? "loses" : "wins"}`;
  return { text: `If after a move both players show a line, ${result}.` };
}

/** @param {RuleSet} rules @returns {Sentence[]} */
function draws(rules) {
  /** @type {Sentence[]} */
  const sentences = [];
  if (rules.repetition)
    sentences.push({
      text:
        "The game is drawn when the same position, with the same player to move, occurs " +
        `${counted(rules.repetition, "time")}.`,
    });
  if (rules.draw_board_full) sentences.push({ text: "A full board without a line is a draw." });
  if (rules.draw_all_placed)
    sentences.push({
      text: "When all pieces are on the board and nobody has a line, the game is drawn.",
    });
  if (rules.draw_agreement) sentences.push({ text: "The players can agree to a draw." });
  if (!sentences.length) sentences.push({ text: "There are none." });
  return sentences;
}

/** @param {RuleSet} rules @returns {Sentence[]} */
function others(rules) {
  /** @type {Sentence[]} */
  const sentences = [];
  if (rules.touch_move)
    sentences.push({
      text: "Once you touch one of your pieces on the board, you must play it. If it cannot be played, you lose.",
    });
  if (rules.peek)
    sentences.push({
      text: "A player may lift one of their own pieces to look under it, and put it back.",
    });
  if (rules.visibilities.length > 1)
    sentences.push({
      text: `Covered pieces are ${SEEN[rules.visibility]}, unless you choose otherwise when a game begins.`,
    });
  if (rules.person_begins)
    sentences.push({
      text: `Against the computer, a person has ${playerName(rules, "first")} and begins.`,
    });
  if (!rules.take_back_after_end)
    sentences.push({
      text: "When the game is over, nothing can be taken back; start a new one instead.",
    });
  return sentences;
}
