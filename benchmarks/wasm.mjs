// The page's engine on the positions of a benchmark; `wasm.py` runs this in node and in Chromium.

/**
 * The nodes of all positions, as often as wanted, each with an empty transposition table.
 *
 * @param {string} engine  the folder of the engine's modules
 * @param {WebAssembly.Module} module
 * @param {ArrayBuffer} weights
 */
export async function measure(engine, module, weights, { rules, start, boards, depth, times, mebibytes, chance }) {
  const { Law } = await import(`${engine}law.js`);
  const { Instance } = await import(`${engine}module.js`);
  const { Search } = await import(`${engine}search.js`);
  let nodes = 0;
  for (let time = 0; time < times; time++) {
    // Anew each time, so that the random numbers are the same; what is compiled stays.
    const search = new Search(new Law(new Instance(module), rules), rules, weights, { mebibytes, chance });
    const think = (board, deepest) => {
      search.begin({ positions: [search.law.read(board)] }, { depth: deepest });
      while (search.advance());
      return search.nodes;
    };
    think(start, 2);
    for (const board of boards) {
      search.forget();
      nodes += think(board, depth);
    }
  }
  return nodes;
}

if (typeof process !== "undefined") {
  const { readFileSync } = await import("node:fs");
  const { engine, family, ...question } = JSON.parse(readFileSync(0, "utf8"));
  const weights = readFileSync(`${engine}weights/${family}.bin`);
  const start = weights.byteOffset;
  const copied = weights.buffer.slice(start, start + weights.byteLength);
  const module = await WebAssembly.compile(readFileSync(`${engine}nestline.wasm`));
  process.stdout.write(JSON.stringify(await measure(engine, module, copied, question)));
}
