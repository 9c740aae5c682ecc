"""The demo's quarter of an hour: a recorded drive, made longer by parked stretches, as a CSV folder and as NMEA.

One timeline, written twice: the tracker's simulated accelerometer reads the CSV, gpsd is fed with the NMEA.
"""

import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

INERTIAL = ["ax", "ay", "az", "gx", "gy", "gz"]
FIX = ["lat", "lon", "alt_m", "speed_mps", "course_deg", "hacc_m", "ref_speed_mps"]
COLUMNS = ["t_s", *INERTIAL, *FIX]

#: The instant of the timeline's beginning.
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)

#: Seconds of the recording in which the car stands and nobody touches the device; what parked stretches are made of.
REST_BEGIN, REST_END = 1.0, 8.0

#: Fixes that follow one another faster than this are one epoch (the recording repeats its first).
CLOSEST_FIXES = 0.5

#: gpsd gives 19 m times HDOP as its 95 % error; this makes that of the recording's 68 % accuracy.
ACCURACY_PER_HDOP = 11.0

METRES_PER_SECOND_IN_A_KNOT = 1852 / 3600

Row = dict[str, str]


@dataclass(frozen=True)
class Parked:
    """A stretch at rest, with its length in seconds."""

    seconds: float


@dataclass(frozen=True)
class Timeline:
    """Rows in order of their time, in the columns of the recording."""

    rows: list[tuple[float, Row]]

    @property
    def seconds(self) -> float:
        """The length."""
        return self.rows[-1][0]

    @classmethod
    def of(cls, recording: Path, plan: list["Parked | None"]) -> Self:
        """Puts the recording wherever the plan has `None`, and its standing seconds where it has `Parked`."""
        with gzip.open(recording, "rt", newline="", encoding="utf-8") as file:
            drive = [(float(row["t_s"]), row) for row in csv.DictReader(file)]
        fixes = [row for _, row in drive if row["lat"]]
        rows: list[tuple[float, Row]] = []
        begin, place = 0.0, fixes[0]
        for part in plan:
            if part is None:
                rows += [(begin + t, row) for t, row in drive]
                begin, place = begin + drive[-1][0] + 0.04, fixes[-1]
            else:
                rows += [(begin + t, row) for t, row in _parked(part.seconds, drive, place)]
                begin += part.seconds
        return cls(rows)

    def write_csv(self, path: Path) -> None:
        """Writes all rows, with the time counted from the beginning of the timeline."""
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows({**row, "t_s": f"{t:.3f}"} for t, row in self.rows)

    def write_nmea(self, path: Path, lead: int, trail: int) -> int:
        """Writes an RMC and a GGA for each fix, with standing seconds before and after; the number of epochs."""
        epochs = list(self._epochs(lead, trail))
        with path.open("w", newline="", encoding="ascii") as file:
            for t, row in epochs:
                file.write(_sentence(_rmc(t, row)) + _sentence(_gga(t, row)))
        return len(epochs)

    def _epochs(self, lead: int, trail: int) -> Iterator[tuple[float, Row]]:
        fixes = [(t, row) for t, row in self.rows if row["lat"]]
        yield from ((float(second), fixes[0][1]) for second in range(-lead, 0))
        last = -1.0
        for t, row in fixes:
            if t - last >= CLOSEST_FIXES:
                yield t, row
                last = t
        yield from ((last + second, fixes[-1][1]) for second in range(1, trail + 1))


def _parked(seconds: float, drive: list[tuple[float, Row]], place: Row) -> Iterator[tuple[float, Row]]:
    """The recording's standing seconds over and over, with a fix of the same place once a second."""
    rest = [(t - REST_BEGIN, row) for t, row in drive if REST_BEGIN <= t < REST_END]
    standing = {column: place[column] for column in FIX} | {"speed_mps": "0"}
    nothing = dict.fromkeys(FIX, "")
    begin, next_fix = 0.0, 0.0
    while True:
        for offset, row in rest:
            t = begin + offset
            if t >= seconds:
                return
            fix = standing if t >= next_fix else nothing
            next_fix += 1 if fix is standing else 0
            yield t, {column: row[column] for column in INERTIAL} | fix
        begin += REST_END - REST_BEGIN


def _rmc(t: float, row: Row) -> str:
    time = EPOCH + timedelta(seconds=t)
    knots = float(row["speed_mps"]) / METRES_PER_SECOND_IN_A_KNOT
    return f"GPRMC,{_clock(time)},A,{_place(row)},{knots:.2f},{float(row['course_deg']):.2f},{time:%d%m%y},,,A"


def _gga(t: float, row: Row) -> str:
    time = EPOCH + timedelta(seconds=t)
    hdop = float(row["hacc_m"]) / ACCURACY_PER_HDOP
    return f"GPGGA,{_clock(time)},{_place(row)},1,08,{hdop:.2f},{float(row['alt_m']):.1f},M,0.0,M,,"


def _clock(time: datetime) -> str:
    return f"{time:%H%M%S}.{time.microsecond // 10_000:02d}"


def _place(row: Row) -> str:
    lat, lon = float(row["lat"]), float(row["lon"])
    return f"{_angle(lat, 2)},{'N' if lat >= 0 else 'S'},{_angle(lon, 3)},{'E' if lon >= 0 else 'W'}"


def _angle(degrees: float, digits: int) -> str:
    whole, minutes = divmod(round(abs(degrees) * 60, 5), 60)
    return f"{whole:0{digits}.0f}{minutes:08.5f}"


def _sentence(text: str) -> str:
    checksum = 0
    for character in text.encode("ascii"):
        checksum ^= character
    return f"${text}*{checksum:02X}\r\n"
