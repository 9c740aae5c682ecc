// The timeline: the speed, the state of the vehicle and the receiver over time.

import { node } from "./track.js";
import { clock, element } from "./words.js";

const box = { width: 1000, top: 12, bottom: 130, state: 146, receiver: 178, strip: 22 };
/// Between two points that are farther apart in time than this, the speed is unknown.
const longestGap_ms = 600000;
const steps_min = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360];

export function drawTimeline(svg, axis, period, points, states, receiver, highest) {
  svg.replaceChildren();
  const x = time => Math.max(0, Math.min(1, (time - period.from) / (period.to - period.from))) * box.width;
  const caption = drawSpeed(svg, x, points, highest);
  strip(svg, x, period, box.state, states, part => part.state);
  strip(svg, x, period, box.receiver, receiver, part => part.on ? "on" : "base");
  drawAxis(axis, period);
  svg.append(node("line", { class: "cursor", x1: -10, x2: -10, y1: 0, y2: 210 }));
  return caption;
}

function drawSpeed(svg, x, points, highest) {
  const moving = points.filter(point => point.speed !== undefined);
  const top = Math.max(10, Math.ceil(highest * 3.6 / 10) * 10);
  const y = speed => box.bottom - Math.min(1, speed * 3.6 / top) * (box.bottom - box.top);
  for (const part of [0, 0.5, 1]) {
    const height = box.bottom - part * (box.bottom - box.top);
    svg.append(node("line", { class: "rule", x1: 0, x2: box.width, y1: height, y2: height }));
  }
  let line = "", area = "", lastTime = 0, lastX = 0;
  for (const point of moving) {
    const [px, py] = [x(point.time).toFixed(1), y(point.speed).toFixed(1)];
    if (line === "" || point.time - lastTime > longestGap_ms) {
      if (area !== "") area += `L${lastX} ${box.bottom}Z`;
      line += `M${px} ${py}`;
      area += `M${px} ${box.bottom}L${px} ${py}`;
    } else {
      line += `L${px} ${py}`;
      area += `L${px} ${py}`;
    }
    [lastTime, lastX] = [point.time, px];
  }
  if (area !== "") area += `L${lastX} ${box.bottom}Z`;
  svg.append(node("path", { class: "area", d: area }), node("path", { class: "line", d: line }));
  svg.setAttribute("aria-label", moving.length > 0 ? `Speed up to ${top} km/h, state and receiver over time` : "State and receiver over time");
  return moving.length > 0 ? `speed up to ${top} km/h` : "";
}

/// Draws a bar with a colour for each part; a part reaches to the next one.
function strip(svg, x, period, y, parts, name) {
  svg.append(node("rect", { class: "base", x: 0, width: box.width, y, height: box.strip, rx: 4 }));
  parts.forEach((part, index) => {
    const end = Math.min(part.end ?? parts[index + 1]?.time ?? period.now, period.now);
    const from = x(part.time), width = x(end) - from;
    if (end <= part.time || width <= 0) return;
    svg.append(node("rect", { class: name(part), x: from.toFixed(1), width: Math.max(1, width).toFixed(1), y, height: box.strip }));
  });
}

function drawAxis(axis, period) {
  axis.replaceChildren();
  const span = (period.to - period.from) / 60000;
  const most = Math.max(3, Math.min(12, axis.clientWidth / 90));
  const step = steps_min.find(step => span / step <= most) ?? 720;
  const first = new Date(period.from);
  first.setHours(0, 0, 0, 0);
  for (let time = first.getTime(); time <= period.to; time += step * 60000) {
    if (time < period.from) continue;
    const share = (time - period.from) / (period.to - period.from);
    const label = element("span", clock(time), share < 0.04 ? "first" : share > 0.96 ? "last" : "");
    label.style.left = `${share * 100}%`;
    axis.append(label);
  }
}

export function markTimeline(svg, period, time) {
  const mark = svg.querySelector(".cursor");
  if (!mark) return;
  const x = (time - period.from) / (period.to - period.from) * box.width;
  mark.setAttribute("x1", x);
  mark.setAttribute("x2", x);
}
