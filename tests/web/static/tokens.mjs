// The tokens of modules, read from standard input, as node's own parser finds them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { tokenizer } = createRequire(import.meta.url)("internal/deps/acorn/acorn/dist/acorn");
const sources = JSON.parse(readFileSync(0, "utf-8"));
const tokens = (source) => {
  const found = tokenizer(source, { ecmaVersion: "latest", sourceType: "module" });
  return Array.from(found, ({ type, value }) => `${type.label} ${value?.pattern ?? value}`);
};
process.stdout.write(JSON.stringify(sources.map(tokens)));
