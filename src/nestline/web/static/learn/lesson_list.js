/**
 * The lessons: one idea each, on a board where the reader makes the move.
 *
 * `right` says whether a move does what was asked for; `wrong` answers one that does not, and the
 * board goes back.
 *
 * @import { Outcome } from "../server/types.js"
 * @typedef {{move: string, outcome: Outcome | null}} Tried
 * @typedef {{name: string, rules: string, title: string, position: string, task: string,
 *   right: (tried: Tried) => boolean, wrong: (tried: Tried) => string, done: string, hint: string,
 *   touchMove?: boolean}} Lesson
 */

const CORNERS = ["a1", "a3", "c1", "c3"];

/** @type {Lesson[]} */
export const LESSONS = [
  {
    name: "place",
    rules: "gobblers-official",
    title: "Put a piece on the board",
    position: "x3/x3/x3 w",
    task: "You are Red. Drag any of your pieces onto the board, or press it and then a square.",
    right: () => true,
    wrong: () => "",
    done: "That is a whole turn. Now it would be Blue's.",
    hint: "3b2",
  },
  {
    name: "line",
    rules: "gobblers-official",
    title: "Three in a row win",
    position: "w3,x,b1/x,w2,x/b2,x2 w",
    task: "Two of your pieces are in line already. Complete the line and win.",
    right: ({ outcome }) => outcome?.winner === "first",
    wrong: () => "The line from a3 to c1 is not complete yet.",
    done: "Three of your colour in a row, whatever their size: you win.",
    hint: "1c1",
  },
  {
    name: "cover",
    rules: "gobblers-official",
    title: "Larger covers smaller",
    position: "x3/b3,b1,x/x,w1,x w",
    task: "Cover Blue's small piece on b2 with a larger one of yours.",
    right: ({ move }) => move.endsWith("b2"),
    wrong: () => "That is allowed, but Blue keeps the middle. Put a larger piece on b2.",
    done: "Gobbled! Only the piece on top counts; the ring shows what lies below.",
    hint: "2b2",
  },
  {
    name: "move",
    rules: "gobblers-official",
    title: "Pieces on the board can move",
    position: "x3/x,w2,b3/x,b1,x w",
    task: "Instead of placing a new piece, move your medium one from b2 to a corner.",
    right: ({ move }) => CORNERS.some((corner) => move === `b2${corner}`),
    wrong: () => "Take the piece on b2, and put it on a corner.",
    done: "A piece can move to any square that is empty or shows a smaller piece.",
    hint: "b2a1",
  },
  {
    name: "reveal",
    rules: "gobblers-official",
    title: "Mind what you uncover",
    position: "x,w2,x/b3,b2w3,b3/w1,x2 w",
    task: "Your large piece on b2 covers a blue one. Lifting it would show Blue's row a2-b2-c2. Play something else.",
    right: ({ move, outcome }) => !move.startsWith("b2") && !outcome,
    wrong: () => "Lifting b2 uncovered three blue pieces in a row, and Blue wins at once.",
    done: "Right: what you lift away can give the game to the other side. A triangle marks such moves.",
    hint: "2c1",
  },
  {
    name: "save",
    rules: "gobblers-official",
    title: "Landing on the line saves you",
    position: "x,w2,x/b1,b2w3,b2/x3 w",
    task: "Now you may lift the piece on b2, if you land on the same row and break it. Do that.",
    right: ({ move }) => move === "b2a2" || move === "b2c2",
    wrong: ({ outcome }) =>
      outcome ? "That left Blue's row complete. Land on a2 or c2." : "Lift the piece on b2, and land on a2 or c2.",
    done: "You uncovered a piece and covered another one of the same row: nothing is lost.",
    hint: "b2c2",
  },
  {
    name: "nested",
    rules: "gobblet",
    title: "Gobblet: nested stacks",
    position: "x4/x,b4,x2/x,w4,x2/x4 w",
    task:
      "On the large board each player has three stacks. One of your largest is out, so its stack shows " +
      "a smaller one. Play that.",
    right: ({ move }) => move.startsWith("3"),
    wrong: () => "Take the piece of the stack that has lost its largest.",
    done: "Stacks are played from the outside in, and four in a row win.",
    hint: "3c2",
  },
  {
    name: "threat",
    rules: "gobblet",
    title: "Gobblet: when a new piece may cover",
    position: "x3,w4/x3,w4/x4/b3,b4,b4,x w",
    task:
      "New pieces go onto empty squares, except here: Black shows three in a row, and you may cover one of " +
      "them. Cover a1 with your largest.",
    right: ({ move }) => move === "4a1",
    wrong: () => "That is another way to stop Black. This time, cover a1 with a new piece.",
    done: "That is the only time a new piece may cover another one at once.",
    hint: "4a1",
  },
  {
    name: "touch",
    rules: "gobblet",
    title: "Gobblet: a touched piece must be played",
    position: "x4/x,b4,w4,x/x,w4,b4,x/x4 w",
    task: "Touch one of your pieces on the board. Then it has to move: put it on another square.",
    right: ({ move }) => !/^\d/.test(move),
    wrong: () => "Take a piece that is on the board already.",
    done: "You can switch this rule off when you start a game. That is all there is to know!",
    hint: "b2a1",
    touchMove: true,
  },
];
