// Numbers and times in words: local time with its zone, kilometres, km/h.

const dayForm = new Intl.DateTimeFormat([], { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const clockForm = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const secondForm = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const shortForm = new Intl.DateTimeFormat([], { weekday: "short", day: "numeric", month: "short" });
const zoneForm = new Intl.DateTimeFormat([], { timeZoneName: "short" });

export const clock = time => clockForm.format(time);
export const seconds = time => secondForm.format(time);
export const day = time => dayForm.format(time);
export const shortDay = time => shortForm.format(time);
export const zone = time => zoneForm.formatToParts(time).find(part => part.type === "timeZoneName")?.value ?? "";

/// The local day of a time, as `2026-01-31`.
export function dayText(time) {
  const date = new Date(time);
  const two = number => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/// The local date and time for an input of the type `datetime-local`.
export function inputText(time) {
  return `${dayText(time)}T${secondForm.format(time)}`;
}

export function distance(metres) {
  if (metres === undefined || metres === null) return "–";
  if (metres < 1000) return `${Math.round(metres)} m`;
  return `${(metres / 1000).toFixed(metres < 100000 ? 1 : 0)} km`;
}

export function duration(seconds) {
  if (seconds === undefined || seconds === null) return "–";
  const all = Math.max(0, Math.round(seconds));
  if (all < 60) return `${all} s`;
  const minutes = Math.round(all / 60);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.round(minutes / 1440)} days`;
}

export const speed = metresPerSecond => `${Math.round(metresPerSecond * 3.6)} km/h`;
export const place = (latitude, longitude) => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

/// Makes an element; `text` never becomes markup.
export function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}
