"""Where and when the vehicle came to rest, as the record of the stop says."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from figures import Case, Row, bounded
from geometry import Point
from playback import Run, Stay
from recording import Fix, Segment

#: The first fixes of a rest may still roll; those of a stop's middle are the place.
SETTLE_S = 3.0
#: A stop of the truth may be a crawl: one whose halves lie farther apart than this has no place.
CREEP_M = 10.0
#: Rests that last this long let a stop be confirmed: `stopTimeout`, or with short timeouts several position checks.
CONFIRMED_S = 60.0
#: The largest error of the place where the vehicle is believed to be.
FARTHEST_M = 20.0


def stop_rows(runs: Iterable[Run], suffix: str = "", key: str = "") -> list[Row]:
    """Errors of place and time of each confirmed stop that the truth has too."""
    places, times = [], []
    for run in runs:
        for stay in run.stationary:
            rest = true_rest(run, stay)
            if rest is None or stay.record is None or stay.record.at is None:
                continue
            place = resting_place(run, rest)
            if place:
                error = math.dist(place, stay.record.at)
                places.append(Case(run.drive.name, rest.begin, error, f"rest of {rest.seconds:.0f} s"))
            late = stay.record.t - rest.begin
            times.append(Case(run.drive.name, rest.begin, abs(late), f"{late:+.1f} s, rest of {rest.seconds:.0f} s"))
    return [
        bounded(
            f"stop-place{key}",
            f"stop: place of the `motionchange`{suffix}",
            "≤ 10 m",
            places,
            "m",
            lambda v: max(v) <= 10,
        ),
        bounded(
            f"stop-time{key}", f"stop: time of the `motionchange`{suffix}", "≤ 5 s", times, "s", lambda v: max(v) <= 5
        ),
    ]


def believed_row(runs: Iterable[Run], suffix: str = "", key: str = "") -> Row:
    """Where the vehicle is believed to be after it has moved, as far as that may be: hops of a few metres count too.

    Judged at the end of each rest that lets a stop be confirmed, unless trackerd still doubts it.
    """
    cases = []
    for run in runs:
        for before, rest in pairwise(run.drive.segments):
            place = resting_place(run, rest)
            if before.kind != "move" or rest.kind != "stop" or rest.seconds < CONFIRMED_S or place is None:
                continue
            if any(stay.begin <= rest.end < stay.end for stay in run.moving):
                continue
            known = [r for r in run.records if r.at and r.kind == "motionchange" and r.written <= rest.end]
            if known and known[-1].at and creep(run, rest) <= CREEP_M:
                error, what = math.dist(place, known[-1].at), f"a move of {before.distance:.0f} m"
                cases.append(Case(run.drive.name, rest.end, error, f"after {what}, rest of {rest.seconds:.0f} s"))
    figure = f"place at the end of each rest above {CONFIRMED_S:.0f} s{suffix}"
    return bounded(f"believed{key}", figure, "≤ 20 m", cases, "m", lambda v: max(v) <= FARTHEST_M)


def true_rest(run: Run, stay: Stay) -> Segment | None:
    """The stop of the truth in which this one was confirmed."""
    segments = run.drive.segments
    # After a stretch without known speed nobody knows since when the vehicle rested.
    stops = (s for before, s in pairwise(segments) if s.kind == "stop" and before.kind == "move")
    rest = next((s for s in stops if s.begin <= stay.begin <= s.end), None)
    return rest if rest and creep(run, rest) <= CREEP_M else None


def creep(run: Run, rest: Segment) -> float:
    """How far the second half of a rest lies from its first, metres."""
    middle = (rest.begin + rest.end) / 2
    halves = run.drive.between(rest.begin, middle), run.drive.between(middle, rest.end)
    return math.dist(*map(_mean, halves)) if all(halves) else 0.0


def resting_place(run: Run, rest: Segment) -> Point | None:
    """The mean of the fixes at rest, all alike."""
    fixes = run.drive.between(rest.begin + SETTLE_S, rest.end - SETTLE_S)
    return _mean(fixes) if fixes else None


def _mean(fixes: Sequence[Fix]) -> Point:
    return sum(f.at[0] for f in fixes) / len(fixes), sum(f.at[1] for f in fixes) / len(fixes)
