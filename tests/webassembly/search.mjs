// What the page's engine finds, in node and in browsers.
import { Law } from "../../src/nestline/web/static/engine/law.js";
import { EngineError, Instance } from "../../src/nestline/web/static/engine/module.js";
import { Search, weightsFor } from "../../src/nestline/web/static/engine/search.js";

const engine = new URL("../../src/nestline/web/static/engine/", import.meta.url);

async function learned(rules) {
  const name = weightsFor(rules);
  if (name === null) return null;
  const url = new URL(`weights/${name}.bin`, engine);
  if (url.protocol !== "file:") return (await fetch(url)).arrayBuffer();
  const { readFile } = await import("node:fs/promises");
  const { buffer, byteOffset, byteLength } = await readFile(url);
  return buffer.slice(byteOffset, byteOffset + byteLength);
}

function found(search, { boards, moves, limits, level }) {
  const game = { positions: boards.map((board) => search.law.read(board)), moves };
  if (level) {
    const move = search.beginLevel(game, level);
    if (move) return move;
  } else {
    search.begin(game, limits);
  }
  let last = null;
  for (let next = search.advance(); next; next = search.advance()) last = next;
  return level ? search.chooseLevel(level, last) : { ...last, nodes: search.nodes };
}

export function answer(questions, module) {
  return Promise.all(
    questions.map(async ({ rules, options, games, weightBytes }) => {
      const weights = (await learned(rules))?.slice(0, weightBytes) ?? null;
      try {
        const search = new Search(new Law(new Instance(module), rules), rules, weights, options);
        return games.map((game) => found(search, game));
      } catch (error) {
        if (error instanceof EngineError) return error.message;
        throw error;
      }
    }),
  );
}
