// Replays games of the server in the page's own code, and says what it answers to every step.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Law } from "../../../src/nestline/web/static/engine/law.js";
import { Instance, loadModule } from "../../../src/nestline/web/static/engine/module.js";
import { LocalGame, setUp } from "../../../src/nestline/web/static/local/local_game.js";
import { rulesOf } from "../../../src/nestline/web/static/local/record_reader.js";
import { Referee } from "../../../src/nestline/web/static/local/referee.js";
import { isDesign, Refusal } from "../../../src/nestline/web/static/server/api.js";
import { readDesign } from "../../../src/nestline/web/static/workshop/design.js";

const STATIC = new URL("../../../src/nestline/web/static/", import.meta.url);
const { rules, games, isFull } = JSON.parse(readFileSync(0, "utf8"));
const instance = new Instance(await loadModule(readFileSync(new URL("engine/nestline.wasm", STATIC))));
const referees = new Map();

function refereeOf(name) {
  if (!referees.has(name)) referees.set(name, new Referee(new Law(instance, rules[name]), rules[name]));
  return referees.get(name);
}

/** What is compared of a message: everything, with some of its last moves. */
function told(local, most) {
  const message = local.message();
  const { moves } = message;
  const from = Math.max(0, moves.list.length - most);
  message.moves = { from, list: moves.list.slice(from) };
  return message;
}

function digest(value) {
  return isFull ? value : createHash("sha1").update(JSON.stringify(value)).digest("hex");
}

function answer(act) {
  try {
    return digest(act());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "not-found") return [error.code];
    // Sentences are on one line, whatever was typed.
    return [error.code, error.message.split(/\s+/u).filter(Boolean).join(" ")];
  }
}

function replay({ request, name: given, id, created, steps }) {
  let name = given;
  let local = null;
  const answers = [
    answer(() => {
      if (request.record) name = rulesOf(request.record);
      // A design that is changed by chance is wrong; `test_workshop` has the others.
      if (!rules[name] && isDesign(name) && rules[name.split(".")[0]]) readDesign(name);
      if (!rules[name]) throw new Refusal("not-found", "");
      const stored = { id, rules: name, setup: setUp(refereeOf(name), request), created: Date.parse(created), done: [] };
      local = new LocalGame(refereeOf(name), stored);
      return told(local, 2);
    }),
  ];
  const done = [];
  for (const { kind, asked, at, next, seat, most } of steps) {
    answers.push(
      answer(() => {
        if (kind === "peek") return local.peek(asked, seat);
        if (kind === "record") return local.record();
        if (kind === "next") {
          const setup = local.nextSetup();
          return told(new LocalGame(local.referee, { id: next, rules: name, setup, created: Date.parse(at), done: [] }), 2);
        }
        if (kind === "reload") {
          const stored = { id, rules: name, setup: local.setup, created: local.created, done };
          local = new LocalGame(local.referee, JSON.parse(JSON.stringify(stored)));
          return told(local, most);
        }
        const deed = kind === "computer" ? asked : local.settle(asked, next);
        local = local.after(deed, Date.parse(at));
        done.push({ deed, at: Date.parse(at) });
        return told(local, most);
      }),
    );
  }
  return answers;
}

process.stdout.write(JSON.stringify(games.map(replay)));
