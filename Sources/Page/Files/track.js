// The drawing of the track: to scale, north at the top, coloured by the speed.

const size = { width: 800, height: 500, margin: 46 };
const steps = [1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 100, 200, 500];
const rulers = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000];
/// The bounds of a drive, as in `trackerd report`: beyond them, a ferry or a truck has moved the vehicle.
const fastest_mps = 100, fastestStart_mps = 40, unseenDistance_m = 250;
/// If the time between two points is longer, the vehicle may have been faster between them than at the points.
const shortStep_ms = 10000;
/// If the time between two points is longer, the vehicle may have stood between them.
const longestPause_ms = 300000;

export function node(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/// The finest scale of speeds that reaches the highest speed: the width of a class in km/h, and the number of classes.
export function speedScale(highest) {
  const top = Math.max(1, highest * 3.6);
  const step = steps.find(step => step * 7 >= top) ?? top / 7;
  const classes = Math.min(7, Math.max(2, Math.ceil(top / step)));
  return { step, classes, index: speed => Math.min(classes - 1, Math.max(0, Math.floor((speed * 3.6) / step))) };
}

/// Maps degrees to the drawing: metres of a plane around the middle of the track.
function projection(points) {
  const latitudes = points.map(point => point.lat), longitudes = points.map(point => point.lon);
  const bounds = { south: Math.min(...latitudes), north: Math.max(...latitudes), west: Math.min(...longitudes), east: Math.max(...longitudes) };
  const middle = { lat: (bounds.south + bounds.north) / 2, lon: (bounds.west + bounds.east) / 2 };
  const metresNorth = 111195, metresEast = 111195 * Math.cos(middle.lat * Math.PI / 180);
  const width = Math.max(120, (bounds.east - bounds.west) * metresEast), height = Math.max(75, (bounds.north - bounds.south) * metresNorth);
  const scale = Math.min((size.width - 2 * size.margin) / width, (size.height - 2 * size.margin) / height);
  return {
    scale,
    x: point => size.width / 2 + (point.lon - middle.lon) * metresEast * scale,
    y: point => size.height / 2 - (point.lat - middle.lat) * metresNorth * scale,
  };
}

/// Leaves out the points of the same colour that are at most 0.4 units away from the last remaining point.
function thinned(places) {
  let last;
  return places.filter((place, index) => {
    const isEnd = !last || index === places.length - 1;
    if (!isEnd && !place.gap && place.class === last.class && Math.hypot(place.x - last.x, place.y - last.y) <= 0.4) return false;
    last = place;
    return true;
  });
}

export function drawTrack(svg, points, live) {
  svg.replaceChildren();
  const all = live ? [...points, live] : points;
  if (all.length === 0) return null;
  const map = projection(all);
  drawGrid(svg, map);
  const scale = speedScale(topSpeed(points));
  const places = points.map((point, index) => {
    const last = points[index - 1];
    return {
      x: map.x(point), y: map.y(point), class: scale.index(point.speed ?? meanSpeed(last, point) ?? 0), point,
      gap: isGap(last, point),
    };
  });
  const runs = divide(thinned(places));
  // One element for each colour: thousands of elements take a browser longer to draw than the track takes to load.
  const paths = Array(scale.classes).fill("");
  for (const run of runs) paths[run.class] += run.path;
  svg.append(node("path", { class: "casing", d: paths.join("") }));
  paths.forEach((path, index) => { if (path !== "") svg.append(node("path", { class: `run s${index}`, d: path })); });
  if (places.length > 0) {
    svg.append(node("circle", { class: "begin", cx: places[0].x, cy: places[0].y, r: 7 }));
    const end = places[places.length - 1];
    svg.append(node("rect", { class: "end", x: end.x - 7, y: end.y - 7, width: 14, height: 14, rx: 3 }));
  }
  const last = points[points.length - 1];
  if (live && last && stepLength(last, live) < 5000) {
    svg.append(node("path", { class: "lead", d: `M${map.x(last)} ${map.y(last)}L${map.x(live)} ${map.y(live)}` }));
  }
  if (live) drawVehicle(svg, map, live);
  drawNorth(svg);
  drawScale(svg, map.scale);
  svg.append(node("circle", { class: "cursor", r: 10, cx: -100, cy: -100 }));
  return { map, scale };
}

function stepLength(one, other) {
  const north = (other.lat - one.lat) * 111195, east = (other.lon - one.lon) * 111195 * Math.cos(one.lat * Math.PI / 180);
  return Math.hypot(north, east);
}

/// Whether the point is the place where the vehicle was parked, which is not a fix at this time.
const isDeparture = point => point.kind === "motionchange" && point.moving;

/// Whether no line connects two points: they are of different trips or too far apart in time, or the vehicle was moved
/// unseen or cannot have driven between them.
export function isGap(last, point) {
  if (!last || last.trip !== point.trip || point.time - last.time > longestPause_ms || last.event === "moved") return true;
  const seconds = Math.max(1, (point.time - last.time) / 1000);
  return stepLength(last, point) > (isDeparture(last) ? unseenDistance_m + fastestStart_mps * seconds : fastest_mps * seconds);
}

/// The mean speed from one fix to the next; undefined across a gap, and from a departure.
function meanSpeed(last, point) {
  if (isGap(last, point) || isDeparture(last) || point.time <= last.time) return undefined;
  const mean = stepLength(last, point) / ((point.time - last.time) / 1000);
  return mean <= fastest_mps ? mean : undefined;
}

/// The length of the track without its gaps.
export const lengthOf = points => points.reduce((sum, point, index) => {
  const last = points[index - 1];
  return sum + (isGap(last, point) ? 0 : stepLength(last, point));
}, 0);

/// The highest speed of the points, and of the means between points that are far apart in time or have no speed.
export function topSpeed(points) {
  const track = points.filter(point => point.kind === "location" || point.kind === "motionchange");
  return track.reduce((top, point, index) => {
    const last = track[index - 1];
    const counts = last && (point.speed === undefined || point.time - last.time > shortStep_ms);
    return Math.max(top, point.speed ?? 0, (counts && meanSpeed(last, point)) || 0);
  }, 0);
}

/// Divides the track into lines of one colour.
function divide(places) {
  const runs = [];
  for (let index = 1; index < places.length; index += 1) {
    const [last, place] = [places[index - 1], places[index]];
    if (place.gap) continue;
    const run = runs[runs.length - 1];
    const to = `L${place.x.toFixed(1)} ${place.y.toFixed(1)}`;
    if (run && run.class === place.class && run.last === last) run.path += to;
    else runs.push({ class: place.class, path: `M${last.x.toFixed(1)} ${last.y.toFixed(1)}${to}` });
    runs[runs.length - 1].last = place;
  }
  return runs;
}

function drawGrid(svg, map) {
  const side = ruler(map.scale) * map.scale;
  let path = "";
  for (let x = size.width / 2 % side; x < size.width; x += side) path += `M${x.toFixed(1)} 0V${size.height}`;
  for (let y = size.height / 2 % side; y < size.height; y += side) path += `M0 ${y.toFixed(1)}H${size.width}`;
  svg.append(node("path", { class: "grid", d: path }));
}

const ruler = scale => rulers.find(metres => metres * scale > 90) ?? rulers[rulers.length - 1];

function drawScale(svg, scale) {
  const metres = ruler(scale), length = metres * scale;
  const [x, y] = [24, size.height - 22];
  svg.append(node("path", { class: "scale", d: `M${x} ${y - 6}V${y}H${(x + length).toFixed(1)}V${y - 6}` }));
  const label = metres < 1000 ? `${metres} m` : `${metres / 1000} km`;
  svg.append(node("text", { x: x + length / 2, y: y - 9 }, label));
}

function drawNorth(svg) {
  const group = node("g", { transform: `translate(${size.width - 32} 40)` });
  const hand = node("g", { class: "hand" });
  hand.append(node("polygon", { class: "north", points: "0,-18 7,4 0,0 -7,4" }), node("text", { x: 0, y: 20 }, "N"));
  group.append(hand);
  svg.append(group);
}

function drawVehicle(svg, map, live) {
  const [x, y] = [map.x(live), map.y(live)];
  const radius = Math.min(120, Math.max(16, (live.accuracy ?? 0) * map.scale));
  svg.append(node("circle", { class: "halo", cx: x, cy: y, r: radius }));
  if (live.moving && live.course !== undefined) {
    svg.append(node("polygon", { class: "heading", points: "0,-24 8,-10 -8,-10", transform: `translate(${x} ${y}) rotate(${live.course})` }));
  }
  svg.append(node("circle", { class: "here", cx: x, cy: y, r: 9 }));
}

/// Marks a point, or hides the mark if there is none.
export function markTrack(svg, drawing, point) {
  const mark = svg.querySelector(".cursor");
  if (!mark || !drawing) return;
  mark.setAttribute("cx", point ? drawing.map.x(point) : -100);
  mark.setAttribute("cy", point ? drawing.map.y(point) : -100);
}
