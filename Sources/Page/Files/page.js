// The page: it asks trackerd for the history of a period, and follows the stream of events.

import { drawTrack, lengthOf, markTrack, topSpeed } from "./track.js";
import { changeOf, secondsIn, statesOf } from "./states.js";
import { drawTimeline, markTimeline } from "./timeline.js";
import { nameTrip, offerName, showActions, showMode } from "./actions.js";
import { offerDoctor } from "./doctor.js";
import * as words from "./words.js";

const by = id => document.getElementById(id);
const element = words.element;
/// The highest number of locations in the drawing, approximately; if there are more, trackerd sends every n-th one.
const mostPoints = 3000;
/// The number of requests for a track at the same time; a browser opens at most six connections to a server.
const mostRequests = 4;
/// The number of events in the list of the latest ones.
const mostLatest = 50;

const view = {
  session: null,
  status: null,
  /// The selected moment; null for the newest one.
  moment: null,
  /// The tracker's clock minus this computer's clock, in milliseconds.
  offset: 0,
  period: null,
  points: [],
  marks: [],
  receiver: [],
  drawing: null,
  tripsBefore: undefined,
  trips: [],
  load: 0,
  stream: null,
};

const now = () => Date.now() + view.offset;

// ---- Requests ----

async function ask(path, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = given.length > 0 ? `?${new URLSearchParams(given)}` : "";
  const response = await fetch(path + query, { credentials: "same-origin" });
  if (response.status === 401) { showLogin(); throw new Error("Log in first."); }
  const reply = await response.json();
  if (!reply.ok) throw new Error(reply.error);
  return reply.result;
}

async function send(path, values) {
  const response = await fetch(path, {
    method: "POST", credentials: "same-origin",
    headers: { "Content-Type": "application/json", "X-Trackerd-Token": view.session?.token ?? "" },
    body: JSON.stringify(values),
  });
  const reply = await response.json();
  if (!reply.ok) throw new Error(reply.error);
  return reply.result;
}

// ---- The present state ----

function showStatus(status, at) {
  view.status = status;
  view.offset = Date.parse(at) - Date.now();
  const isMoving = status.state === "moving";
  const name = status.device ?? "trackerd";
  by("name").textContent = name;
  by("dot").className = isMoving ? "dot moving" : "dot";
  by("state").textContent = sentence(status);
  by("why").textContent = status.tracking === "on" ? reason(status) : `Tracking is ${status.tracking}.`;
  document.title = `${sentence(status)} · ${name}`;
  const facts = [];
  const place = status.location;
  if (place) facts.push(["Position", words.place(place.lat, place.lon), place.accuracy_m === undefined ? "" : `± ${Math.round(place.accuracy_m)} m`, "wide"]);
  if (status.fix) facts.push(["Last fix", words.seconds(Date.parse(status.fix.time)), satellites(status.fix)]);
  facts.push(["Odometer", words.distance(status.odometer_m)]);
  if (status.trip) facts.push(["Trip", status.trip.id ?? `${status.trip.number}`, people(status.trip)]);
  facts.push(["Receiver", status.receiver.on ? "on" : "off", status.receiver.ttff_s ? `first fix after ${status.receiver.ttff_s} s on average` : ""]);
  if (status.supply_V !== undefined) facts.push(["Supply", `${status.supply_V.toFixed(1)} V`]);
  if (status.ignition !== undefined) facts.push(["Ignition", status.ignition ? "on" : "off"]);
  if (status.regions.length > 0) facts.push(["Regions", status.regions.join(", "), "", "wide"]);
  if (status.charge_mAh_per_day) facts.push(["Charge", `${status.charge_mAh_per_day} mAh a day`]);
  facts.push(["Mode", status.mode]);
  by("facts").replaceChildren(...facts.map(fact));
  showMode(status.mode);
  showFaults(status);
  showQueue(status.queue);
  if (view.period?.isLive) redraw();
}

function sentence(status) {
  if (status.state === "moving") {
    const speed = status.location?.speed_mps;
    if (isStanding(status)) return `Standing still, parked in ${words.duration(status.stop_in_s)}`;
    return speed === undefined ? "Moving" : `Moving at ${words.speed(speed)}`;
  }
  if (!status.since) return "Parked";
  const since = Date.parse(status.since);
  const isToday = words.dayText(since) === words.dayText(now());
  return `Parked since ${isToday ? "" : `${words.shortDay(since)}, `}${words.clock(since)}`;
}

/// Whether a vehicle that counts as moving stands still, so that trackerd may soon confirm a stop.
const isStanding = status => status.state === "moving" && Number.isFinite(status.stop_in_s) && status.location?.speed_mps < 1;

/// The reason for the state; a standing vehicle has none, because the reason states why it counts as moving.
const reason = status => isStanding(status) ? "" : status.why.charAt(0).toUpperCase() + status.why.slice(1);
const people = trip => [trip.vehicle, trip.driver].filter(Boolean).join(", ");

function satellites(fix) {
  const parts = [];
  if (fix.satellites) parts.push(`${fix.satellites} satellites`);
  if (fix.solution) parts.push(fix.solution);
  return parts.join(", ");
}

function fact([name, value, detail, className]) {
  const box = element("div", undefined, className);
  const answer = element("dd", value);
  if (detail) answer.append(element("small", detail));
  box.append(element("dt", name), answer);
  return box;
}

function showFaults(status) {
  const faults = [...(status.faults ?? [])];
  if (status.queue.fault) faults.push(status.queue.fault);
  by("faults").hidden = faults.length === 0;
  by("fault-list").replaceChildren(...faults.map(text => element("li", text)));
}

function showQueue(queue) {
  by("queue").replaceChildren(...queue.targets.map(target => {
    const item = element("li");
    const waiting = target.waiting === undefined ? "unknown" : `${target.waiting}${target.or_more ? " or more" : ""}`;
    const count = target.waiting === 0 && !target.fault ? null : `${waiting} waiting`;
    const isDone = !count && !target.never_reached;
    const reached = target.never_reached ? "not yet reached" : isDone ? "up to date" : null;
    item.append(element("b", target.name), element("span", [count, reached].filter(Boolean).join(", "), isDone ? "good right" : "right"));
    if (target.set_aside > 0) item.append(element("small", `${target.set_aside} set aside; \`trackerd queue retry\` sends them again`));
    if (target.fault) item.append(element("span", target.fault, "fault"));
    return item;
  }));
  const notes = [];
  if (queue.targets.length === 0) notes.push("No server is configured: all records stay on this device.");
  if (queue.in_memory > 0) notes.push(`${queue.in_memory} records are not on disk yet.`);
  by("queue-note").textContent = notes.join(" ");
}

// ---- Periods ----

function dayPeriod(text) {
  const from = new Date(`${text}T00:00:00`).getTime();
  const next = new Date(from);
  next.setDate(next.getDate() + 1);
  const isToday = text === words.dayText(now());
  return { from, to: next.getTime(), now: Math.min(now(), next.getTime()), isLive: isToday, day: text, title: isToday ? `Today, ${words.day(from)}` : words.day(from) };
}

function tripPeriod(trip) {
  const from = Date.parse(trip.began);
  const to = trip.ended ? Date.parse(trip.ended) : Math.max(now(), from + 60000);
  return { from, to: Math.max(to, from + 60000), now: to, isLive: !trip.ended, trip: trip.trip, day: words.dayText(from), title: `${tripName(trip)}, ${words.day(from)}`, figures: trip };
}

const tripName = trip => trip.name ?? trip.external_id ?? `Trip ${trip.trip}`;

async function show(period) {
  const load = ++view.load;
  view.period = period;
  [view.points, view.marks, view.receiver, view.moment] = [[], [], [], null];
  by("title").textContent = period.title;
  by("day").value = period.day;
  offerName(period.trip);
  note("Loading …");
  markTrip();
  try {
    const first = await loadTrack(period, load, {});
    if (load !== view.load) return;
    period.top = first.top_speed_mps ?? period.top;
    view.receiver = first.receiver.map(change => ({ time: Math.max(period.from, Date.parse(change.time)), on: change.on }));
    period.stride = first.stride;
    if (first.after !== undefined) await Promise.all(divided(first.after, first.last).map(part => loadAll(period, load, part)));
    if (load !== view.load) return;
    period.isLoaded = true;
    view.points.sort((one, other) => one.time - other.time);
    view.marks.sort((one, other) => one.time - other.time);
    redraw();
  } catch (error) {
    if (load !== view.load) return;
    period.isLoaded = period.hasFailed = true;
    note(error.message);
  }
}

/// Loads some records of the period, and returns the answer.
async function loadTrack(period, load, part) {
  const answer = await ask("/api/track", { from: new Date(period.from).toISOString(), to: new Date(period.to).toISOString(), ...part, most: mostPoints });
  if (load === view.load) answer.points.forEach(addPoint);
  return answer;
}

/// Loads all records of a part of the period.
async function loadAll(period, load, { after, until }) {
  while (after !== undefined && load === view.load) ({ after } = await loadTrack(period, load, { after, until }));
}

/// Divides the records after the number `after`, up to `last`, into parts that the page loads at the same time.
function divided(after, last) {
  const length = Math.max(1, Math.ceil((last - after) / mostRequests));
  const parts = [];
  for (let begin = after; begin < last; begin += length) parts.push({ after: begin, until: Math.min(last, begin + length) });
  return parts;
}

function addPoint(record) {
  const point = { time: Date.parse(record.time), lat: record.lat, lon: record.lon, speed: record.speed_mps ?? undefined, moving: record.moving, kind: record.kind, trip: record.trip, event: record.event };
  if (!view.period.trip || record.trip === view.period.trip || record.trip === undefined) {
    if (point.lat !== undefined && point.lon !== undefined && isOfTrack(record.kind)) view.points.push(point);
  }
  if (changeOf(point)) view.marks.push(point);
}

const isOfTrack = kind => ["location", "motionchange", "trip", "driving"].includes(kind);

function note(text) {
  by("map-note").hidden = text === "";
  by("map-note").textContent = text;
}

let isDrawing = false;

/// Draws the period again, at most once for each frame of the screen.
function redraw() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => { isDrawing = false; draw(); });
}

function draw() {
  const { period, points, status } = view;
  if (!period?.isLoaded || !status) return;
  if (period.isLive) period.now = Math.min(now(), period.to);
  const place = status?.location;
  const live = period.isLive && place ? { lat: place.lat, lon: place.lon, accuracy: place.accuracy_m, course: place.course_deg, moving: status.state === "moving" } : null;
  const isEmpty = points.length === 0 && !live;
  note(isEmpty ? "No positions in this period." : "");
  view.drawing = drawTrack(by("track"), points, live);
  by("track").setAttribute("aria-label", isEmpty ? "No track" : `Track with ${points.length} points, ${words.distance(lengthOf(points))} long`);
  drawLegend();
  drawFigures();
  const states = stateParts();
  by("top").textContent = drawTimeline(by("timeline"), by("axis"), shownPeriod(period), points, states, view.receiver, highestSpeed());
  by("private-key").hidden = !states.some(part => part.state === "private");
  if (view.moment === null) showMoment(Math.min(period.now, period.to));
  else mark(view.moment);
}

/// The part of the period that the timeline shows: if the data of a day span at most a quarter of it, only the time
/// with data.
function shownPeriod(period) {
  const times = [...view.points, ...view.marks].map(point => point.time);
  if (period.trip || times.length === 0) return period;
  const first = Math.min(...times), last = Math.max(...times, period.isLive ? period.now : 0);
  if (last - first > (period.to - period.from) / 4) return period;
  const unit = last - first < 1800000 ? 300000 : 3600000;
  const from = Math.max(period.from, Math.floor(first / unit) * unit);
  return { ...period, from, to: Math.min(period.to, Math.max(from + unit, Math.ceil(last / unit) * unit)) };
}

function stateParts() {
  const { marks, points, period } = view;
  if (marks.length === 0) return [];
  const first = points.length > 0 ? Math.min(marks[0].time, points[0].time) : marks[0].time;
  return statesOf(marks, period.trip ? period.from : first);
}

function drawLegend() {
  const scale = view.drawing?.scale;
  const items = [];
  if (scale && view.points.length > 1) {
    for (let index = 0; index < scale.classes; index += 1) items.push(element("li", `${Math.round((index + 1) * scale.step)}`, `k${index}`));
    items.push(element("li", "km/h", "unit"));
  }
  by("legend").replaceChildren(...items);
}

/// The top speed of the drawn track and of all fixes of the ended trips, as in `trackerd report`.
const highestSpeed = () => Math.max(view.period.top ?? 0, view.period.figures?.top_speed_mps ?? 0, topSpeed(view.points));

function drawFigures() {
  const { points, period } = view;
  const trip = period.figures;
  const parts = stateParts();
  const moving = secondsIn(parts, "moving", period.now);
  const top = highestSpeed();
  const stops = parts.filter((part, index) => part.state === "parked" && parts[index - 1]?.state === "moving").length;
  const figures = [
    ["Distance", words.distance(trip?.distance_m ?? lengthOf(points))],
    ["Driving", words.duration(trip?.moving_s ?? moving)],
    ["Top speed", words.speed(top)],
    trip ? ["Stops on the way", `${trip.stops ?? 0}`] : ["Stops", `${stops}`],
  ];
  if (period.stride > 1) figures.push(["Points shown", `1 of ${period.stride}`]);
  by("figures").replaceChildren(...figures.map(fact));
}

// ---- A moment ----

/// Selects a moment; until then, the selected moment is the newest one.
function setMoment(time, asks) {
  view.moment = time;
  showMoment(time);
  if (asks) explain(time);
}

function showMoment(time) {
  const shown = shownPeriod(view.period);
  by("moment").value = Math.round((time - shown.from) / (shown.to - shown.from) * 1000);
  by("moment").setAttribute("aria-valuetext", words.seconds(time));
  by("moment-time").textContent = `${words.seconds(time)} ${words.zone(time)}`;
  if (document.activeElement !== by("why-time")) by("why-time").value = words.inputText(time);
  mark(time);
}

function mark(time) {
  markTimeline(by("timeline"), shownPeriod(view.period), time);
  const near = view.points.reduce((best, point) => !best || Math.abs(point.time - time) < Math.abs(best.time - time) ? point : best, null);
  const isNear = near && Math.abs(near.time - time) < 600000 && !(view.period.isLive && time >= view.period.now - 1000);
  markTrack(by("track"), view.drawing, isNear ? near : null);
}

const momentOf = share => {
  const shown = shownPeriod(view.period);
  return shown.from + share * (shown.to - shown.from);
};

async function explain(time) {
  by("why-state").textContent = "Looking …";
  try {
    const found = await ask("/api/why", { time: new Date(time).toISOString(), span_s: 300 });
    by("why-state").textContent = whySentence(found, time);
    by("why-events").replaceChildren(...found.events.map(eventItem));
  } catch (error) {
    by("why-state").textContent = error.message;
    by("why-events").replaceChildren();
  }
}

function whySentence(found, time) {
  const span = `${words.clock(time - 300000)} to ${words.clock(time + 300000)} ${words.zone(time)}`;
  if (!found.known) return "trackerd has recorded no data with a trusted time yet.";
  if (found.events.length === 0) return `From ${span}, trackerd decided nothing and recorded nothing.`;
  const state = found.state ? ` At the start, the vehicle was ${found.state === "moving" ? "moving" : "parked"} since ${words.seconds(Date.parse(found.since))}.` : "";
  return `From ${span}.${state}`;
}

function eventItem(event) {
  const item = element("li");
  const time = Date.parse(event.time);
  const until = event.until ? ` until ${words.seconds(Date.parse(event.until))}` : "";
  const body = element("span");
  body.append(element("span", subjectName(event.subject), "subject"), element("span", `${event.text}${until}`));
  item.append(element("time", words.seconds(time)), body);
  return item;
}

const subjects = { start: "Departure", refused: "Refused fix" };
const subjectName = subject => subjects[subject] ?? subject.charAt(0).toUpperCase() + subject.slice(1);

// ---- Trips ----

async function loadTrips() {
  const result = await ask("/api/trips", { before: view.tripsBefore });
  view.trips.push(...result.trips.reverse());
  view.tripsBefore = result.before;
  showTrips();
}

function showTrips() {
  by("no-trips").hidden = view.trips.length > 0;
  by("more-trips").hidden = view.tripsBefore === undefined;
  by("trips").replaceChildren(...view.trips.map(trip => {
    const [item, button] = [element("li"), element("button")];
    button.type = "button";
    button.dataset.trip = trip.trip;
    const began = Date.parse(trip.began);
    const where = [region(trip.start_regions), region(trip.end_regions)].filter(Boolean).join(" → ");
    const left = element("span"), right = element("span", undefined, "right");
    left.append(element("b", tripName(trip)), document.createElement("br"), element("small", [`${words.shortDay(began)}, ${words.clock(began)}`, where, trip.driver].filter(Boolean).join(" · ")));
    right.append(...trip.under_way ? [element("b", "under way")]
      : [element("b", words.distance(trip.distance_m)), document.createElement("br"), element("small", words.duration(trip.duration_s))]);
    button.append(left, right);
    button.addEventListener("click", () => { location.hash = `trip=${trip.trip}`; });
    item.append(button);
    return item;
  }));
  markTrip();
}

const region = regions => regions?.map(each => typeof each === "string" ? each : each.name).join(", ");

function markTrip() {
  for (const button of by("trips").querySelectorAll("button")) {
    button.setAttribute("aria-current", String(Number(button.dataset.trip) === view.period?.trip));
  }
}

async function reloadTrips() {
  [view.trips, view.tripsBefore] = [[], undefined];
  await loadTrips();
}

// ---- Events ----

function listen() {
  view.stream?.close();
  view.stream = new EventSource("/api/events");
  view.stream.onmessage = message => receive(JSON.parse(message.data));
  view.stream.onerror = () => setLink("lost", "The page's server does not answer; trying again …");
}

function receive(event) {
  if (event.event === "connection") {
    if (event.connected) setLink("live", "Live");
    else if (view.hasBeenLive) setLink("lost", "trackerd does not answer; trying again …");
    else setLink("", "Connecting to trackerd …");
    return;
  }
  if (event.event === "status") {
    const isFirst = view.status === null;
    showStatus(event.status, event.at);
    if (isFirst) start();
    return;
  }
  if (event.at) view.offset = Date.parse(event.at) - Date.now();
  if (event.event === "record") receiveRecord(event);
  if (event.event === "receiver" && view.period?.isLive) view.receiver.push({ time: Date.parse(event.at), on: event.power === "on" });
  addLatest(event);
}

function receiveRecord(event) {
  if (event.kind === "trip") reloadTrips().catch(() => {});
  const time = Date.parse(event.time);
  if (!view.period?.isLive || time < view.period.from || time > view.period.to) return;
  if (event.payload?.summary?.topSpeed_mps) view.period.top = Math.max(view.period.top ?? 0, event.payload.summary.topSpeed_mps);
  addPoint({ ...event, event: event.payload?.change ?? (event.payload?.summary ? "ended" : undefined) });
  redraw();
}

function addLatest(event) {
  const text = latestText(event);
  if (text) listLatest(event.at, text);
}

function listLatest(time, text) {
  by("no-latest").hidden = true;
  const item = element("li");
  item.append(element("time", words.seconds(Date.parse(time))), element("span", text));
  by("latest").prepend(item);
  while (by("latest").children.length > mostLatest) by("latest").lastChild.remove();
}

function latestText(event) {
  switch (event.event) {
    case "state": return event.state === "moving" ? "The vehicle is moving" : "The vehicle is parked";
    case "receiver": return `Receiver ${event.power}`;
    case "decision": return `${subjectName(event.subject)}: ${event.text}`;
    case "refused": return `Fix refused: ${event.reason}`;
    case "record": return event.kind === "location" ? null : `Record: ${event.kind}${event.lat === undefined ? "" : ` at ${words.place(event.lat, event.lon)}`}`;
    case "lost": return `${event.count} events were lost, because this page read too slowly`;
    default: return null;
  }
}

function setLink(className, text) {
  by("link").className = `link ${className}`;
  by("link").textContent = text;
  by("main").classList.toggle("away", className === "lost");
  if (className === "live") view.hasBeenLive = true;
}

// ---- Start ----

const inAddress = key => new URLSearchParams(location.hash.slice(1)).get(key);

/// The day in the address; undefined if there is none.
function dayInAddress() {
  const day = inAddress("day") ?? "";
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00`));
  return isDay ? day : undefined;
}

/// Shows the trip or the day in the address, or today.
async function showAddress() {
  const trip = view.trips.find(trip => trip.trip === Number(inAddress("trip")));
  return show(trip ? tripPeriod(trip) : dayPeriod(dayInAddress() ?? words.dayText(now())));
}

/// Loads a past day in the address before the first status. Only the status has the tracker's clock, so a day counts as
/// past if it is before yesterday by this computer's clock.
function loadPastDay() {
  const day = dayInAddress();
  if (day !== undefined && day < words.dayText(Date.now() - 86400000)) show(dayPeriod(day));
}

/// Whether the page loads or has loaded a day before the first status, and this day is past by the tracker's clock too.
const isPastDay = () => view.period !== null && !view.period.hasFailed && view.period.now === dayPeriod(view.period.day).now;

/// Begins after the first status, which has the tracker's clock.
async function start() {
  by("main").hidden = false;
  // Only a trip in the address needs the list of trips first.
  const isTrip = inAddress("trip") !== null, isLoading = isPastDay();
  const shown = isTrip || isLoading ? null : showAddress();
  redraw();
  try {
    await Promise.all([loadRecent(), reloadTrips()]);
  } catch (error) {
    by("outcome").textContent = error.message;
  }
  await (isTrip ? showAddress() : shown);
}

/// Shows what happened in the last 20 minutes.
async function loadRecent() {
  const found = await ask("/api/why", { time: new Date(now()).toISOString(), span_s: 1200 });
  for (const event of found.events.slice(-mostLatest)) {
    if (event.subject !== "record" || !/^\d+ locations?$|^location$/.test(event.text)) listLatest(event.time, `${subjectName(event.subject)}: ${event.text}`);
  }
}

function step(days) {
  const date = new Date(view.period.from);
  date.setDate(date.getDate() + days);
  location.hash = `day=${words.dayText(date)}`;
}

function showLogin() {
  view.stream?.close();
  by("main").hidden = true;
  by("login").hidden = false;
  by("password").focus();
  setLink("", "Logged out");
}

async function begin() {
  const response = await fetch("/api/session", { credentials: "same-origin" });
  view.session = (await response.json()).result;
  by("logout").hidden = !(view.session.needsPassword && view.session.loggedIn);
  if (!view.session.loggedIn) return showLogin();
  by("login").hidden = true;
  showActions(view.session.actions ? send : null);
  listen();
  loadPastDay();
}

by("login-form").addEventListener("submit", async event => {
  event.preventDefault();
  try {
    await send("/api/login", { password: by("password").value });
    [by("password").value, by("login-error").textContent] = ["", ""];
    [view.status, view.period] = [null, null];
    await begin();
  } catch (error) {
    by("login-error").textContent = error.message;
  }
});
by("logout").addEventListener("click", async () => { await send("/api/logout", {}); location.reload(); });
by("earlier").addEventListener("click", () => step(-1));
by("later").addEventListener("click", () => step(1));
by("today").addEventListener("click", () => { if (location.hash.length > 1) location.hash = ""; else showAddress(); });
by("day").addEventListener("change", () => { if (by("day").value) location.hash = `day=${by("day").value}`; });
by("more-trips").addEventListener("click", () => loadTrips());
by("name-trip").addEventListener("click", async () => {
  if (!await nameTrip(view.period.figures)) return;
  await reloadTrips();
  await showAddress();
});
by("moment").addEventListener("input", () => setMoment(momentOf(by("moment").value / 1000), false));
by("moment").addEventListener("change", () => setMoment(momentOf(by("moment").value / 1000), true));
by("timeline").addEventListener("click", event => {
  const box = by("timeline").getBoundingClientRect();
  setMoment(momentOf(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width))), true);
});
by("why-form").addEventListener("submit", event => {
  event.preventDefault();
  const time = new Date(by("why-time").value).getTime();
  if (!Number.isNaN(time)) explain(time);
});
offerDoctor(ask);
addEventListener("hashchange", showAddress);
begin().catch(() => { setLink("lost", "The page's server does not answer; trying again …"); setTimeout(() => location.reload(), 5000); });
