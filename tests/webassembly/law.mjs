// What the page's rules say about positions, in node and in browsers.
import { Law } from "../../src/nestline/web/static/engine/law.js";
import { Instance } from "../../src/nestline/web/static/engine/module.js";

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
    distinct: law.alike(position, moves).length,
    perft: depths.map((depth) => law.perft(position, depth)),
  };
}

export function answer(questions, module) {
  const instance = new Instance(module);
  return questions.map(({ rules, boards, depths }) => {
    const law = new Law(instance, rules);
    return { lines: law.lines, positions: boards.map((board) => told(law, board, depths ?? [])) };
  });
}
