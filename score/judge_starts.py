"""How soon a start is noticed."""

from collections.abc import Iterable, Sequence
from statistics import median

from figures import Case, Row, bounded
from playback import Run
from truth import REST_BEFORE_START_S, split_seconds, trips


def start_rows(runs: Iterable[Run]) -> list[Row]:
    """From the first sustained movement to Moving, where the rest before it was recorded."""
    felt: list[Case] = []
    seen: list[Case] = []
    for run in runs:
        (felt if run.drive.has_accelerometer else seen).extend(delays(run))

    def is_prompt(values: Sequence[float]) -> bool:
        return median(values) <= 3 and max(values) <= 10

    figure, to_reach = "start: first sustained movement to Moving", "median ≤ 3 s, worst ≤ 10 s"
    return [
        bounded("start", f"{figure}, with an accelerometer", to_reach, felt, "s", is_prompt),
        bounded("start-by-fixes", f"{figure}, without one", "(checks every 30 s)", seen, "s"),
    ]


def delays(run: Run) -> list[Case]:
    """A case for each trip that begins from a recorded rest while trackerd is stationary."""
    cases = []
    for trip in trips(run.drive, split_seconds(run.drive)):
        if trip.rest_before < REST_BEFORE_START_S:
            continue
        if any(stay.begin < trip.begin - REST_BEFORE_START_S and trip.begin < stay.end for stay in run.moving):
            continue
        stay = next((s for s in run.moving if trip.begin - REST_BEFORE_START_S <= s.begin < trip.end), None)
        if stay and not _is_unknown(run, trip.begin, stay.begin):
            cases.append(Case(run.drive.name, trip.begin, stay.begin - trip.begin, stay.reason))
    return cases


def _is_unknown(run: Run, begin: float, end: float) -> bool:
    """Whether the receiver was silent meanwhile: then nobody could have noticed."""
    return any(s.kind == "unknown" and s.begin < end and begin < s.end for s in run.drive.segments)
