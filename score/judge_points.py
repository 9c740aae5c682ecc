"""How few points draw the track, and how well, beside Douglas-Peucker, which sees the whole drive first."""

from collections.abc import Iterable
from dataclasses import dataclass

from figures import Case, Row, bounded
from geometry import Point, cross_track, douglas_peucker
from playback import Run, Stay

#: How far a fix may lie from the line through the kept points.
TOLERANCE_M = 10.0
#: Shorter tracks are too few points to compare.
FEWEST_POINTS = 5


@dataclass(frozen=True)
class Thinning:
    """A trip's points: kept by trackerd, and needed by Douglas-Peucker."""

    run: Run
    fixes: list[tuple[float, Point]]
    kept: list[tuple[float, Point]]
    needed: int

    @property
    def worst(self) -> tuple[float, float]:
        """Time and distance of the fix that lies farthest from the line."""
        return max(cross_track(self.fixes, self.kept), key=lambda pair: pair[1], default=(0.0, 0.0))


def thinnings(run: Run) -> list[Thinning]:
    """One for each stretch of Moving, with the fixes that were not refused."""
    return [thinning for stay in run.moving if (thinning := _thinning(run, stay))]


def point_rows(runs: Iterable[Run]) -> list[Row]:
    """Points kept over points needed, a drive each; and the distance of the worst fix."""
    ratios, distances = [], []
    for run in runs:
        parts = thinnings(run)
        kept, needed = (sum(len(p.kept) for p in parts), sum(p.needed for p in parts))
        if not parts or needed < FEWEST_POINTS:
            continue
        ratios.append(Case(run.drive.name, 0.0, kept / needed, f"{kept} kept, {needed} needed"))
        t, distance = max((p.worst for p in parts), key=lambda pair: pair[1])
        distances.append(Case(run.drive.name, t, distance, f"at {t:.0f} s"))
    return [
        bounded("points", "points kept over Douglas-Peucker at 10 m", "≤ 1.5", ratios, "", lambda v: max(v) <= 1.5),
        bounded("cross-track", "worst cross-track error", "≤ 10 m", distances, "m", lambda v: max(v) <= TOLERANCE_M),
    ]


def _thinning(run: Run, stay: Stay) -> Thinning | None:
    refused = {round(t, 2) for t, _ in run.refused}
    begin = stay.record.t if stay.record else stay.begin
    last = next((s.record.t for s in run.stationary if s.begin == stay.end and s.record), stay.end)
    kept = sorted(
        (r.t, r.at) for r in run.records if begin <= r.t <= last and r.at and r.kind in ("location", "motionchange")
    )
    fixes = [(f.t, f.at) for f in run.drive.fixes if stay.begin <= f.t <= last and round(f.t, 2) not in refused]
    if len(kept) < 2 or len(fixes) < FEWEST_POINTS:
        return None
    return Thinning(run, fixes, kept, len(douglas_peucker([p for _, p in fixes], TOLERANCE_M)))
