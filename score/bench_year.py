"""Replays a year of driving, and counts seconds and memory.

Usage: bench_year.py --trackerd PROGRAM --data FOLDER

A year is all drives of the data set that have fixes, over and over, with a night parked after each. Times are processor
time of the one thread that a replay has.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from judge_odometer import REFERENCES
from recording import SLOWEST_ACCELEROMETER_HZ

DAY_S, NIGHT_S = 86_400.0, 8 * 3600.0
DAYS = 365
#: Rates are taken from the difference of a short and a long run, so that reading and starting do not count.
FEW_TIMES, MANY_TIMES = 5, 45
#: An accelerometer as trackerd's chips give it.
SLOWEST_HZ, FASTEST_HZ = 20.0, 30.0


@dataclass(frozen=True)
class Recording:
    """The row of drives.csv for a drive."""

    path: Path
    seconds: float
    fixes: int
    samples: int
    rate: float


@dataclass(frozen=True)
class Cost:
    """What a replay took."""

    seconds: float
    kilobytes: int


def main() -> int:
    """Measures; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trackerd", type=Path, required=True, help="the program to measure")
    parser.add_argument("--data", type=Path, required=True, help="folder with drives.csv and the drives")
    arguments = parser.parse_args()
    trackerd, drives = arguments.trackerd.resolve(), recordings(arguments.data)
    with_fixes = [drive for drive in drives if drive.fixes]
    round_days = sum(drive.seconds + NIGHT_S for drive in with_fixes) / DAY_S
    times = round(DAYS / round_days)
    one = replay(trackerd, with_fixes, 1, NIGHT_S)
    year = replay(trackerd, with_fixes, times, NIGHT_S)
    fixes, samples = times * sum(d.fixes for d in with_fixes), times * sum(d.samples for d in with_fixes)
    print(f"{times * round_days:.0f} days, {times * len(with_fixes)} drives, {fixes} fixes, {samples} samples")
    print(f"{'the year':<44}{year.seconds:>12.1f} s")
    print(f"{'memory at its highest':<44}{year.kilobytes / 1024:>12.1f} MiB")
    print(f"{'the same for the first ' + format(round_days, '.0f') + ' days':<44}{one.kilobytes / 1024:>12.1f} MiB")
    still = [drive for drive in with_fixes if drive.rate < SLOWEST_ACCELEROMETER_HZ]
    shaking = [d for d in drives if SLOWEST_HZ <= d.rate <= FASTEST_HZ]
    print(f"{'fixes a second, no accelerometer':<44}{speed(trackerd, still, lambda d: d.fixes):>12.0f}")
    if shaking:
        print(f"{'samples a second, accelerometer at 25 Hz':<44}{speed(trackerd, shaking, lambda d: d.samples):>12.0f}")
    return 0


def recordings(data: Path) -> list[Recording]:
    """All drives of the data set, references excepted."""
    with (data / "drives.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["drive"] not in REFERENCES.values()]
    return [
        Recording(
            path=(data / row["set"] / f"{row['drive']}.csv.gz").resolve(),
            seconds=float(row["duration_s"]),
            fixes=int(row["gps_rows"] or 0),
            samples=int(row["imu_rows"] or 0),
            rate=float(row["imu_hz"] or 0),
        )
        for row in rows
    ]


def speed(trackerd: Path, drives: list[Recording], counted: Callable[[Recording], int]) -> float:
    """How many of something are replayed a second, once the drives are read."""
    few, many = (replay(trackerd, drives, times, 60) for times in (FEW_TIMES, MANY_TIMES))
    return (MANY_TIMES - FEW_TIMES) * sum(map(counted, drives)) / (many.seconds - few.seconds)


def replay(trackerd: Path, drives: list[Recording], times: int, gap: float) -> Cost:
    """Replays the drives that number of times."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as names:
        names.write("".join(f"{drive.path}\n" for drive in drives))
        names.flush()
        command = [str(trackerd), "replay", "--summary", "--drives-from", names.name]
        command += ["--repeat", str(times), "--gap", str(gap)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"bench-year: trackerd replay ended with {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


if __name__ == "__main__":
    sys.exit(main())
