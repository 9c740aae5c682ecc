"""Trips found, split and merged; starts that were none, stops that were none."""

from collections.abc import Iterable

from figures import Case, Row, counted
from playback import Run, Stay
from truth import (
    PLACE_DURATION_S,
    REST_BEFORE_START_S,
    STOP_TIMEOUT_S,
    split_seconds,
    stays_in_place,
    trips,
)

#: Edges of the truth are good to two seconds: less than this is no overlap.
SHORTEST_OVERLAP_S = 5.0
#: Recordings without a receiver begin parked, until this number of seconds of ten shake more than an idling engine does.
SHAKING_WINDOWS, SHAKING_MPS2 = 5, 0.10
DAY_S = 86_400.0


def trip_rows(runs: Iterable[Run]) -> list[Row]:
    """Trips missed, split, merged and made up."""
    missed, split, merged, invented, count = [], [], [], [], 0
    for run in runs:
        if not run.drive.segments:
            continue
        true = [trip for trip in trips(run.drive, split_seconds(run.drive)) if not trip.is_hop]
        count += len(true)
        name = run.drive.name
        for trip in true:
            found = [stay for stay in run.moving if _overlap(stay, trip.begin, trip.end)]
            if not found:
                missed.append(
                    Case(name, trip.begin, trip.seconds, f"{trip.seconds:.0f} s, {trip.distance_by_speed:.0f} m")
                )
            for stay in found[1:]:
                asked = " (the place rule asks for it)" if _is_asked(run, stay.begin) else ""
                split.append(
                    Case(name, stay.begin, trip.seconds, f"the trip of {trip.begin:.0f} to {trip.end:.0f} s{asked}")
                )
        for stay in run.moving:
            inside = [trip for trip in true if _overlap(stay, trip.begin, trip.end)]
            if len(inside) > 1:
                ends = ", ".join(f"{trip.end:.0f} s" for trip in inside[:-1])
                merged.append(Case(name, stay.begin, len(inside), f"goes on after the end of a trip at {ends}"))
            departure = min(stay.begin, stay.record.t) if stay.record else stay.begin
            if not any(departure < s.end and s.begin < stay.end for s in run.drive.segments if s.kind != "stop"):
                invented.append(Case(name, stay.begin, stay.end - stay.begin, stay.reason))
    of = f"of {count}"
    return [
        counted("missed", "trips not found", "0", missed, of),
        counted("split", "trips split", "0", split, of),
        counted("merged", "trips merged", "0", merged, of),
        counted("invented", "trips without any movement", "0", invented, of),
    ]


def false_stop_row(runs: Iterable[Run]) -> Row:
    """Stops confirmed in a move, or in a stop of under three minutes after which the vehicle went on."""
    cases, count = [], 0
    for run in runs:
        segments = run.drive.segments
        for index, segment in enumerate(segments):
            ends = index + 1 < len(segments)
            count += segment.kind == "stop" and segment.seconds < STOP_TIMEOUT_S and index > 0 and ends
        for stay in run.stationary:
            at = next((i for i, s in enumerate(segments) if s.begin <= stay.begin < s.end), None)
            if at is None or segments[at].kind == "unknown":
                continue
            where = segments[at]
            goes_on = where.kind == "stop" and where.seconds < STOP_TIMEOUT_S and at + 1 < len(segments)
            if where.kind == "move" or goes_on:
                kind = "in a move" if where.kind == "move" else f"in a stop of {where.seconds:.0f} s"
                asked = "; the place rule asks for it" if _is_asked(run, stay.begin) else ""
                cases.append(Case(run.drive.name, stay.begin, stay.end - stay.begin, f"{kind}: {stay.reason}{asked}"))
    on_demand = sum("asks" in case.note for case in cases)
    row = counted("false-stops", "false stops (stops under 3 min)", "0", cases, f"at {count} stops")
    if on_demand:
        row.got += f", {on_demand} where `stopDuration` asks for one"
    return row


def false_start_row(runs: Iterable[Run]) -> Row:
    """Starts while the vehicle stood, a parked day."""
    cases, parked = [], 0.0
    for run in runs:
        for begin, end in parked_stretches(run):
            parked += end - begin
            for stay in run.moving:
                if begin <= stay.begin < end - REST_BEFORE_START_S / 2:
                    cases.append(Case(run.drive.name, stay.begin, stay.end - stay.begin, stay.reason))
    a_day = len(cases) * DAY_S / parked if parked else 0.0
    got = f"{a_day:.0f} ({len(cases)} in {parked / 60:.0f} min)"
    return Row("false-starts", "false starts a parked day", "0", got, not cases if parked else None, cases)


def parked_stretches(run: Run) -> list[tuple[float, float]]:
    """When the vehicle stood for certain: long stops, captures of standing receivers, still beginnings without fixes."""
    drive = run.drive
    if drive.group == "gpsd-golden":
        return [(0.0, drive.seconds)]
    if drive.segments:
        stops = [s for s in drive.segments if s.kind == "stop"]
        return [(s.begin, s.end) for s in stops if s.begin == 0 or s.seconds >= split_seconds(drive)]
    if drive.group != "vehicle-imu-only":
        return []
    shaking = [deviation > SHAKING_MPS2 for _, deviation in drive.windows]
    for index, (t, _) in enumerate(drive.windows):
        if sum(shaking[index : index + 10]) >= SHAKING_WINDOWS:
            return [(0.0, max(0.0, t - 0.5))]
    return [(0.0, drive.seconds)]


def _overlap(stay: Stay, begin: float, end: float) -> bool:
    shortest = min(SHORTEST_OVERLAP_S, (end - begin) / 2)
    return min(stay.end, end) - max(stay.begin, begin) >= shortest


def _is_asked(run: Run, confirmed: float) -> bool:
    """Whether the fixes of `stopDuration` before the last confirmation until then lie in one place."""
    moment = max((stay.begin for stay in run.stationary if stay.begin <= confirmed), default=None)
    return moment is not None and stays_in_place(run.drive.between(moment - PLACE_DURATION_S + 1, moment + 0.5))
