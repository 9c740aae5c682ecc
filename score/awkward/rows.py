"""The table of awkward scenarios: what happens, and what is right.

A trip is everything between two parked phases. Without an accelerometer trackerd checks the position every 30 s, so a start
may be noticed 45 s late.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from recording import read

from awkward.script import BLIND, OPEN, Script, Sky
from awkward.verdict import Expected

#: A recorded drive with a slow queue (Tests/Traces has its origin and licence).
QUEUE_DRIVE = Path(__file__).resolve().parents[2] / "Tests/Traces/2023-08-09_12-47-42.csv.gz"
QUEUE_BEGIN_S, QUEUE_END_S = 33, 1890
FELT = Expected()
UNFELT = Expected(start_s=45.0, cross_track_m=None)
MINUTE, HOUR = 60, 3600


@dataclass(frozen=True)
class Row:
    """A scenario with one set of sensors."""

    name: str
    build: Callable[[int], Script]
    expected: Expected = FELT
    is_felt: bool = True
    #: Why trackerd cannot decide this rightly, where it cannot.
    limit: str = ""
    #: Whether the row takes so long that only `make awkward` plays it.
    is_slow: bool = False


def rows() -> list[Row]:
    """All rows in the order of the table."""
    return [*_stops(), *_queues(), *_carried(), *_without_sky(), *_wild(), *_parked(), *_slow_vehicles(), *_tracks()]


def _parked_before(seed: int) -> Script:
    return Script(seed).park(3 * MINUTE)


def _arrived(script: Script) -> Script:
    return script.drive(700).park(5 * MINUTE)


def _both(
    name: str, build: Callable[[int], Script], expected: Expected = FELT, *, limit: str = "", unfelt_limit: str = ""
) -> list[Row]:
    """The same with and without an accelerometer."""
    unfelt = replace(expected, start_s=expected.start_s and UNFELT.start_s, cross_track_m=None)
    return [
        Row(name, build, expected, limit=limit),
        Row(f"{name}, no accelerometer", build, unfelt, is_felt=False, limit=unfelt_limit),
    ]


# Stops on the way


def _stops() -> list[Row]:
    def lights(level: float | None) -> Callable[[int], Script]:
        def build(seed: int) -> Script:
            script = _parked_before(seed).drive(1000)
            for _ in range(5):
                script.stand(120, level).drive(600)
            return _arrived(script)

        return build

    def crossing(seconds: int, *, is_trip_end: bool = False) -> Callable[[int], Script]:
        def build(seed: int) -> Script:
            script = _parked_before(seed).drive(1500)
            return _arrived(script.park(seconds) if is_trip_end else script.stand(seconds))

        return build

    def van(seed: int) -> Script:
        script = _parked_before(seed).drive(1500)
        for _ in range(30):
            script.stand(45).drive(script.random.uniform(120, 400))
        return _arrived(script)

    return [
        Row("5 red lights of 120 s, engine idles", lights(0.09)),
        *_both("5 red lights of 120 s, engine stops", lights(None)),
        *_both("level crossing, 170 s with the engine off", crossing(170)),
        *_both("fuel stop, 240 s: two trips", crossing(240, is_trip_end=True)),
        *_both("delivery van, 30 stops of 45 s", van),
    ]


def _queues() -> list[Row]:
    def stop_and_go(seed: int) -> Script:
        script = _parked_before(seed).drive(1500)
        begin = len(script.seconds)
        while len(script.seconds) - begin < 40 * MINUTE:
            script.stand(script.random.uniform(15, 45)).drive(script.random.uniform(8, 25), 3.0)
        return _arrived(script)

    def creeping(metres: float, seconds: int, minutes: int, top: float = 3.0) -> Callable[[int], Script]:
        def build(seed: int) -> Script:
            script = _parked_before(seed).drive(1500)
            for _ in range(minutes * MINUTE // seconds):
                script.stand(seconds - 8).drive(metres, top)
            return _arrived(script)

        return build

    def drive_through(seed: int) -> Script:
        script = _parked_before(seed).drive(1500)
        for _ in range(4):
            script.stand(script.random.uniform(60, 110)).drive(script.random.uniform(8, 14), 1.5)
        return _arrived(script)

    def recorded(factor: float) -> Callable[[int], Script]:
        def build(seed: int) -> Script:
            fixes = read(QUEUE_DRIVE, "Traces", "queue").between(QUEUE_BEGIN_S, QUEUE_END_S)
            track = [(fix.t, fix.at, fix.speed or 0.0) for fix in fixes]
            return Script(seed).ride(factor).park(3 * MINUTE).follow(track).park(5 * MINUTE)

        return build

    # The steps of the recorded fixes count as the distance, so it includes their noise.
    tracked = replace(FELT, odometer=0.05)
    slow = "the vehicle moves 9 m in 180 s, and the fixes of a parked one wander by up to 20 m"
    smooth = (
        "below 4 m/s the vibration exceeds 0.20 m/s² in only 4 of 10 seconds; "
        "with a lower threshold, gusts would count as starts"
    )
    return [
        *_both("stop-and-go for 40 min, 8 to 25 m each 15 to 45 s", stop_and_go),
        *_both("queue, 10 m a minute for 40 min", creeping(10, 60, 40)),
        *_both("queue, 6 m every 2 min for 20 min", creeping(6, 120, 20), limit=slow, unfelt_limit=slow),
        *(
            row
            for metres, seconds, top in ((15, 75, 1.2), (15, 110, 2.0), (20, 100, 1.5), (25, 140, 1.2), (25, 160, 3.0))
            for row in _both(f"queue, {metres} m every {seconds} s at {top} m/s", creeping(metres, seconds, 30, top))
        ),
        *_both("drive-through, four hops of 8 to 14 m", drive_through),
        *_both("recorded queue with stops of up to 120 s", recorded(1.0), tracked),
        Row("recorded queue, vibration × 0.7", recorded(0.7), tracked, limit=smooth),
    ]


def _carried() -> list[Row]:
    def ferry(metres: float, speed: float = 8.0) -> Callable[[int], Script]:
        def build(seed: int) -> Script:
            script = _parked_before(seed).drive(3000).park(5 * MINUTE).under(BLIND).park(15 * MINUTE).ride(level=0.05)
            return _arrived(script.carry(metres, speed).ride().under(OPEN).park(12 * MINUTE))

        return build

    def towed(level: float | None) -> Callable[[int], Script]:
        def build(seed: int) -> Script:
            return _parked_before(seed).ride(level=level).roll(8000, 11.0).park(5 * MINUTE)

        return build

    def smooth(factor: float) -> Callable[[int], Script]:
        return lambda seed: _arrived(_parked_before(seed).ride(factor).drive(4000))

    below = "wind shakes a parked vehicle more; the next position check notices the tow"
    between = "an idling engine shakes a vehicle as much; the next position check notices the tow"
    late = "the line begins at the first second above 0.20 m/s², and {} of 10 seconds at {} m/s are below this level"
    # The trip begins at the first fix, seconds after the start.
    found = replace(FELT, departure_m=100.0)
    blind = "in the 10 min between two position checks below deck, a vehicle can drive 24 km"
    return [
        *_both("ferry of 19 km below deck, quiet on board", ferry(19_000), found, unfelt_limit=blind),
        *_both("ferry of 60 km below deck, quiet on board", ferry(60_000), found),
        *_both("ferry of 4 km below deck at 4 m/s, quiet on board", ferry(4000, 4.0), found, unfelt_limit=blind),
        *_both("car train of 50 km in closed wagons at 33 m/s", ferry(50_000, 33.0), found, unfelt_limit=blind),
        Row("towed 8 km, vibration as driving", towed(None), replace(FELT, cross_track_m=40.0)),
        Row("towed 8 km, vibration 0.14 m/s²", towed(0.14), replace(FELT, start_s=30.0, cross_track_m=40.0), limit=between),
        Row("towed 8 km, vibration 0.08 m/s²", towed(0.08), limit=below),
        Row("towed 8 km, vibration 0.08 m/s², no accelerometer", towed(0.08), UNFELT, is_felt=False),
        Row("smooth car, vibration × 0.5", smooth(0.5)),
        Row("smooth car, vibration × 0.35", smooth(0.35), limit=late.format(5, "4 to 9")),
        Row("smooth car, vibration × 0.25", smooth(0.25), replace(FELT, start_s=30.0), limit=late.format(7, "4 to 9")),
    ]


# The receiver


def _without_sky() -> list[Row]:
    def tunnel(metres: float, bend: float, level: float | None, speed: float = 22.0) -> Callable[[int], Script]:
        def build(seed: int) -> Script:
            script = _parked_before(seed).drive(1500).ride(level=level).roll(2000, speed).under(BLIND)
            return _arrived(script.roll(metres, speed, bend).under(OPEN).roll(2000, speed).ride())

        return build

    def outage(minutes: int) -> Callable[[int], Script]:
        def build(seed: int) -> Script:
            script = _parked_before(seed).drive(1500).roll(2000, 20.0).under(BLIND).roll(minutes * 1200, 20.0)
            return _arrived(script.under(OPEN).roll(8000, 20.0))

        return build

    def garage_out(seed: int) -> Script:
        script = Script(seed).park(3 * MINUTE).drive(500).park(6 * MINUTE).under(BLIND).park(5 * MINUTE)
        return _arrived(script.drive(360, 3.0, bend=6.0).under(OPEN).drive(2000))

    def garage_in(seed: int) -> Script:
        script = _parked_before(seed).drive(2000).under(BLIND).drive(200, 3.0, bend=6.0).park(20 * MINUTE)
        return _arrived(script.drive(200, 3.0, bend=6.0).under(OPEN).drive(1500))

    # The line through a gap is its chord, and so is the distance. A receiver pauses for 60 s at most while it drives.
    through = replace(FELT, cross_track_m=None, blind_s=75.0)
    inside = replace(FELT, cross_track_m=None, odometer=None, place_m=60.0, start_s=10.0)
    silence = "30 min without a fix end a trip, because nothing else shows that a vehicle has parked in a garage"
    outages = [
        row
        for minutes in (3, 6, 15, 20, 35)
        for row in _both(
            f"no fix for {minutes} min", outage(minutes), through, unfelt_limit=silence if minutes > 30 else ""
        )
    ]
    return [
        Row("tunnel of 3 km, straight", tunnel(3000, 0, None), through),
        Row("tunnel of 3 km, curved: the distance is the chord", tunnel(3000, 0.04, None), replace(through, odometer=0.1)),
        Row("tunnel of 3 km, smooth", tunnel(3000, 0, 0.12), through),
        Row("tunnel of 10 km, vibration below the threshold", tunnel(10_000, 0, 0.12), through),
        *outages,
        Row("underground start, spiral of 120 s", garage_out, inside),
        Row("underground start, no accelerometer", garage_out, replace(inside, start_s=None), is_felt=False),
        Row("underground arrival, 20 min, out again", garage_in, inside),
    ]


def _wild() -> list[Row]:
    def wild(count: int) -> Callable[[int], Script]:
        def build(seed: int) -> Script:
            script = _parked_before(seed).drive(1500).roll(1500, 12.0).under(Sky(shift=(3000.0, 4000.0)))
            return _arrived(script.roll(count * 12.0, 12.0).under(OPEN).roll(3000, 12.0))

        return build

    def wild_parked(seed: int) -> Script:
        script = _arrived(_parked_before(seed).drive(1500))
        for _ in range(20):
            script.under(Sky(shift=(300.0, 2000.0))).park(script.random.choice((1, 2, 8))).under(OPEN).park(95)
        return script

    # Ten seconds of agreement are believed by rule; what they add must not stay on the odometer.
    believed = replace(FELT, cross_track_m=None)
    return [
        *(Row(f"{count} wild fix{'es' if count > 1 else ''} 5 km away", wild(count)) for count in (1, 2, 3, 5, 9)),
        Row("15 wild fixes 5 km away: believed after 10 s", wild(15), believed),
        Row("wild fixes at position checks while parked", wild_parked, UNFELT, is_felt=False),
    ]


# Parked


def _parked() -> list[Row]:
    def gale(level: float | None, error: float, memory: float) -> Callable[[int], Script]:
        def build(seed: int) -> Script:
            script = Script(seed).drive(1000).under(Sky(error, memory, stated=error)).park(6 * MINUTE)
            while len(script.seconds) < HOUR + 500:
                script.park(script.random.uniform(3, 40), level).park(script.random.uniform(20, 150))
            return script

        return build

    def doors(seed: int) -> Script:
        script = _arrived(_parked_before(seed).drive(1000))
        for _ in range(6):
            script.park(1, level=2.0).park(script.random.uniform(15, 40))
        return script.park(3 * MINUTE)

    def loading(seed: int) -> Script:
        script = _arrived(_parked_before(seed).drive(1000))
        for _ in range(4):
            script.park(25, level=0.35).park(4 * MINUTE)
        return script

    def idling(level: float) -> Callable[[int], Script]:
        return lambda seed: _arrived(_parked_before(seed).drive(1000)).park(10 * MINUTE, level).park(3 * MINUTE)

    def idling_then_off(seed: int) -> Script:
        return _arrived(_arrived(_parked_before(seed).drive(1000)).park(10 * MINUTE, 0.25).drive(2000))

    def yard(metres: float) -> Callable[[int], Script]:
        def build(seed: int) -> Script:
            return _arrived(_parked_before(seed).drive(1000)).drive(metres, 2.0).park(10 * MINUTE)

        return build

    def wander(hours: int) -> Callable[[int], Script]:
        return lambda seed: Script(seed).under(Sky(30.0, 300.0, stated=20.0)).park(hours * HOUR)

    once = replace(FELT, false_starts=1, departure_m=None, cross_track_m=None, odometer=0.1)
    multipath = replace(once, place_m=40.0, start_s=None, records=60, receiver_s=1500.0)
    # A hop is no trip that must be found, but the place must be right afterwards.
    hop = replace(FELT, start_s=None, cross_track_m=None, departure_m=None)
    still = Expected(records=3, receiver_s=None, place_m=None)
    noisy = "fixes that jump by 30 m count as a track until the stop is confirmed after 180 s"
    return [
        Row("parked hour, reflections of 15 m, bursts of 0.30 m/s²", gale(0.30, 15.0, 60.0), multipath),
        Row("parked hour, reflections of 15 m, bursts of 0.15 m/s²", gale(0.15, 15.0, 60.0), multipath),
        *_both("parked hour, reflections of 15 m", gale(None, 15.0, 60.0), multipath),
        Row("parked hour, reflections of 30 m, bursts of 0.30 m/s²", gale(0.30, 30.0, 40.0), multipath, limit=noisy),
        Row("six doors slammed singly", doors),
        Row("loading, 25 s at 0.35 m/s², four times", loading, once),
        *(Row(f"idling for 10 min at {level} m/s²", idling(level), once) for level in (0.05, 0.15, 0.25, 0.4)),
        Row("idling for 10 min at 0.25 m/s², then drives off", idling_then_off, replace(once, start_s=30.0)),
        *(row for metres in (30, 60, 90) for row in _both(f"moves {metres} m in a yard and parks", yard(metres), hop)),
        Row("receiver wanders by 30 m, 3 h parked", wander(3), still),
        Row("receiver wanders by 30 m, 12 h parked, no accelerometer", wander(12), still, is_felt=False, is_slow=True),
    ]


# Other vehicles and tracks


def _slow_vehicles() -> list[Row]:
    def tractor(speed: float) -> Callable[[int], Script]:
        return lambda seed: _parked_before(seed).drive(2000, speed).park(5 * MINUTE)

    def furrows(speed: float) -> Callable[[int], Script]:
        def build(seed: int) -> Script:
            script = _parked_before(seed)
            for _ in range(16):
                script.drive(100, speed).turn(180)
            return script.park(5 * MINUTE)

        return build

    slow = replace(FELT, cross_track_m=None)
    field = replace(slow, place_m=None)
    drift = "a speed up to 1 m/s may be drift, so the vehicle must be 20 m beyond the errors away"
    return [
        *(
            row
            for speed, why in ((1.0, drift), (1.4, ""), (2.2, ""))
            for name, build, expected in (
                (f"tractor at {speed} m/s on the road", tractor(speed), slow),
                (f"tractor at {speed} m/s up and down a field of 100 m", furrows(speed), field),
            )
            for row in _both(name, build, expected, unfelt_limit=why)
        ),
        Row("bicycle", lambda seed: _parked_before(seed).drive(5000, 5.0).park(5 * MINUTE)),
        Row("250 km/h", lambda seed: _parked_before(seed).drive(20_000, 69.4).park(5 * MINUTE)),
    ]


def _tracks() -> list[Row]:
    def roundabouts(seed: int) -> Script:
        script = _parked_before(seed).drive(500)
        for index in range(8):
            script.roll(300, 11.0).turn(-45).roll(60, 7.0, bend=4.5).turn(-45)
            if index % 3 == 2:
                script.roll(14, 4.0, bend=180 / 14)
        return _arrived(script)

    def ramps(seed: int) -> Script:
        script = _parked_before(seed).drive(500)
        for _ in range(3):
            script.roll(300, 8.0).roll(380, 6.0, bend=1080 / 380)
        return _arrived(script)

    thin = replace(FELT, points=1.5, cross_track_m=15.0)
    return [Row("roundabouts and U-turns", roundabouts, thin), Row("spiral ramps", ramps, thin)]
