"""Trips as they were: moves and stops of the truth, split where the vehicle stood for long."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from geometry import distance_on_earth
from recording import Drive, Fix, Segment

#: The profile `vehicle`: a stop by stillness takes this long (`stopTimeout`) ...
STOP_TIMEOUT_S = 180.0
#: ... and one by place (`stopDuration` within `stopDistance`) this.
PLACE_DURATION_S, PLACE_DISTANCE_M = 200.0, 70.0
#: A start is scored only where this much rest was recorded before it.
REST_BEFORE_START_S = 5.0
#: A move that gets no farther than this is speed noise, not the beginning of a trip.
SUSTAINED_M = 20.0
#: More of a drive without known speed than this, and its truth is none.
LARGEST_UNKNOWN_SHARE = 0.1
#: Fixes with a larger error are no measure of a distance.
ACCURATE_M = 30.0


@dataclass(frozen=True)
class Trip:
    """From the first to the last sustained move."""

    begin: float
    end: float
    moves: tuple[Segment, ...]
    #: Rest that was recorded before and after; a stop can be scored only where the rest after is long enough.
    rest_before: float
    rest_after: float
    #: Whether all of it stays within `stopDistance`: shunting, which the place rule rightly takes for standing.
    is_hop: bool

    @property
    def seconds(self) -> float:
        """The length."""
        return self.end - self.begin

    @property
    def distance_by_speed(self) -> float:
        """The integral of the speed while moving, metres."""
        return sum(move.distance for move in self.moves)


def split_seconds(drive: Drive) -> float:
    """How long a stop must last to end a trip."""
    return STOP_TIMEOUT_S


def trips(drive: Drive, split: float) -> list[Trip]:
    """The drive's trips; stretches without known speed neither end one nor begin one, and noise begins none."""
    groups: list[list[Segment]] = []
    is_over = True
    for segment in drive.segments:
        is_over = is_over or (segment.kind == "stop" and segment.seconds >= split)
        if segment.kind == "move" and (not is_over or _is_sustained(drive, segment)):
            if is_over:
                groups.append([])
            groups[-1].append(segment)
            is_over = False
    return [_trip(drive, moves) for moves in groups]


def has_truth(drive: Drive) -> bool:
    """Whether enough is known to judge by."""
    unknown = sum(segment.seconds for segment in drive.segments if segment.kind == "unknown")
    return bool(drive.segments) and unknown <= LARGEST_UNKNOWN_SHARE * drive.seconds


def reach(fixes: Sequence[Fix]) -> float:
    """The largest distance of a fix from the first, metres."""
    return max((distance_on_earth(fixes[0].lat, fixes[0].lon, f.lat, f.lon) for f in fixes), default=0.0)


def _is_sustained(drive: Drive, move: Segment) -> bool:
    return reach(drive.between(move.begin, move.end)) >= SUSTAINED_M


def _trip(drive: Drive, moves: list[Segment]) -> Trip:
    begin, end = moves[0].begin, moves[-1].end
    moving = [s for s in drive.segments if s.kind == "unknown" or (s.kind == "move" and _is_sustained(drive, s))]
    before = max((s.end for s in moving if s.end <= begin), default=0.0)
    after = min((s.begin for s in moving if s.begin >= end), default=drive.seconds)
    return Trip(
        begin=begin,
        end=end,
        moves=tuple(moves),
        rest_before=begin - before,
        rest_after=max(0.0, after - end),
        is_hop=stays_in_place(drive.between(begin, end)),
    )


def stays_in_place(fixes: Sequence[Fix]) -> bool:
    """Whether all fixes lie within `stopDistance` of the first."""
    return bool(fixes) and reach(fixes) <= PLACE_DISTANCE_M


def distance_by_fixes(drive: Drive, begin: float, end: float) -> float:
    """The sum of the steps between good fixes, metres; wander at rest included."""
    fixes = [f for f in drive.between(begin, end) if (f.accuracy or 0) <= ACCURATE_M]
    return sum(distance_on_earth(a.lat, a.lon, b.lat, b.lon) for a, b in pairwise(fixes))
