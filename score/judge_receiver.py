"""How long the receiver was on, beside how long the vehicle drove."""

from collections.abc import Iterable

from figures import Case, Row, bounded
from playback import Run
from truth import STOP_TIMEOUT_S, split_seconds, trips

#: Shorter drives are too short to judge a share of time.
SHORTEST_DRIVE_S = 60.0


def receiver_row(runs: Iterable[Run]) -> Row:
    """Receiver-on time, less the stop timeout of each stop, over the time of the trips."""
    cases = []
    for run in runs:
        true = trips(run.drive, split_seconds(run.drive))
        driven = sum(trip.seconds for trip in true)
        if driven < SHORTEST_DRIVE_S:
            continue
        waiting = sum(min(trip.rest_after, STOP_TIMEOUT_S) for trip in true)
        note = f"on {run.receiver_seconds:.0f} s, trips {driven:.0f} s, stop timeouts {waiting:.0f} s"
        cases.append(Case(run.drive.name, 0.0, (run.receiver_seconds - waiting) / driven, note))
    return bounded(
        "receiver",
        "receiver-on time over moving time",
        "≤ 1.10 plus stop timeouts",
        cases,
        "",
        lambda v: max(v) <= 1.10,
    )
