/**
 * Soft sounds, made by the browser as they are needed. They are off until somebody turns them on.
 *
 * @import { Board } from "../server/types.js"
 */
import { readMove } from "./notation.js";
import { preferences } from "./settings.js";

/**
 * A note: when it begins and how long it fades, in seconds, its frequency, where that glides to, and how loud.
 *
 * @typedef {{at: number, fades: number, from: number, to?: number, loud: number, wave?: OscillatorType}} Note
 */

/** @type {Record<"place" | "gobble" | "reveal" | "win" | "lose" | "draw", Note[]>} */
const SOUNDS = {
  place: [
    { at: 0, fades: 0.09, from: 320, to: 180, loud: 0.5 },
    { at: 0, fades: 0.03, from: 1400, to: 700, loud: 0.08, wave: "triangle" },
  ],
  gobble: [
    { at: 0, fades: 0.12, from: 240, to: 110, loud: 0.6 },
    { at: 0.09, fades: 0.1, from: 150, to: 90, loud: 0.45 },
  ],
  reveal: [
    { at: 0, fades: 0.12, from: 420, to: 640, loud: 0.25, wave: "triangle" },
    { at: 0.1, fades: 0.1, from: 300, to: 180, loud: 0.4 },
  ],
  win: [523.25, 659.25, 783.99, 1046.5].map((from, index) => ({ at: 0.11 * index, fades: 0.5, from, loud: 0.22 })),
  lose: [392, 329.63].map((from, index) => ({ at: 0.16 * index, fades: 0.5, from, loud: 0.2 })),
  draw: [440, 440].map((from, index) => ({ at: 0.16 * index, fades: 0.35, from, loud: 0.18 })),
};
const VOLUME = 0.5;
const SILENCE = 0.0001;

/** @type {AudioContext | null} */
let context = null;

/** @param {keyof typeof SOUNDS} name @param {number} [delay]  in milliseconds */
export function sound(name, delay = 0) {
  if (!preferences().sound || !("AudioContext" in window)) return;
  context ??= new AudioContext();
  // Browsers keep it silent until somebody has pressed something.
  if (context.state === "suspended") void context.resume();
  const start = context.currentTime + delay / 1000;
  for (const note of SOUNDS[name]) play(context, note, start + note.at);
}

/**
 * What a move sounds like.
 *
 * @param {string} move @param {Pick<Board, "stacks">} before @param {Pick<Board, "stacks">} after
 */
export function soundOf(move, before, after) {
  const { origin, target } = readMove(move);
  if (origin && after.stacks[origin]?.length) return "reveal";
  return before.stacks[target]?.length ? "gobble" : "place";
}

/** @param {AudioContext} audio @param {Note} note @param {number} start */
function play(audio, { fades, from, to = from, loud, wave = "sine" }, start) {
  const tone = new OscillatorNode(audio, { type: wave, frequency: from });
  const gain = new GainNode(audio, { gain: SILENCE });
  tone.frequency.exponentialRampToValueAtTime(to, start + fades);
  gain.gain.setValueAtTime(SILENCE, start);
  gain.gain.exponentialRampToValueAtTime(loud * VOLUME, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(SILENCE, start + fades);
  tone.connect(gain).connect(audio.destination);
  tone.start(start);
  tone.stop(start + fades + 0.05);
}
