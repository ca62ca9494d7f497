// Which table a player of the engine opens, in node.
import { Law } from "../../src/nestline/web/static/engine/law.js";
import { Instance } from "../../src/nestline/web/static/engine/module.js";
import { Player } from "../../src/nestline/web/static/engine/player.js";
import { Search } from "../../src/nestline/web/static/engine/search.js";

export async function answer({ rules, urls }, module) {
  const instance = new Instance(module);
  const player = new Player(new Search(new Law(instance, rules), rules, null, { mebibytes: 1 }));
  const before = instance.memory.buffer.byteLength;
  const told = [];
  for (const url of urls) {
    const table = await player.table(url);
    told.push([table !== null, instance.memory.buffer.byteLength - before]);
  }
  return told;
}
