"""Accelerations of one second each, recorded in a real car (demo/drive), for scenarios of any length."""

import csv
import gzip
import math
import random
from functools import cache
from pathlib import Path

#: Its README names origin and licence.
RECORDING = Path(__file__).resolve().parents[2] / "demo/drive/sample_trip.csv.gz"
#: Samples per second in a scenario; trackerd's chips give 10 or 25.
RATE_HZ = 10
#: Up to this speed of the recorded car it stands; below this vibration nobody opens a door or starts the engine.
STANDING_MPS, RESTING_MPS2 = 0.1, 0.035
#: Speeds at which the vibration of the recorded car differs.
SLOW_MPS, TOWN_MPS = 4.0, 9.0

Sample = tuple[float, float, float]
Window = list[Sample]


class Vibration:
    """Chooses recorded windows at random, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        """Starts the sequence of `seed`."""
        self._random = random.Random(seed)

    def at_rest(self, level: float | None = None) -> Window:
        """A second parked with the engine off; with `level`, a disturbed one with that standard deviation in m/s²."""
        return self._choose("rest") if level is None else scaled_to(level, self._choose("town"))

    def at_speed(self, speed: float, factor: float = 1.0, level: float | None = None) -> Window:
        """A second on the road: the recorded vibration multiplied by `factor`, or scaled to `level` in m/s²."""
        window = self._choose("slow" if speed < SLOW_MPS else "town" if speed < TOWN_MPS else "fast")
        return scaled(factor, window) if level is None else scaled_to(level, window)

    def _choose(self, kind: str) -> Window:
        windows = recorded()[kind]
        return windows[self._random.randrange(len(windows))]


def deviation(window: Window) -> float:
    """The standard deviation of the magnitude, m/s²."""
    magnitudes = [math.hypot(*sample) for sample in window]
    mean = sum(magnitudes) / len(magnitudes)
    return math.sqrt(sum((m - mean) ** 2 for m in magnitudes) / len(magnitudes))


def scaled(factor: float, window: Window) -> Window:
    """The same window with its deviations from the mean multiplied."""
    x, y, z = (sum(axis) / len(window) for axis in zip(*window, strict=True))
    return [(x + factor * (a - x), y + factor * (b - y), z + factor * (c - z)) for a, b, c in window]


def scaled_to(level: float, window: Window) -> Window:
    """The same window with a standard deviation of `level`."""
    return scaled(level / max(deviation(window), 0.01), window)


@cache
def recorded() -> dict[str, list[Window]]:
    """The windows of the recording by what the car did: rest, slow, town, fast."""
    seconds: dict[int, Window] = {}
    speeds: dict[int, float] = {}
    with gzip.open(RECORDING, "rt", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            second = int(float(row["t_s"]))
            seconds.setdefault(second, []).append((float(row["ax"]), float(row["ay"]), float(row["az"])))
            if row["speed_mps"]:
                speeds[second] = float(row["speed_mps"])
    kinds: dict[str, list[Window]] = {"rest": [], "slow": [], "town": [], "fast": []}
    for second, samples in seconds.items():
        if len(samples) >= 2 * RATE_HZ and second in speeds:
            window = [samples[index * len(samples) // RATE_HZ] for index in range(RATE_HZ)]
            if kind := _kind(speeds[second], window):
                kinds[kind].append(window)
    return kinds


def _kind(speed: float, window: Window) -> str | None:
    if speed <= STANDING_MPS:
        return "rest" if deviation(window) <= RESTING_MPS2 else None
    return "slow" if speed < SLOW_MPS else "town" if speed < TOWN_MPS else "fast"
