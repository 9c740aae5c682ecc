"""The distance of a drive, beside what a better instrument measured."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from figures import Case, Row, bounded
from playback import Run
from recording import Drive
from truth import distance_by_fixes, split_seconds, trips

#: On shorter ways the first and the last second are more than one in a hundred.
SHORTEST_WAY_M = 2000.0
#: Over a longer gap a speed is no distance any more.
LONGEST_GAP_S = 30.0
#: Recordings that another recording of the same drive, made with a better instrument, is the reference of.
REFERENCES = {"turin-gnss": "turin-reference"}


def odometer_rows(runs: Iterable[Run], drives: Mapping[str, Drive]) -> list[Row]:
    """Relative errors: against independent instruments, then against the receiver's own speed and its own fixes."""
    independent, by_speed, by_fixes = [], [], []
    for run in runs:
        true = trips(run.drive, split_seconds(run.drive))
        got = run.summary["distance_m"]
        if not true or got < SHORTEST_WAY_M:
            continue
        # A recording that begins on the road: nobody counts what comes before the first good fixes.
        begin = true[0].begin if true[0].rest_before else max(true[0].begin, run.moving[0].begin)
        end = true[-1].end
        if instrument := reference(run.drive, begin, end, drives):
            independent.append(_case(run, got, *instrument))
        if by_doppler := integral([(f.t, f.speed) for f in run.drive.between(begin, end) if f.speed is not None]):
            by_speed.append(_case(run, got, by_doppler, "integral of the receiver's speed"))
        by_fixes.append(_case(run, got, distance_by_fixes(run.drive, begin, end), "steps between fixes"))
    figure, to_reach = "odometer against", "within 1 %"
    return [
        bounded("odometer", f"{figure} an independent reference", to_reach, independent, "%", lambda v: max(v) <= 1),
        bounded("odometer-speed", f"{figure} the integral of the speed", "(to compare)", by_speed, "%"),
        bounded("odometer-fixes", f"{figure} the sum of all steps", "(to compare)", by_fixes, "%"),
    ]


def reference(drive: Drive, begin: float, end: float, drives: Mapping[str, Drive]) -> tuple[float, str] | None:
    """Metres, and what measured them; nothing without an independent instrument."""
    better = drives.get(REFERENCES.get(drive.name, ""))
    if better:
        return distance_by_fixes(better, begin, end), better.name
    if drive.wheel_speed:
        metres = integral([(t, v) for t, v in drive.wheel_speed if begin <= t <= end])
        return (metres, "speed of the wheels") if metres else None
    return None


def integral(speeds: Sequence[tuple[float, float]]) -> float | None:
    """Metres; None if the speed is unknown for too long to give a useful distance."""
    steps = list(pairwise(speeds))
    if not steps or max(t2 - t1 for (t1, _), (t2, _) in steps) > LONGEST_GAP_S:
        return None
    return sum((t2 - t1) * (v1 + v2) / 2 for (t1, v1), (t2, v2) in steps)


def _case(run: Run, got: float, reference_m: float, name: str) -> Case:
    percent = 100 * (got - reference_m) / reference_m
    return Case(run.drive.name, 0.0, abs(percent), f"{percent:+.2f} %: {got:.0f} m, {name} {reference_m:.0f} m")
