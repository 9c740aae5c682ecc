"""How few points draw the track, and how well, beside Douglas-Peucker, which sees the whole drive first.

The track is what the vehicle drove, from the first second of a trip to its last: also before trackerd noticed the start, and
also where trackerd refused the fixes. Only fixes with an error above 30 m are left out, since they do not show where it was.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from figures import Case, Row, bounded
from geometry import Point, distances_from_line, douglas_peucker
from playback import Run
from truth import ACCURATE_M, has_truth, split_seconds, trips

#: How far a fix may lie from the line through the kept points.
TOLERANCE_M = 10.0
#: Shorter tracks are too few points to compare.
FEWEST_POINTS = 5
#: The most fixes of the data that may lie farther away.
LARGEST_SHARE = 0.001


@dataclass(frozen=True)
class Thinning:
    """A trip's points: kept by trackerd, and needed by Douglas-Peucker."""

    run: Run
    fixes: list[tuple[float, Point]]
    kept: list[tuple[float, Point]]
    needed: int

    @property
    def distances(self) -> list[tuple[float, float]]:
        """Time and distance from the line of each fix."""
        return distances_from_line(self.fixes, self.kept)

    @property
    def worst(self) -> tuple[float, float]:
        """Time and distance of the fix that lies farthest from the line."""
        return max(self.distances, key=lambda pair: pair[1], default=(0.0, 0.0))


def thinnings(run: Run) -> list[Thinning]:
    """One for each trip of the truth; for each stretch of Moving if the truth is not known."""
    return [thinning for begin, end in _spans(run) if (thinning := _thinning(run, begin, end))]


def point_rows(runs: Iterable[Run]) -> list[Row]:
    """Points kept over points needed, a drive each; the distance of the worst fix; the share of fixes that are far away."""
    ratios, distances, far, count = [], [], [], 0
    for run in runs:
        parts = thinnings(run)
        kept, needed = (sum(len(p.kept) for p in parts), sum(p.needed for p in parts))
        if not parts or needed < FEWEST_POINTS:
            continue
        ratios.append(Case(run.drive.name, 0.0, kept / needed, f"{kept} kept, {needed} needed"))
        t, distance = max((p.worst for p in parts), key=lambda pair: pair[1])
        distances.append(Case(run.drive.name, t, distance, f"at {t:.0f} s"))
        strayed = [pair for part in parts for pair in part.distances]
        count += len(strayed)
        far += [Case(run.drive.name, t, d, f"at {t:.0f} s") for t, d in strayed if d > TOLERANCE_M]
    share = len(far) / count if count else 0.0
    got = f"{len(far)} of {count} ({share:.2%})"
    return [
        bounded("points", "points kept over Douglas-Peucker at 10 m", "≤ 1.5", ratios, "", lambda v: max(v) <= 1.5),
        bounded("cross-track", "worst cross-track error", "≤ 10 m", distances, "m", lambda v: max(v) <= TOLERANCE_M),
        Row("far-fixes", "fixes more than 10 m from the line", "≤ 0.1 %", got, share <= LARGEST_SHARE, far),
    ]


def _spans(run: Run) -> list[tuple[float, float]]:
    """The beginning and the end of each track."""
    if not has_truth(run.drive):
        return [(stay.record.t if stay.record else stay.begin, stay.end) for stay in run.moving]
    # In a recording that begins on the road, nobody can draw what comes before the first accepted fixes.
    acquired = run.moving[0].begin if run.moving else 0.0
    return [
        (trip.begin if trip.rest_before else max(trip.begin, acquired), trip.end)
        for trip in trips(run.drive, split_seconds(run.drive))
        if not trip.is_hop
    ]


def _thinning(run: Run, begin: float, end: float) -> Thinning | None:
    stays = [stay for stay in run.moving if stay.begin < end and begin < stay.end]
    first = min([begin, *(stay.record.t for stay in stays if stay.record)])
    last = max([end, *(s.record.t for s in run.stationary if s.record and any(s.begin == m.end for m in stays))])
    kept = sorted(
        (r.t, r.at) for r in run.records if first <= r.t <= last and r.at and r.kind in ("location", "motionchange")
    )
    # Where the recording ends on the road, the next point is still to come.
    drawn = end if any(s.begin >= end for s in run.stationary) else max((t for t, _ in kept), default=end)
    fixes = [(f.t, f.at) for f in run.drive.fixes if begin <= f.t <= drawn and (f.accuracy or 0.0) <= ACCURATE_M]
    if len(kept) < 2 or len(fixes) < FEWEST_POINTS:
        return None
    return Thinning(run, fixes, kept, len(douglas_peucker([p for _, p in fixes], TOLERANCE_M)))
