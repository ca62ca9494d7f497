/**
 * Help: the four ways to play, the keys, how moves are written.
 */
import { make } from "../shared/dom.js";

const KEYS = [
  ["Arrow keys", "move around the board and the reserves"],
  ["1 2 3 4", "take a piece of that size from the reserve"],
  ["Enter", "take a piece, or put the held one down"],
  ["Escape", "put a held piece back"],
  ["P", "look under the piece, where the rules allow it"],
  ["Left, Right", "step through the moves, when the board does not have the focus"],
  ["Home, End", "go to the start, or to the last move"],
  ["F", "flip the board"],
  ["S", "turn soft sounds on or off"],
  ["Tab", "go on to the reserves, the buttons, the moves"],
];

/** @param {HTMLElement} content */
export async function open(content) {
  document.title = "Help · nestline";
  content.className = "view words";
  const part = (/** @type {string} */ title, /** @type {(Node | string)[]} */ ...inside) =>
    make("section", {}, make("h2", {}, title), ...inside);
  content.append(
    make("h1", {}, "Help"),
    part(
      "Four ways to move",
      make(
        "ul",
        {},
        make(
          "li",
          {},
          make("b", {}, "Drag"),
          " a piece from the reserve or the board to a square, with a mouse or a finger.",
        ),
        make(
          "li",
          {},
          make("b", {}, "Press"),
          " a piece, then a square. Green dots and rings mark where it can go; a red triangle marks " +
            "a move that reveals a line of the opponent and loses.",
        ),
        make("li", {}, make("b", {}, "Keys"), ": see below."),
        make(
          "li",
          {},
          make("b", {}, "Type"),
          " the move: ",
          make("code", {}, "3b2"),
          " puts a piece of size 3 on b2, ",
          make("code", {}, "a1c3"),
          " moves the piece on a1 to c3. The settings show the field for it in games.",
        ),
      ),
    ),
    part(
      "Keys",
      make(
        "table",
        { class: "keys" },
        make(
          "tbody",
          {},
          KEYS.map(([key, what]) =>
            make(
              "tr",
              {},
              make(
                "th",
                { scope: "row" },
                (key ?? "")
                  .split(" ")
                  .flatMap((each) => [each === "keys" ? " keys" : make("kbd", {}, each.replace(",", "")), " "]),
              ),
              make("td", {}, what),
            ),
          ),
        ),
      ),
    ),
    part(
      "What the board shows",
      make(
        "p",
        {},
        "Pieces are cups seen from above. Diameter and dots show their size; one " +
          "player's cups have a smooth edge, the other's a wavy one. Rings on a piece show what it " +
          "covers. A pale border marks the last move, with dots where the piece came from; a golden " +
          "chain marks a line. Point at a stack, or press it for long, to see what is inside.",
      ),
    ),
    part(
      "Around the game",
      make(
        "ul",
        {},
        make(
          "li",
          {},
          "Hint shows first the piece, then the square, then why. There are no hints against people elsewhere.",
        ),
        make(
          "li",
          {},
          "The arrow on a player's card lets the computer play that side at any time, or gives it back to a person.",
        ),
        make(
          "li",
          {},
          "Against the computer you can take back moves, as far as the rules allow. Against a person you have to ask.",
        ),
        make(
          "li",
          {},
          "“Your games” on the start page has all your games: running ones first, finished ones with their review.",
        ),
        make("li", {}, "Go back in the moves and press “Play from here” to try something else."),
        make(
          "li",
          {},
          "Study shows what every move is worth: exactly where the game is solved, otherwise by " +
            "the engine. On the board, a green circle wins, a square with = draws, a red diamond loses; the " +
            "number counts the moves of both sides until the end. It is closed to players of a running game " +
            "between people.",
        ),
        make("li", {}, "After the end, Review shows where the game was won or lost."),
        make("li", {}, "A friend joins with the link you send. Anybody else who has the game's address can watch."),
        make("li", {}, "If the connection breaks, the page says so, reconnects by itself, and continues the game."),
      ),
    ),
    part(
      "With a screen reader",
      make(
        "p",
        {},
        "Every square and every stack has a name, such as “b2: Red large, on Blue small”. Moves, " +
          "offers and results are announced. Nothing needs to be seen, dragged or heard in time.",
      ),
    ),
  );
}
