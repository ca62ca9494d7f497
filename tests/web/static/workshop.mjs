// Makes rule sets from designs in the page's own code: the message, or why a design is refused.
import { readFileSync } from "node:fs";

// The page loads its files from beside its modules; node has no fetch for them.
globalThis.fetch = async (url) => new Response(readFileSync(url));

const STATIC = "../../../src/nestline/web/static";
const { Refusal } = await import(`${STATIC}/server/api.js`);
const { knownGame, readAtlas } = await import(`${STATIC}/workshop/atlas.js`);
const { readDesign, writeDesign } = await import(`${STATIC}/workshop/design.js`);
const { problems } = await import(`${STATIC}/workshop/checking.js`);
const { lawOf } = await import(`${STATIC}/local/referees.js`);
const { playout } = await import(`${STATIC}/workshop/playout.js`);
const { designedRules, designFile } = await import(`${STATIC}/workshop/rule_set.js`);

const { rules, designs, atlas, most } = JSON.parse(readFileSync(0, "utf8"));
const solved = readAtlas(atlas);

async function answer(design) {
  try {
    const { like, changes } = readDesign(design);
    const again = writeDesign(like, changes);
    const file = designFile(design);
    const base = rules.find((each) => each.name === like);
    const found = problems(base, changes).map(({ key, message }) => [key, message]);
    if (found.length > 0) return { again, problems: found };
    const made = await designedRules(design, rules);
    return { again, file, rules: made, known: knownGame(solved, made) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refusal: error.message };
  }
}

const answers = [];
for (const design of designs) answers.push(await answer(design));
// The little games are looked at in some of the designs; they take longer.
const games = [];
for (const { rules: made } of answers.filter((each) => each.rules).slice(0, most)) {
  games.push({ design: made.name, ...playout(await lawOf(made), made.name) });
}
process.stdout.write(JSON.stringify({ answers, games }));
