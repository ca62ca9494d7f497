/**
 * The settings dialog.
 */
import { openDialog } from "../shared/dialogs.js";
import { make } from "../shared/dom.js";
import { prefer, preferences } from "../shared/settings.js";

export function openPreferences() {
  const now = preferences();
  const tick = (/** @type {"warn" | "coordinates" | "sound" | "typed"} */ name, /** @type {string} */ label) =>
    make(
      "label",
      { class: "tick" },
      make("input", {
        type: "checkbox",
        checked: now[name],
        onchange: (/** @type {any} */ event) => prefer({ [name]: event.target.checked }),
      }),
      label,
    );
  openDialog(
    "Settings",
    make(
      "fieldset",
      { class: "segments beside" },
      make("legend", {}, "Colours"),
      [
        ["auto", "Automatic"],
        ["light", "Light"],
        ["dark", "Dark"],
      ].map(([value, text]) =>
        make(
          "label",
          {},
          make("input", {
            type: "radio",
            name: "theme",
            value,
            checked: now.theme === value,
            onchange: () => prefer({ theme: /** @type {any} */ (value) }),
          }),
          make("span", {}, text),
        ),
      ),
    ),
    tick("warn", "Warn of moves that reveal a line and lose"),
    tick("coordinates", "Show the names of rows and columns"),
    tick("sound", "Soft sounds (S in a game)"),
    tick("typed", "A field to type moves, in games"),
    make(
      "label",
      { class: "tick" },
      make("input", {
        type: "checkbox",
        checked: now.motion === "reduced",
        onchange: (/** @type {any} */ event) => prefer({ motion: event.target.checked ? "reduced" : "auto" }),
      }),
      "No animations",
    ),
  );
}
