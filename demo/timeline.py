"""The demo's drive: a stretch of a recording, made longer by parked stretches, as a CSV folder and as NMEA.

One timeline, written twice: the tracker's simulated accelerometer reads the CSV, gpsd is fed with the NMEA.
"""

import csv
import gzip
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from typing import Self

INERTIAL = ["ax", "ay", "az", "gx", "gy", "gz"]
FIX = ["lat", "lon", "alt_m", "speed_mps", "course_deg", "hacc_m", "ref_speed_mps"]
COLUMNS = ["t_s", *INERTIAL, *FIX]

#: The instant of the timeline's beginning.
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)

#: The recording of the accelerometer, its rate in Hz, and its seconds in which the car stands and in which it drives.
SHAKING, RATE = Path(__file__).parent / "drive" / "sample_trip.csv.gz", 26
STILL, DRIVING = (1.0, 8.0), (118.0, 162.0)

#: Below this speed, in m/s, the car stands.
STANDSTILL = 0.5

#: gpsd gives 19 m times HDOP as its 95 % error; this makes that of the recording's 68 % accuracy.
ACCURACY_PER_HDOP = 11.0

METRES_PER_SECOND_IN_A_KNOT = 1852 / 3600

Row = dict[str, str]


@dataclass(frozen=True)
class Parked:
    """A stretch at rest, with its length in seconds."""

    seconds: int


@dataclass(frozen=True)
class Driven:
    """The stretch of the recording between two of its times, in seconds."""

    begin: int
    end: int


@dataclass(frozen=True)
class Timeline:
    """A fix for each second, in the columns of the recording."""

    fixes: list[Row]

    @property
    def seconds(self) -> int:
        """The length."""
        return len(self.fixes)

    @classmethod
    def of(cls, recording: Path, plan: list[Parked | Driven]) -> Self:
        """Puts the stretches together; the receiver repeats its last place while the vehicle is parked."""
        recorded = [row for row in _rows(recording) if row["lat"]]
        fixes: list[Row] = []
        for part in plan:
            if isinstance(part, Driven):
                fixes += [row for row in recorded if part.begin <= float(row["t_s"]) < part.end]
            else:
                fixes += [(fixes or recorded)[-1 if fixes else 0] | {"speed_mps": "0"}] * part.seconds
        return cls(fixes)

    def write_csv(self, path: Path) -> None:
        """Writes the fixes, and between them the accelerometer of a car that stands or drives as they say."""
        still, driving = (cycle(_inertial(*stretch)) for stretch in (STILL, DRIVING))
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            for second, fix in enumerate(self.fixes):
                samples = still if float(fix["speed_mps"]) < STANDSTILL else driving
                for part in range(RATE):
                    place = {column: fix[column] for column in FIX} if part == 0 else {}
                    writer.writerow({"t_s": f"{second + part / RATE:.3f}"} | next(samples) | place)

    def write_nmea(self, path: Path, lead: int, trail: int, interval: int = 1) -> None:
        """Writes an RMC and a GGA for a fix of each interval, in seconds, with standing seconds before and after."""
        fixes = [self.fixes[0]] * lead + self.fixes + [self.fixes[-1]] * trail
        with path.open("w", newline="", encoding="ascii") as file:
            for t, row in list(enumerate(fixes, -lead))[::interval]:
                file.write(_sentence(_rmc(t, row)) + _sentence(_gga(t, row)))


def _rows(recording: Path) -> list[Row]:
    with gzip.open(recording, "rt", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _inertial(begin: float, end: float) -> list[Row]:
    rows = [row for row in _rows(SHAKING) if begin <= float(row["t_s"]) < end]
    return [{column: row[column] for column in INERTIAL} for row in rows]


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
