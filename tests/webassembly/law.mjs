// What the page's rules say about positions: read as JSON, answered as JSON.
import { readFileSync } from "node:fs";
import { Law } from "../../src/nestline/web/static/engine/law.js";
import { Instance, loadModule } from "../../src/nestline/web/static/engine/module.js";

const instance = new Instance(await loadModule(readFileSync(process.env.WASM)));

function told(law, board, depths) {
  const position = law.read(board);
  const moves = law.legalMoves(position);
  return {
    stacks: law.stacks(position),
    reserves: { first: law.reserve(position, "first"), second: law.reserve(position, "second") },
    outcome: law.outcome(position),
    legal: moves,
    dangerous: law.dangerousMoves(position),
    after: moves.map((move) => law.stacks(law.play(position, move))),
    illegal: law.squares.filter((square) => law.isLegal(position, `1${square}`) !== moves.includes(`1${square}`)),
    distinct: law.distinct(position, moves).length,
    perft: depths.map((depth) => law.perft(position, depth)),
  };
}

const questions = JSON.parse(readFileSync(0, "utf8"));
const answers = questions.map(({ rules, boards, depths }) => {
  const law = new Law(instance, rules);
  return { lines: law.lines, positions: boards.map((board) => told(law, board, depths ?? [])) };
});
process.stdout.write(JSON.stringify(answers));
