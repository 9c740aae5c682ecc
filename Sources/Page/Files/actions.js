// The actions of a page that the owner started with `--allow-actions`: buttons, the mode, and the name of a trip.

import { element } from "./words.js";

const by = id => document.getElementById(id);

const list = [
  { name: "Locate", question: "Switch the receiver on and record the position?", values: { request: "locate" } },
  { name: "Mark as moving", question: "Mark the vehicle as moving?", values: { request: "move" } },
  { name: "Mark as parked", question: "Mark the vehicle as parked?", values: { request: "stay" } },
  { name: "Start a trip", question: "Start a trip now?", values: { request: "trip start" } },
  { name: "End the trip", question: "End the trip now?", values: { request: "trip end" } },
  { name: "Send refused records again", question: "Send the refused records again?", values: { request: "queue retry" } },
];

/// Sends a request with its values to the daemon, and returns its result.
let send = null;
/// The mode in the last status.
let lastMode = null;

/// Shows the actions if `sender` is not null.
export function showActions(sender) {
  send = sender;
  by("actions").hidden = by("mode-form").hidden = !send;
  by("actions").replaceChildren(...list.map(action => {
    const button = element("button", action.name);
    button.type = "button";
    button.addEventListener("click", () => { if (confirm(action.question)) act(action.name, action.values, button); });
    return button;
  }));
}

/// Selects the mode in force when it has changed; until then, the owner's choice remains.
export function showMode(mode) {
  if (mode === lastMode) return;
  lastMode = mode;
  by("mode").value = mode;
}

/// Shows the button that names a trip, or hides it if `trip` is undefined.
export function offerName(trip) {
  by("name-trip").hidden = !send || trip === undefined;
}

/// Asks for the name of a trip; returns whether the name has changed.
export async function nameTrip(trip) {
  const name = prompt("Name of the trip (leave it empty to remove the name):", trip.name ?? "");
  if (name === null || name === (trip.name ?? "")) return false;
  return act("Name the trip", { request: "trips name", trip: `${trip.trip}`, name }, by("name-trip"));
}

/// Carries out an action; returns whether it succeeded.
async function act(title, values, button) {
  button.disabled = true;
  by("outcome").textContent = `${title} …`;
  let isDone = false;
  try {
    const result = await send("/api/action", values);
    by("outcome").textContent = result.text ?? "Done.";
    isDone = true;
  } catch (error) {
    by("outcome").textContent = error.message;
  }
  button.disabled = false;
  return isDone;
}

by("mode-form").addEventListener("submit", event => {
  event.preventDefault();
  const choice = by("mode").selectedOptions[0];
  const question = choice.value === "default" ? "Return to the configured mode?" : `Switch to the mode ${choice.value}?`;
  if (confirm(question)) act("Switch the mode", { request: "mode", mode: choice.value }, by("mode-switch"));
});
