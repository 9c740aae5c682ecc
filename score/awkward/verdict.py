"""Judges what trackerd decided in a scenario, of which the whole truth is known."""

import math
from dataclasses import dataclass, field

from geometry import distances_from_line, douglas_peucker
from judge_points import TOLERANCE_M
from playback import Run, Stay
from recording import Segment

from awkward.script import Script

#: Less than this is no overlap of a trip with a stretch of Moving.
SHORTEST_OVERLAP_S = 5.0
#: A stop is confirmed by then: `stopTimeout` of the profile `vehicle`, and what comes before it.
CONFIRMED_S = 230.0
#: An odometer may be wrong by this in addition to its share: the noise of both ends.
ODOMETER_SLACK_M = 60.0


@dataclass(frozen=True)
class Expected:
    """What is right; None where something is not judged."""

    #: Seconds until a start is noticed.
    start_s: float | None = 10.0
    #: Error of the place of departure, of arrival, and of where the vehicle is believed to be at the end, metres.
    departure_m: float | None = 30.0
    place_m: float | None = 25.0
    #: Error of the odometer as a share of the distance.
    odometer: float | None = 0.03
    #: Largest distance of the true track from the line through the records, metres.
    cross_track_m: float | None = 30.0
    #: Starts while parked.
    false_starts: int = 0
    #: Records, and seconds with the receiver on, of a scenario without a trip.
    records: int | None = None
    receiver_s: float | None = None
    #: Seconds from the return of the sky until the receiver is on.
    blind_s: float | None = None
    #: Points over what Douglas-Peucker needs for the fixes.
    points: float | None = None


@dataclass
class Verdict:
    """What was decided, in words, and what of it is wrong."""

    decided: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def note(self, text: str, *, is_right: bool = True) -> None:
        """Adds a decision; a wrong one is printed bold."""
        self.decided.append(text if is_right else f"**{text}**")
        if not is_right:
            self.faults.append(text)

    def limit(self, value: float, limit: float | None, text: str) -> None:
        """Adds a measured value, if it is judged."""
        if limit is not None:
            self.note(text, is_right=value <= limit)


def judge(script: Script, run: Run, expected: Expected) -> Verdict:
    """Compares trips, places, odometer and track with the truth."""
    verdict = Verdict()
    trips = [segment for segment in run.drive.segments if segment.kind == "move"]
    found = [[stay for stay in run.moving if overlaps(stay, trip)] for trip in trips]
    of_trips = {stay.begin for stays in found for stay in stays}
    false_starts = [stay for stay in run.moving if stay.begin not in of_trips]
    count, is_each_found = len(of_trips), all(len(stays) == 1 for stays in found)
    verdict.note(f"{count} trip{'' if count == 1 else 's'}", is_right=is_each_found and count == len(trips))
    if false_starts or expected.false_starts:
        limit = expected.false_starts
        verdict.note(f"{len(false_starts)} false start{'s' if len(false_starts) != 1 else ''}", is_right=len(false_starts) <= limit)
    _judge_starts(verdict, script, list(zip(trips, found, strict=True)), expected)
    _judge_places(verdict, script, run, trips, expected)
    if trips:
        _judge_track(verdict, script, run, trips, expected)
    _judge_effort(verdict, script, run, expected)
    return verdict


def overlaps(stay: Stay, trip: Segment) -> bool:
    """Whether a stretch of Moving belongs to a trip."""
    shortest = min(SHORTEST_OVERLAP_S, trip.seconds / 2)
    return min(stay.end, trip.end) - max(stay.begin, trip.begin) >= shortest


def _judge_starts(
    verdict: Verdict, script: Script, trips: list[tuple[Segment, list[Stay]]], expected: Expected
) -> None:
    firsts = [(trip, stays[0]) for trip, stays in trips if stays]
    if not firsts:
        return
    latest = max(stay.begin - trip.begin for trip, stay in firsts)
    verdict.limit(latest, expected.start_s, f"seen after {latest:.0f} s")
    places = [
        math.dist(stay.record.at, script.place(trip.begin)) for trip, stay in firsts if stay.record and stay.record.at
    ]
    if places:
        verdict.limit(max(places), expected.departure_m, f"departure {max(places):.0f} m off")


def _judge_places(verdict: Verdict, script: Script, run: Run, trips: list[Segment], expected: Expected) -> None:
    errors = []
    for trip in trips:
        rest = next((s.end for s in run.drive.segments if s.begin == trip.end), trip.end)
        confirmed = [s for s in run.stationary if trip.end <= s.begin <= rest]
        if rest - trip.end < CONFIRMED_S:
            continue
        record = confirmed[0].record if confirmed else None
        if record and record.at:
            errors.append(math.dist(record.at, script.place(trip.end)))
    placed = [record for record in run.records if record.at and record.kind == "motionchange"]
    believed = placed[-1].at if placed else script.place(0)
    if believed and run.drive.segments[-1].kind == "stop":
        errors.append(math.dist(believed, script.place(run.drive.seconds)))
    if errors:
        verdict.limit(max(errors), expected.place_m, f"place {max(errors):.0f} m off")


def _judge_track(verdict: Verdict, script: Script, run: Run, trips: list[Segment], expected: Expected) -> None:
    true, got = script.distance(0, len(script.seconds)), run.summary["distance_m"]
    if expected.odometer is not None:
        is_near = abs(got - true) <= expected.odometer * true + ODOMETER_SLACK_M
        verdict.note(f"{got / 1000:.2f} of {true / 1000:.2f} km", is_right=is_near)
    # A vehicle that was carried was not where its departure was written first.
    changes = [r for r in run.records if r.kind == "motionchange"]
    left = [r for s in run.moving if s.record for r in changes if r.written == s.begin and r is not s.record]
    locations = [r for r in run.records if r.kind == "location"]
    shown = [*locations, *(r for r in changes if not any(r is other for other in left))]
    line = sorted((r.t, r.at) for r in shown if r.at)
    if expected.cross_track_m is not None and line:
        errors = [d for trip in trips for _, d in distances_from_line(script.track(trip.begin, trip.end), line)]
        verdict.limit(max(errors), expected.cross_track_m, f"track {max(errors):.0f} m off")
    if expected.blind_s is not None:
        seen = _blind_seconds(script, run)
        verdict.limit(seen, expected.blind_s, f"blind for {seen:.0f} s under the sky")
    if expected.points is not None:
        fixes = [fix.at for trip in trips for fix in run.drive.between(trip.begin, trip.end)]
        needed, kept = len(douglas_peucker(fixes, TOLERANCE_M)), len(line)
        verdict.limit(kept / needed, expected.points, f"{kept} points for {needed}")


def _judge_effort(verdict: Verdict, script: Script, run: Run, expected: Expected) -> None:
    records, on = len(run.records), run.receiver_seconds
    verdict.limit(records, expected.records, f"{records} records")
    verdict.limit(on, expected.receiver_s, f"receiver on {on:.0f} s of {len(script.seconds)}")


def _blind_seconds(script: Script, run: Run) -> float:
    """The longest time from a return of the sky until the receiver is on."""
    skies = [second.sky.stated is not None for second in script.seconds]
    returns = [t for t in range(1, len(skies)) if skies[t] and not skies[t - 1] and not script.seconds[t].is_parked]
    spans = [*run.receiver, (run.drive.seconds, math.inf)]
    return max((min(max(0.0, begin - t) for begin, end in spans if end > t) for t in returns), default=0.0)
