// The page's logic that needs no browser, with node's own test runner.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { shareAtEnd } from "../../../src/nestline/web/static/analysis/review.js";
import { arrange, slotsOf } from "../../../src/nestline/web/static/board/arrange.js";
import { distance } from "../../../src/nestline/web/static/board/arrows.js";
import { meaning, places, targetsFrom } from "../../../src/nestline/web/static/board/holding.js";
import { bestFrom } from "../../../src/nestline/web/static/board/worth.js";
import { engineFile, loadModule } from "../../../src/nestline/web/static/engine/module.js";
import { adviseFromTops } from "../../../src/nestline/web/static/game/advice.js";
import { graded, nextPuzzle, puzzleOfTheDay } from "../../../src/nestline/web/static/learn/puzzle_list.js";
import { effect } from "../../../src/nestline/web/static/learn/refute.js";
import { rulesOf } from "../../../src/nestline/web/static/local/record_reader.js";
import { fetchFile, requireStudy } from "../../../src/nestline/web/static/server/api.js";
import { studyRecord } from "../../../src/nestline/web/static/shared/addresses.js";
import { readMove, readPiece, writePosition } from "../../../src/nestline/web/static/shared/notation.js";
import { soundOf } from "../../../src/nestline/web/static/shared/sounds.js";
import * as words from "../../../src/nestline/web/static/shared/words.js";
import { Branch } from "../../../src/nestline/web/static/study/tree.js";

const SQUARES = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
const LOOSE = {
  name: "loose",
  board: 3,
  stock: [2, 2, 2],
  reserve: "loose",
  line_sizes: "any",
  misere: false,
  squares: SQUARES,
  players: ["Red", "Blue"],
  start: { text: "x3/x3/x3 w" },
};
const NESTED = { ...LOOSE, stock: [3, 3, 3, 3], reserve: "nested" };
const ONE = { ...LOOSE, stock: [9], players: ["X", "O"] };

const board = (stacks, first, second, turn = "first") => ({ text: "", turn, stacks, reserves: { first, second } });
const counter = () => {
  let last = 0;
  return () => (last += 1);
};
const at = (pieces, place) => pieces.filter((piece) => piece.place === place).sort((one, two) => one.level - two.level);

test("puzzles are graded by quarters, and equal ones are not divided", () => {
  const failures = [0, 0, 0, 3, 4, 5, 5, 24];
  const grades = graded(failures.map((fails, index) => [`position ${index}`, "3b2 3a1 2c3", fails]));
  assert.deepEqual(
    grades.map(({ grade }) => grade),
    [1, 1, 1, 2, 3, 3, 3, 4],
  );
  for (let day = 1; day < 20; day++) {
    const daily = puzzleOfTheDay(grades, `2026-03-${String(day).padStart(2, "0")}`);
    assert.ok(daily.grade === 2 || daily.grade === 3);
  }
});

test("where all pieces are alike, a move is written as its square", () => {
  assert.equal(words.moveText(ONE, "1b2"), "b2");
  assert.equal(words.moveText(ONE, "a1b2"), "a1b2");
  assert.equal(words.moveText(LOOSE, "1b2"), "1b2");
});

test("a move sounds like what it does", () => {
  const [empty, small, both] = [{}, { b2: ["b1"] }, { b2: ["b1", "w3"] }].map((stacks) => ({ stacks }));
  assert.equal(soundOf("1b2", empty, { stacks: { b2: ["w1"] } }), "place");
  assert.equal(soundOf("3b2", small, both), "gobble");
  assert.equal(soundOf("b2a1", both, { stacks: { b2: ["b1"], a1: ["w3"] } }), "reveal");
});

test("a puzzle that is skipped does not come back at once, and who has solved all meets them again", () => {
  const puzzles = ["a", "b", "c", "d"].map((position) => ({ position, line: ["3b2"], grade: 1 }));
  const done = { solved: { "gobblers b": "alone" }, place: { gobblers: 1 }, days: [] };
  const seen = new Set();
  const met = [];
  for (let count = 0; count < 5; count++) {
    const puzzle = nextPuzzle(puzzles, done, "gobblers", seen);
    met.push(puzzle.position);
    seen.add(puzzle);
  }
  assert.deepEqual(met, ["a", "c", "d", "b", "a"]);
});

test("the answer to a wrong try is told in moves of one side, as the task is", () => {
  assert.equal(effect(9999, true, 3), "and wins.");
  assert.equal(effect(9997, false, 3), "and wins in 2 moves.");
  assert.equal(effect(-9992, true, 3), "and holds out: you still win, but in 5 moves instead of 3.");
  assert.equal(effect(0, true, 3), "and keeps the draw.");
  assert.equal(effect(-250, false, 3), "and you have no quick win any more.");
});

test("the graph of a review ends at the edge only if the pieces have ended the game", () => {
  assert.equal(shareAtEnd({ winner: "first", reason: "line" }), 1);
  assert.equal(shareAtEnd({ winner: "second", reason: "line" }), 0);
  assert.equal(shareAtEnd({ winner: null, reason: "repetition" }), 0.5);
  assert.equal(shareAtEnd({ winner: "second", reason: "resignation" }), null);
  assert.equal(shareAtEnd({ winner: null, reason: "agreement" }), null);
});

test("a record names a rule set, a design, or the file of a custom set", () => {
  const of = (name) => rulesOf(`[Rules "${name}"]\n\n*\n`);
  assert.equal(of(" Gobblers "), "gobblers");
  assert.equal(of("gobblers.title-Mine"), "gobblers.title-Mine");
  assert.equal(of("custom-0123456789abcdef.toml"), "custom-0123456789abcdef");
  assert.equal(of("mine.toml"), "mine.toml");
});

test("a file that is cut off or missing is told in a sentence", async () => {
  const file = (text) => new URL(`data:application/json,${encodeURIComponent(text)}`);
  assert.deepEqual(await fetchFile(file("[1, 2]"), "The puzzles"), [1, 2]);
  const message = "The puzzles cannot be loaded. Please try again.";
  for (const url of [file("[1, "), new URL("file:///nothing")]) {
    await assert.rejects(fetchFile(url, "The puzzles"), { name: "Error", code: "unreachable", message });
  }
  for (const [answer, reason] of [
    [() => Promise.reject(new TypeError("Failed to fetch")), "there is no connection"],
    [() => Promise.resolve(new Response("", { status: 404 })), "the server answered 404"],
    [
      () => Promise.resolve(new Response(new ReadableStream({ start: (each) => each.error() }))),
      "the connection broke off",
    ],
  ]) {
    const message = `The engine cannot be loaded: ${reason}.`;
    await assert.rejects(engineFile("nestline.wasm", answer), { name: "EngineError", message });
  }
});

test("a module that is cut off is loaded once more, past the cache", async ({ mock }) => {
  const whole = readFileSync(new URL("../../../src/nestline/web/static/engine/nestline.wasm", import.meta.url));
  for (const isShared of [false, true]) {
    const parts = [whole.subarray(0, 9000), whole];
    const asked = [];
    const load = (_url, options) => {
      asked.push(options?.cache);
      return Promise.resolve(new Response(parts.shift() ?? new Uint8Array(8)));
    };
    assert.ok((await loadModule(undefined, isShared, load)) instanceof WebAssembly.Module);
    assert.deepEqual(asked, [undefined, "reload"]);
    const message = "The engine cannot be loaded: its file is damaged.";
    await assert.rejects(loadModule(undefined, isShared, load), { name: "EngineError", message });
  }
  mock.method(WebAssembly, "compile", () => Promise.reject(new Error("blocked")));
  const message = "The engine cannot run in this browser, which does not allow WebAssembly.";
  await assert.rejects(
    loadModule(undefined, false, async () => new Response(whole)),
    { message },
  );
});

test("study does not wait for a server that is silent", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const silent = (_url, { signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  mock.method(globalThis, "fetch", silent);
  const allowed = requireStudy("a token").then(() => "allowed");
  mock.timers.tick(10_000);
  assert.equal(await Promise.race([allowed, new Promise((resolve) => setImmediate(resolve, "waits"))]), "allowed");
});

test("moves are read in the spelling of the server", () => {
  assert.deepEqual(readMove("3b2"), { size: 3, origin: null, target: "b2" });
  assert.deepEqual(readMove("a1c3"), { size: null, origin: "a1", target: "c3" });
  assert.deepEqual(readPiece("b2"), { seat: "second", size: 2 });
});

test("a position is written as the notation says", () => {
  const stacks = { a1: ["w2"], b2: ["b1", "w3"] };
  assert.equal(writePosition(stacks, "second", 3), "x3/x,b1w3,x/w2,x2 b");
  assert.equal(writePosition({}, "first", 4), "x4/x4/x4/x4 w");
  assert.equal(writePosition({ c3: ["b1"], a3: ["w1"] }, "first", 3), "w1,x,b1/x3/x3 w");
});

test("a press means to hold, to play, to put back, or nothing", () => {
  const legal = ["1a1", "1b1", "2a1", "b2c3", "b2a1"];
  assert.deepEqual(places(legal), ["1", "2", "b2"]);
  assert.deepEqual(targetsFrom(legal, "b2"), ["c3", "a1"]);
  assert.deepEqual(meaning(legal, null, "b2"), { does: "hold", place: "b2" });
  assert.deepEqual(meaning(legal, "b2", "c3"), { does: "play", move: "b2c3" });
  assert.deepEqual(meaning(legal, "b2", "b2"), { does: "release" });
  assert.deepEqual(meaning(legal, "b2", "2"), { does: "hold", place: "2" });
  assert.deepEqual(meaning(legal, null, "c1"), { does: "refuse" });
  assert.deepEqual(meaning(legal, "1", "c3"), { does: "refuse" });
});

test("a touched piece is not put back, nor another taken", () => {
  const legal = ["b2c3", "b2a1"];
  assert.deepEqual(meaning(legal, "b2", "b2", true), { does: "refuse" });
  assert.deepEqual(meaning(legal, "b2", "1", true), { does: "refuse" });
  assert.deepEqual(meaning(legal, "b2", "a1", true), { does: "play", move: "b2a1" });
});

test("where only the square is to be chosen, pressing it plays", () => {
  assert.deepEqual(meaning(["1a1", "1b2"], null, "b2"), { does: "play", move: "1b2" });
  assert.deepEqual(meaning(["1a1", "2b2"], null, "b2"), { does: "refuse" });
});

test("a piece that moves stays the same piece", () => {
  const id = counter();
  const start = arrange([], board({}, [1, 1, 2, 2, 3, 3], [1, 1, 2, 2, 3, 3]), LOOSE, id);
  assert.equal(start.length, 12);
  const placed = arrange(start, board({ b2: ["w3"] }, [1, 1, 2, 2, 3], [1, 1, 2, 2, 3, 3]), LOOSE, id);
  const [piece] = at(placed, "b2");
  assert.ok(start.some((each) => each.id === piece.id && each.size === 3 && each.seat === "first"));
  const moved = arrange(placed, board({ a1: ["w3"] }, [1, 1, 2, 2, 3], [1, 1, 2, 2, 3, 3]), LOOSE, id);
  assert.equal(at(moved, "a1")[0].id, piece.id);
  assert.equal(new Set(moved.map((each) => each.id)).size, 12);
  // All others stay where they are.
  for (const each of placed)
    if (each.id !== piece.id) assert.ok(moved.some((same) => same.id === each.id && same.place === each.place));
});

test("a covered piece stays below, and comes to light again", () => {
  const id = counter();
  const covered = arrange([], board({ b2: ["b1", "w3"] }, [], []), LOOSE, id);
  const [below] = at(covered, "b2");
  const after = arrange(covered, board({ b2: ["b1"], c3: ["w3"] }, [], []), LOOSE, id);
  assert.equal(at(after, "b2")[0].id, below.id);
});

test("of nested stacks only the one that was played from changes", () => {
  const id = counter();
  const start = arrange([], board({}, [4, 4, 4], [4, 4, 4]), NESTED, id);
  assert.equal(start.length, 24);
  assert.deepEqual(
    slotsOf(NESTED, "first").map((slot) => slot.index),
    [0, 1, 2],
  );
  // The person lifted the middle stack.
  const lifted = at(start, "first:1").at(-1);
  const dropped = start.map((piece) => (piece === lifted ? { ...piece, place: "b2", level: 0 } : piece));
  const after = arrange(dropped, board({ b2: ["w4"] }, [3, 4, 4], [4, 4, 4]), NESTED, id);
  assert.equal(at(after, "b2")[0].id, lifted.id);
  assert.deepEqual(
    ["first:0", "first:1", "first:2"].map((place) => at(after, place).length),
    [4, 3, 4],
  );
});

test("marks without end lie in one heap", () => {
  const pieces = arrange([], board({}, Array(9).fill(1), Array(9).fill(1)), ONE, counter());
  assert.equal(at(pieces, "first:0").length, 9);
});

test("squares have names for those who listen", () => {
  const state = board({ b2: ["b1", "w3"] }, [], []);
  assert.equal(words.squareName(LOOSE, state, "b2"), "b2: Red large, on Blue small");
  assert.equal(words.squareName(LOOSE, state, "a1"), "a1: empty");
  assert.equal(words.squareName(ONE, board({ a1: ["b1"] }, [], []), "a1"), "a1: O");
});

test("moves are told with what they cover and uncover", () => {
  const before = board({ a1: ["b1", "w3"], c3: ["b2"] }, [], []);
  const after = board({ a1: ["b1"], c3: ["b2", "w3"] }, [], [], "second");
  const text = words.moveInWords(LOOSE, "a1c3", after, before);
  assert.equal(text, "Red large from a1 to c3, over Blue medium, uncovering Blue small on a1.");
});

test("values are short and clear", () => {
  assert.equal(words.shortValue({ value: "win", distance: 9, score: null }), "wins in 9");
  assert.equal(words.shortValue({ value: "draw", distance: null, score: null }), "draw");
  assert.equal(words.shortValue({ value: null, distance: null, score: -35 }), "−0.35");
  assert.equal(words.shortValue({ value: null, distance: null, score: null }), "");
  assert.equal(words.listing(["a", "b", "c"], "or"), "a, b or c");
});

test("the bar leans to the better side", () => {
  assert.equal(words.share({ chance: 1 }, "first"), 1);
  assert.equal(words.share({ chance: 1 }, "second"), 0);
  assert.equal(words.share({ chance: 0.25 }, "second"), 0.75);
  assert.equal(words.share({ chance: null }, "first"), 0.5);
});

test("a study keeps its branches", () => {
  const root = new Branch(null, null, {});
  const one = root.add("3b2", {});
  const two = one.add("3a1", {});
  const other = one.add("2c3", {});
  assert.deepEqual(other.moves(), ["3b2", "2c3"]);
  assert.deepEqual(
    one.line().map((branch) => branch.move),
    ["3b2", "2c3"],
  );
  assert.deepEqual(other.siblings(), [two]);
  assert.equal(one.add("3a1", {}), two);
  assert.deepEqual(
    root.line().map((branch) => branch.move),
    ["3b2", "3a1"],
  );
  assert.equal(one.next, two);
});

test("a study is written as a record", () => {
  const position = { rules: "loose", start: "x3/x3/x3 w", moves: ["3b2", "3a1", "2c3"] };
  assert.equal(studyRecord(position, LOOSE), '[Rules "loose"]\n[Result "*"]\n\n1. 3b2 3a1 2. 2c3 *\n');
  const later = { rules: "loose", start: "x3/x,w3,x/x3 b", moves: ["3a1", "2c3"] };
  assert.match(studyRecord(later, LOOSE), /\[Position "x3\/x,w3,x\/x3 b"\][\s\S]*1\.\.\. 3a1 2\. 2c3 \*/);
});

test("arrows that cross or touch are near each other", () => {
  const segment = (x1, y1, x2, y2) => ({ start: { x: x1, y: y1 }, end: { x: x2, y: y2 } });
  assert.equal(distance(segment(0, 0, 10, 10), segment(0, 10, 10, 0)), 0);
  assert.equal(distance(segment(0, 0, 10, 0), segment(0, 3, 10, 3)), 3);
  assert.equal(distance(segment(0, 0, 10, 0), segment(13, 4, 20, 4)), 5);
});

test("a piece is worth the best it can do, if all of that is known", () => {
  const win = { value: "win", distance: 5 };
  const draw = { value: "draw", distance: null };
  const loss = { value: "loss", distance: 8 };
  const legal = ["3a1", "3b1", "a2c3"];
  assert.deepEqual(bestFrom({ legal, worth: { "3a1": loss, "3b1": draw, a2c3: win } }, "3"), draw);
  assert.deepEqual(bestFrom({ legal, worth: { "3a1": loss, "3b1": { ...loss, distance: 2 } } }, "3"), loss);
  assert.equal(bestFrom({ legal, worth: { "3a1": win } }, "3"), null);
});

test("advice from what everybody sees completes a line, or stops one", () => {
  const rows = ["a1,b1,c1", "a2,b2,c2", "a3,b3,c3", "a1,a2,a3", "b1,b2,b3", "c1,c2,c3", "a1,b2,c3", "c1,b2,a3"];
  const rules = { ...LOOSE, line_squares: rows.map((row) => row.split(",")) };
  const ask = (stacks, legal) => adviseFromTops(rules, { board: board(stacks, [], []), legal, turn: "first" });
  const own = { a1: ["w1"], b1: ["w2"], a3: ["b1"] };
  assert.deepEqual(ask(own, ["1c1", "3c1", "3c3"]), { move: "3c1", why: "It completes a1-b1-c1." });
  // Lifting b1 would take it out of the line.
  assert.equal(ask(own, ["b1c1"]), null);
  const theirs = { a1: ["b1"], b1: ["b2"], c1: ["w1"] };
  assert.equal(ask(theirs, ["1c3"]), null);
  const open = { a1: ["b1"], b1: ["b2"] };
  assert.deepEqual(ask(open, ["1c1", "3c1", "3a2"]), { move: "3c1", why: "It stops a1-b1-c1." });
  assert.deepEqual(ask(open, ["2a1", "3a2"]), { move: "2a1", why: "It stops a1-b1-c1." });
});
