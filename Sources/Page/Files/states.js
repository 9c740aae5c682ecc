// The states of the vehicle over time: moving, parked, private, or off while trackerd did not run.

/// The state before a change, if no earlier record shows it.
const before = { moving: "parked", parked: "moving", private: "parked", public: "private", off: "parked", started: "off" };
/// A start of trackerd so soon after a departure does not cancel the departure: its first record may describe a parked vehicle.
const earlyDeparture_ms = 60000;

/// The change that a record describes; undefined for none.
///
/// No record describes a departure in a private place or time; the start of the trip, recorded later, then shows that the vehicle
/// moves.
export function changeOf(record) {
  switch (record.kind) {
    case "motionchange": return record.moving ? "moving" : "parked";
    case "trip": return record.moving && record.event !== "ended" ? "moving" : undefined;
    case "health": return { privacyBegan: "private", privacyEnded: "public" }[record.event];
    case "power": return { shutdown: "off", started: "started" }[record.event];
    default: return undefined;
  }
}

/// The states as parts in order of time; a part reaches to the next one. The first part begins at `begin` or at the first change,
/// whichever is earlier.
///
/// - `marks`: the records that describe a change, in order of time.
export function statesOf(marks, begin) {
  const parts = [];
  let arrival, isPrivate = false;
  const add = (time, state) => { if (parts.at(-1)?.state !== state) parts.push({ time, state }); };
  for (const mark of marks) {
    const change = changeOf(mark);
    if (parts.length === 0 && begin < mark.time) parts.push({ time: begin, state: before[change] });
    const last = parts.at(-1);
    switch (change) {
      case "moving":
        if (mark.kind === "motionchange") arrival = undefined;
        else if (last?.state === "off" || (last?.state === "parked" && arrival && arrival.trip === mark.trip)) break;
        add(mark.time, "moving");
        break;
      case "parked":
        arrival = mark;
        add(mark.time, "parked");
        break;
      case "started":
        if (!isPrivate && !mark.moving && last?.state === "moving" && mark.time - last.time < earlyDeparture_ms) break;
        add(mark.time, isPrivate ? "private" : mark.moving ? "moving" : "parked");
        break;
      case "public":
        // The next change shows the state. Records of a private period describe the vehicle as parked.
        isPrivate = false;
        if (last?.state === "parked") last.state = "private";
        break;
      default:
        isPrivate = isPrivate || change === "private";
        add(mark.time, change);
    }
  }
  return parts;
}

/// The seconds in a state until the time `now`.
export const secondsIn = (parts, state, now) => parts.reduce((sum, part, index) =>
  part.state === state ? sum + Math.max(0, Math.min(now, parts[index + 1]?.time ?? now) - part.time) : sum, 0) / 1000;
