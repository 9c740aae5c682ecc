"""Recorded drives: reads the folder of a data set (drives.csv, segments.csv, SET/DRIVE.csv.gz).

A drive's CSV has the columns that docs/replay.md lists; segments.csv has when the vehicle moved, by speed alone.
"""

import csv
import gzip
import json
import math
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from geometry import Plane, Point

#: Drives whose truth no file has; their Doppler speed shows it.
BY_SPEED = "car-hdop"
#: A vehicle at rest is slower, and a shorter rest is part of the movement.
MOVING_MPS, SHORTEST_REST_S = 0.7, 3.0
#: Slower accelerometers average vibration away; trackerd does not use them (docs/replay.md).
SLOWEST_ACCELEROMETER_HZ = 5.0


@dataclass(frozen=True)
class Fix:
    """What the receiver reported at `t` seconds of the drive, and where that is in metres on the drive's plane."""

    t: float
    lat: float
    lon: float
    at: Point
    speed: float | None
    accuracy: float | None


@dataclass(frozen=True)
class Segment:
    """A stretch of the truth: `move`, `stop` or `unknown`, from `begin` to `end`."""

    kind: str
    begin: float
    end: float
    distance: float

    @property
    def seconds(self) -> float:
        """The length."""
        return self.end - self.begin


@dataclass
class Drive:
    """A recording and what is known about it."""

    group: str
    name: str
    path: Path
    fixes: list[Fix] = field(default_factory=list)
    #: Time and standard deviation of the acceleration's magnitude, a window of a second each, m/s².
    windows: list[tuple[float, float]] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    #: Time and speed from the wheels (OBD-II, CAN), where it was recorded.
    wheel_speed: list[tuple[float, float]] = field(default_factory=list)
    plane: Plane | None = None
    seconds: float = 0.0
    sample_rate: float = 0.0

    @property
    def has_accelerometer(self) -> bool:
        """Whether trackerd uses its accelerometer."""
        return self.sample_rate >= SLOWEST_ACCELEROMETER_HZ

    @property
    def title(self) -> str:
        """What tables call it."""
        return self.name

    def between(self, begin: float, end: float) -> list[Fix]:
        """The fixes from `begin` until before `end`."""
        return [fix for fix in self.fixes if begin <= fix.t < end]


def drives(data: Path) -> list[Drive]:
    """All drives of the data set, with their truth where there is some."""
    truth = _segments(data / "segments.csv")
    found = []
    with (data / "drives.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            path = data / row["set"] / f"{row['drive']}.csv.gz"
            if path.exists():
                drive = read(path, row["set"], row["drive"])
                drive.segments = truth.get((row["set"], row["drive"]), [])
                found.append(drive)
    return found


def drives_by_speed(data: Path) -> list[Drive]:
    """The drives that drives.csv does not list."""
    found = []
    for path in sorted((data / BY_SPEED).glob("*.csv.gz")):
        drive = read(path, BY_SPEED, f"{BY_SPEED} {path.name.removesuffix('.csv.gz')}")
        drive.segments = _by_speed(drive)
        found.append(drive)
    return found


def _by_speed(drive: Drive) -> list[Segment]:
    """Moves and stops by the receiver's own speed."""
    marks = [(fix.t, (fix.speed or 0) > MOVING_MPS, fix.speed or 0.0) for fix in drive.fixes]
    stretches: list[tuple[bool, float, float, float]] = []
    for (t, is_moving, speed), (after, _, _) in pairwise(marks):
        way = speed * (after - t)
        if stretches and stretches[-1][0] == is_moving:
            stretches[-1] = (is_moving, stretches[-1][1], after, stretches[-1][3] + way)
        else:
            stretches.append((is_moving, t, after, way))
    segments: list[Segment] = []
    for is_moving, begin, end, way in stretches:
        kind = "move" if is_moving or (segments and end - begin < SHORTEST_REST_S) else "stop"
        if segments and segments[-1].kind == kind:
            segments[-1] = Segment(kind, segments[-1].begin, end, segments[-1].distance + way)
        else:
            segments.append(Segment(kind, begin, end, way))
    return segments


def read(path: Path, group: str, name: str) -> Drive:
    """Reads the CSV of one drive."""
    drive = Drive(group, name, path)
    opened = gzip.open if path.suffix == ".gz" else open
    magnitudes: list[tuple[float, float]] = []
    with opened(path, "rt", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            t = float(row["t_s"])
            drive.seconds = t
            if row.get("ax"):
                magnitudes.append((t, math.hypot(float(row["ax"]), float(row["ay"]), float(row["az"]))))
            if row.get("lat"):
                drive.fixes.append(_fix(drive, t, row))
            if row.get("ref_speed_mps"):
                drive.wheel_speed.append((t, float(row["ref_speed_mps"])))
    if len(magnitudes) > 1 and magnitudes[-1][0] > magnitudes[0][0]:
        drive.sample_rate = (len(magnitudes) - 1) / (magnitudes[-1][0] - magnitudes[0][0])
        drive.windows = _windows(magnitudes)
    return drive


def standing_captures(data: Path, names: list[str], folder: Path) -> list[Drive]:
    """Captures of standing receivers (`gpsd-golden`) as CSV, which has no dates: theirs are too old for trackerd."""
    found = []
    for name in names:
        source = data / "gpsd-golden" / f"{name}.json.gz"
        if source.exists():
            path = folder / f"{name}.csv"
            _write_capture(source, path)
            found.append(read(path, "gpsd-golden", name))
    return found


def _segments(path: Path) -> dict[tuple[str, str], list[Segment]]:
    truth = defaultdict(list)
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            segment = Segment(row["kind"], float(row["t_start"]), float(row["t_end"]), float(row["dist_m"] or 0))
            truth[row["set"], row["drive"]].append(segment)
    return dict(truth)


def _fix(drive: Drive, t: float, row: dict[str, str]) -> Fix:
    lat, lon = float(row["lat"]), float(row["lon"])
    drive.plane = drive.plane or Plane.touching(lat, lon)
    speed, accuracy = (float(row[key]) if row.get(key) else None for key in ("speed_mps", "hacc_m"))
    return Fix(t, lat, lon, drive.plane.point(lat, lon), speed, accuracy)


def _windows(magnitudes: list[tuple[float, float]]) -> list[tuple[float, float]]:
    seconds = defaultdict(list)
    for t, magnitude in magnitudes:
        seconds[int(t)].append(magnitude)
    return [(second + 0.5, _deviation(values)) for second, values in sorted(seconds.items()) if len(values) > 2]


def _deviation(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def _write_capture(source: Path, path: Path) -> None:
    reports: dict[float, dict[str, float]] = {}
    with gzip.open(source, "rt", encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                report = json.loads(line)
            except json.JSONDecodeError:
                continue
            if report.get("class") == "TPV" and report.get("time") and report.get("mode", 0) >= 2 and "lat" in report:
                reports.setdefault(datetime.fromisoformat(report["time"]).timestamp(), {}).update(report)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["t_s", "lat", "lon", "alt_m", "speed_mps", "course_deg", "hacc_m"])
        first = min(reports, default=0.0)
        for time, report in sorted(reports.items()):
            # gpsd's eph is the 95 % error; of two dimensions that is 2.45 standard deviations, and 68 % are 1.51.
            accuracy = f"{report['eph'] * 1.51 / 2.45:.2f}" if "eph" in report else ""
            cells = [report.get(key, "") for key in ("lat", "lon", "alt", "speed", "track")]
            writer.writerow([f"{time - first:.3f}", *cells, accuracy])
