"""Drives made up for the tests: a vehicle on a straight road to the north, a fix a second."""

from pathlib import Path

from geometry import Plane
from playback import Run, read
from recording import Drive, Fix, Segment

PLANE = Plane.touching(50.0, 7.0)


def drive(speeds: list[float], segments: list[tuple[str, float, float]]) -> Drive:
    """A drive with a speed each second, and its truth."""
    made = Drive("made-up", "made-up", Path("none.csv"), plane=PLANE, seconds=float(len(speeds) - 1))
    north = 0.0
    for t, speed in enumerate(speeds):
        north += speed
        made.fixes.append(fix(float(t), 0.0, north, speed))
    made.segments = [Segment(kind, begin, end, sum(speeds[int(begin) : int(end)])) for kind, begin, end in segments]
    return made


def fix(t: float, east: float, north: float, speed: float | None = None) -> Fix:
    """A fix at a distance in metres from the made-up drive's beginning."""
    lat, lon = PLANE.lat + north / PLANE.metres_per_lat, PLANE.lon + east / PLANE.metres_per_lon
    return Fix(t, lat, lon, (east, north), speed, 5.0)


def run(of: Drive, states: list[tuple[float, str, float]], **summary: float) -> Run:
    """What trackerd would write: when it changed to which state, and the moment that its record describes."""
    events: list[dict[str, object]] = []
    for t, state, moment in states:
        here = min(of.fixes, key=lambda f: abs(f.t - moment))
        time = f"2026-01-01T{int(moment) // 3600:02d}:{int(moment) // 60 % 60:02d}:{moment % 60:06.3f}Z"
        place = {"lat": here.lat, "lon": here.lon, "odometer_m": 0.0}
        events.append({"t": t, "event": "record", "kind": "motionchange", "time": time, **place})
        events.append({"t": t, "event": "state", "state": state})
        events.append({"t": t, "event": "receiver", "power": "on" if state == "moving" else "off"})
    events.append({"event": "summary", "refused": {}, **summary})
    return read(of, events)
