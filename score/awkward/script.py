"""Writes what happens to a vehicle second by second, and what its sensors report of it."""

import csv
import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from geometry import Plane, Point
from recording import Drive, Segment, read

from awkward.vibration import RATE_HZ, Vibration, Window

#: Where all scenarios begin: Amsterdam.
PLANE = Plane.touching(52.374031, 4.889692)
#: Acceleration and braking in traffic, m/s².
GAIN_MPS2, BRAKE_MPS2 = 1.5, 2.0
STEPS_PER_SECOND = 10


@dataclass(frozen=True)
class Sky:
    """How well the receiver sees: standard deviation of its error in metres, and how long an error lasts in seconds."""

    error: float = 2.0
    memory: float = 60.0
    #: The error that the receiver states, 68 %; None: it is silent, as a CSV drive cannot express "no fix".
    stated: float | None = 4.5
    #: Added to each position: a receiver that is wrong.
    shift: Point = (0.0, 0.0)


OPEN = Sky()
BLIND = Sky(stated=None)


@dataclass(frozen=True)
class Second:
    """The truth of a second."""

    at: Point
    speed: float
    course: float
    is_parked: bool
    sky: Sky
    window: Window


class Script:
    """A vehicle's history in phases. Parked and carried phases end trips; standing ones do not."""

    def __init__(self, seed: int = 1, *, speed_noise: float = 0.15) -> None:
        """Begins at the origin, heading east."""
        self.seconds: list[Second] = []
        self.sky = OPEN
        self.factor = 1.0
        self.level: float | None = None
        self.course = 90.0
        self._at: Point = (0.0, 0.0)
        self._vibration = Vibration(seed)
        self._random = random.Random(seed + 1)
        self._speed_noise = speed_noise

    @property
    def random(self) -> random.Random:
        """Chance for phases, the same for the same seed."""
        return self._random

    def park(self, seconds: float, level: float | None = None) -> "Script":
        """The engine is off; with `level`, something shakes the vehicle."""
        for _ in range(round(seconds)):
            self._add(0.0, is_parked=True, window=self._vibration.at_rest(level))
        return self

    def stand(self, seconds: float, level: float | None = None) -> "Script":
        """Standing in traffic: the trip goes on."""
        for _ in range(round(seconds)):
            self._add(0.0, is_parked=False, window=self._vibration.at_rest(level))
        return self

    def drive(self, metres: float, top: float = 13.9, bend: float = 0.0) -> "Script":
        """From rest to rest; `bend` is the change of course in degrees per metre, positive to the right."""
        left, speed = metres, 0.0
        while left > 0.05:
            for _ in range(STEPS_PER_SECOND):
                speed = min(top, speed + GAIN_MPS2 / STEPS_PER_SECOND, max(0.3, math.sqrt(2 * BRAKE_MPS2 * left)))
                step = min(left, speed / STEPS_PER_SECOND)
                left -= step
                self._move(step, bend)
            self._add(speed if left > 0.05 else 0.0, is_parked=False)
        return self

    def roll(self, metres: float, speed: float, bend: float = 0.0) -> "Script":
        """At constant speed, as on a ship, a train or a lorry, or in the middle of a drive."""
        seconds = max(1, round(metres / speed))
        for _ in range(seconds):
            for _ in range(STEPS_PER_SECOND):
                self._move(metres / seconds / STEPS_PER_SECOND, bend)
            self._add(metres / seconds, is_parked=False)
        return self

    def carry(self, metres: float, speed: float) -> "Script":
        """Parked on a ship, a train or a lorry that moves at constant speed."""
        seconds = max(1, round(metres / speed))
        for _ in range(seconds):
            self._move(metres / seconds, 0.0)
            self._add(metres / seconds, is_parked=True)
        return self

    def follow(self, track: Iterable[tuple[float, Point, float]]) -> "Script":
        """Along a recorded track of a fix per second: time, place and speed."""
        origin: Point | None = None
        begin = self._at
        for _, (east, north), speed in track:
            origin = origin or (east, north)
            before, self._at = self._at, (begin[0] + east - origin[0], begin[1] + north - origin[1])
            if math.dist(before, self._at) > 1:
                self.course = math.degrees(math.atan2(self._at[0] - before[0], self._at[1] - before[1])) % 360
            self._add(speed, is_parked=False)
        return self

    def turn(self, degrees: float) -> "Script":
        """Turns on the spot, positive to the right."""
        self.course = (self.course + degrees) % 360
        return self

    def under(self, sky: Sky) -> "Script":
        """Changes the receiver's view from here on."""
        self.sky = sky
        return self

    def ride(self, factor: float = 1.0, level: float | None = None) -> "Script":
        """Changes how the road shakes from here on: a multiple of the recording, or a standard deviation in m/s²."""
        self.factor, self.level = factor, level
        return self

    def drive_as_felt(self, path: Path, *, is_felt: bool) -> Drive:
        """Writes the reports of the sensors, with accelerations if `is_felt`, and reads them as a drive with its truth."""
        noise = _Receiver(random.Random(self._random.random()), self._speed_noise)
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["t_s", "ax", "ay", "az", "lat", "lon", "alt_m", "speed_mps", "course_deg", "hacc_m"])
            for t, second in enumerate(self.seconds):
                fix = noise.report(second)
                if not is_felt:
                    writer.writerow([t, "", "", "", *fix])
                    continue
                for index, (x, y, z) in enumerate(second.window):
                    cells = fix if index == 0 else [""] * 6
                    writer.writerow([f"{t + index / RATE_HZ:.1f}", f"{x:.3f}", f"{y:.3f}", f"{z:.3f}", *cells])
        drive = read(path, "awkward", path.stem)
        drive.plane = PLANE
        drive.seconds = float(len(self.seconds))
        drive.segments = self.segments()
        return drive

    def segments(self) -> list[Segment]:
        """Stretches parked (`stop`) and under way (`move`)."""
        found: list[Segment] = []
        begin = 0
        for t in range(1, len(self.seconds) + 1):
            if t == len(self.seconds) or self.seconds[t].is_parked != self.seconds[begin].is_parked:
                kind = "stop" if self.seconds[begin].is_parked else "move"
                found.append(Segment(kind, float(begin), float(t), self.distance(begin, t)))
                begin = t
        return found

    def distance(self, begin: int, end: int) -> float:
        """Metres driven between two seconds, without those that the vehicle was carried."""
        return sum(second.speed for second in self.seconds[begin:end] if not second.is_parked)

    def track(self, begin: float, end: float) -> list[tuple[float, Point]]:
        """Times and true places from `begin` to `end`."""
        return [(float(t), self.seconds[t].at) for t in range(int(begin), min(int(end) + 1, len(self.seconds)))]

    def place(self, t: float) -> Point:
        """The true place at a time."""
        return self.seconds[min(max(0, int(t)), len(self.seconds) - 1)].at

    def _move(self, step: float, bend: float) -> None:
        self.course = (self.course + bend * step) % 360
        angle = math.radians(self.course)
        self._at = (self._at[0] + step * math.sin(angle), self._at[1] + step * math.cos(angle))

    def _add(self, speed: float, *, is_parked: bool, window: Window | None = None) -> None:
        window = window or self._vibration.at_speed(speed, self.factor, self.level)
        self.seconds.append(Second(self._at, speed, self.course, is_parked, self.sky, window))


class _Receiver:
    """Makes reports: errors wander as those of receivers do (a Gauss-Markov process, with a tenth of white noise)."""

    def __init__(self, chance: random.Random, speed_noise: float) -> None:
        self._random, self._speed_noise = chance, speed_noise
        self._wander = [chance.gauss(0, 1), chance.gauss(0, 1)]

    def report(self, second: Second) -> Sequence[object]:
        """The cells of a fix: latitude, longitude, altitude, speed, course, error; empty ones if the receiver is silent."""
        sky, chance = second.sky, self._random
        kept = math.exp(-1 / sky.memory)
        self._wander = [kept * w + math.sqrt(1 - kept * kept) * chance.gauss(0, 1) for w in self._wander]
        if sky.stated is None:
            return [""] * 6
        east, north = (
            here + shift + sky.error * (w + 0.1 * chance.gauss(0, 1))
            for here, shift, w in zip(second.at, sky.shift, self._wander, strict=True)
        )
        speed = math.hypot(second.speed + chance.gauss(0, self._speed_noise), chance.gauss(0, self._speed_noise))
        course = f"{second.course:.1f}" if speed > 1 else ""
        lat, lon = PLANE.lat + north / PLANE.metres_per_lat, PLANE.lon + east / PLANE.metres_per_lon
        return [f"{lat:.7f}", f"{lon:.7f}", "3.0", f"{speed:.2f}", course, f"{sky.stated:.1f}"]
