"""Days of driving with parking between the trips: recorded trips, joined by generated hours at rest.

A trip of a recorded drive lasts from the end of one stop to the beginning of another. Trip after trip is laid end to end, so
that the vehicle stays parked where it arrived. Its accelerations are the recorded seconds of `awkward/vibration.py`.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from awkward.script import Script, Sky
from figures import Case, Row, bounded
from geometry import Point
from judge_starts import delays
from judge_stops import stop_rows
from judge_trips import false_start_row, trip_rows
from playback import Run, play
from recording import Drive, Fix
from truth import has_truth

DAYS, TRIPS_A_DAY = 12, 5
#: A recorded stop at which a drive is cut, the length of a trip in seconds, and the longest gap between two fixes.
CUT_STOP_S, SHORTEST_S, LONGEST_S, GAP_S = 3.0, 60.0, 2400.0, 3.0
#: Shorter ways are shunting; the awkward scenarios have those.
SHORTEST_M = 250.0
#: Stops near `stopTimeout` would make it a matter of definition how many trips there are.
LONGEST_STOP_S = 120.0
#: Minutes parked between two trips, and at the end of the day.
SHORTEST_PARKING_MIN, LONGEST_PARKING_MIN = 10, 50
#: A start is seen by then; without an accelerometer the position is checked every 30 s.
FELT_START_S, UNFELT_START_S = 10.0, 45.0
#: The recorded fixes have errors already.
RECORDED = Sky(error=0.5)

Track = list[tuple[float, Point, float]]


@dataclass(frozen=True)
class DaysPlayed:
    """What trackerd did on all days."""

    felt: list[Run]
    unfelt: list[Run]


def play_days(trackerd: Path, drives: Iterable[Drive], folder: Path) -> DaysPlayed:
    """Plays each day with and without an accelerometer."""
    tracks = [track for drive in drives if has_truth(drive) for track in cut(drive)]
    random.Random(1).shuffle(tracks)
    played = DaysPlayed([], [])
    for number in range(min(DAYS, len(tracks) // TRIPS_A_DAY)):
        chosen = tracks[number * TRIPS_A_DAY : (number + 1) * TRIPS_A_DAY]
        for is_felt, runs in ((True, played.felt), (False, played.unfelt)):
            path = folder / f"day {number + 1}{'' if is_felt else ', no accelerometer'}.csv"
            runs.append(play(trackerd, day(number, chosen).drive_as_felt(path, is_felt=is_felt)))
            path.unlink()
    return played


def cut(drive: Drive) -> list[Track]:
    """The trips that a drive can be cut into, one after the other."""
    tracks: list[Track] = []
    begin: float | None = None
    for segment in drive.segments:
        is_too_long = segment.kind == "stop" and segment.seconds > LONGEST_STOP_S
        if segment.kind == "stop" and segment.seconds >= CUT_STOP_S:
            if begin is not None and SHORTEST_S <= segment.begin - begin <= LONGEST_S:
                track = seconds(drive.between(begin, segment.begin + 1))
                is_trip = track is not None and sum(speed for _, _, speed in track) >= SHORTEST_M
                tracks += [track] if track and is_trip else []
                begin = segment.end
            elif begin is None or is_too_long or segment.begin - begin > LONGEST_S:
                begin = segment.end
        elif segment.kind == "unknown":
            begin = None
    return tracks


def seconds(fixes: Sequence[Fix]) -> Track | None:
    """A fix each second, with those between two fixes interpolated; None if a gap is too long or a speed is missing."""
    track: Track = []
    for before, after in pairwise(fixes):
        if after.t - before.t > GAP_S or before.speed is None:
            return None
        t = float(len(track)) + fixes[0].t
        while before.t <= t < after.t:
            share = (t - before.t) / (after.t - before.t)
            (x1, y1), (x2, y2) = before.at, after.at
            track.append((t, (x1 + share * (x2 - x1), y1 + share * (y2 - y1)), before.speed))
            t += 1.0
    return track or None


def day(number: int, tracks: Iterable[Track]) -> Script:
    """Parked, a trip, parked, and so on."""
    script = Script(number + 1)
    chance = random.Random(number)

    def park() -> None:
        script.under(Sky()).park(60 * chance.uniform(SHORTEST_PARKING_MIN, LONGEST_PARKING_MIN))

    park()
    for track in tracks:
        script.under(RECORDED).follow(track)
        park()
    return script


def day_rows(played: DaysPlayed) -> list[Row]:
    """The figures of all days, with and without an accelerometer."""
    return [*_rows(played.felt, "", "felt"), *_rows(played.unfelt, ", no accelerometer", "unfelt")]


def _rows(runs: list[Run], suffix: str, key: str) -> list[Row]:
    found = [*trip_rows(runs), false_start_row(runs), *stop_rows(runs)]
    latest = UNFELT_START_S if suffix else FELT_START_S
    seen = [case for run in runs for case in delays(run)]
    dated = [
        Case(run.drive.name, trip.begin, abs(stay.record.t - trip.begin), stay.reason)
        for run in runs
        for trip in run.drive.segments
        if trip.kind == "move"
        for stay in run.moving
        if stay.record and trip.begin - 5 <= stay.begin < trip.end
    ]
    rows = [
        *found,
        bounded("start", "start seen", f"worst ≤ {latest:.0f} s", seen, "s", lambda values: max(values) <= latest),
        bounded("start-dated", "start as dated", "(to compare)", dated, "s"),
        _records_row(runs),
    ]
    for row in rows:
        row.key, row.figure = f"days-{key}-{row.key}", f"days{suffix}: {row.figure}"
    return rows


def _records_row(runs: list[Run]) -> Row:
    kilometres = sum(segment.distance for run in runs for segment in run.drive.segments if segment.kind == "move") / 1000
    records = sum(len(run.records) for run in runs)
    return Row("records", "records per kilometre", "(to compare)", f"{records / max(kilometres, 1):.2f}", None)
