/**
 * A published page works without a network: its service worker keeps every file of one version, and
 * the tables once they are loaded. A new version waits until somebody agrees or all tabs are closed.
 */
import { besidePage } from "../site/site.js";
import { make } from "./dom.js";

/** How often a page that stays open looks for a new version. */
const LOOK_EVERY = 3_600_000;

/** Install the service worker; browsers that have none, or refuse it, need the network. */
export async function workOffline() {
  const container = navigator.serviceWorker;
  if (!container) return;
  let isControlled = container.controller !== null;
  try {
    // The new version controls all tabs at once, so all of them load it: also one that is being registered, which
    // waits until a new version is installed. In the tab of the first visit the first controller has the same version.
    // There is none any more where the browser has thrown it away, for want of room: what is on the screen goes on.
    container.addEventListener("controllerchange", () => {
      if (isControlled && container.controller) location.reload();
      isControlled = container.controller !== null;
    });
    const options = { scope: besidePage(""), updateViaCache: /** @type {const} */ ("none") };
    const registration = await container.register(besidePage("service-worker.js"), options);
    registration.addEventListener("updatefound", () => follow(registration));
    follow(registration);
    window.setInterval(() => void registration.update().catch(() => null), LOOK_EVERY);
    (await container.ready).active?.postMessage("keep-tables");
  } catch {
    // A private window, for example: everything works while there is a network.
  }
}

/** Offer a new version as soon as all its files are here. @param {ServiceWorkerRegistration} registration */
function follow(registration) {
  if (registration.waiting && registration.active) return offer(registration);
  const { installing } = registration;
  installing?.addEventListener("statechange", () => {
    if (installing.state === "installed" && registration.active) offer(registration);
  });
}

/** @param {ServiceWorkerRegistration} registration */
function offer(registration) {
  if (document.querySelector(".new-version")) return;
  // The one that waits then: another version may have come since.
  const load = make(
    "button",
    { type: "button", onclick: () => registration.waiting?.postMessage("take-over") },
    "Load it",
  );
  document
    .querySelector("main")
    ?.before(make("p", { class: "new-version", role: "status" }, "There is a new version. ", load));
}
