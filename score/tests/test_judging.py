"""Judging: drives whose verdict is known beforehand."""

import unittest

from judge_odometer import integral
from judge_points import point_rows
from judge_receiver import receiver_row
from judge_starts import delays
from judge_stops import believed_row, stop_rows
from judge_trips import false_start_row, false_stop_row, trip_rows
from playback import Run
from truth import trips

from tests.drives import drive, fix, run

STAND, GO = 0.0, 10.0
#: Parked for a minute, two minutes of road, five of rest, one of road.
COMMUTE = drive(
    [STAND] * 60 + [GO] * 120 + [STAND] * 300 + [GO] * 61,
    [("stop", 0, 60), ("move", 60, 180), ("stop", 180, 480), ("move", 480, 541)],
)
#: A minute of road, a red light of 90 s, a minute of road.
RED_LIGHT = drive([GO] * 60 + [STAND] * 90 + [GO] * 61, [("move", 0, 60), ("stop", 60, 150), ("move", 150, 211)])


class TruthTests(unittest.TestCase):
    """What a trip is."""

    def test_a_long_stop_splits_and_a_short_one_does_not(self) -> None:
        self.assertEqual([(t.begin, t.end) for t in trips(COMMUTE, 180)], [(60, 180), (480, 541)])
        self.assertEqual([(t.begin, t.end) for t in trips(RED_LIGHT, 180)], [(0, 211)])

    def test_speed_noise_at_rest_begins_no_trip(self) -> None:
        noisy = drive([STAND] * 20 + [2.0] * 5 + [STAND] * 15 + [GO] * 60, [])
        noisy.segments = drive(
            [STAND] * 100, [("stop", 0, 20), ("move", 20, 25), ("stop", 25, 40), ("move", 40, 100)]
        ).segments
        (trip,) = trips(noisy, 140)
        self.assertEqual((trip.begin, trip.rest_before), (40, 40))


class StartTests(unittest.TestCase):
    """When a start is noticed."""

    def test_the_delay_counts_from_the_first_movement(self) -> None:
        seen = run(COMMUTE, [(62.5, "moving", 60), (360, "stationary", 180), (489, "moving", 470)])
        self.assertEqual([case.value for case in delays(seen)], [2.5, 9.0])

    def test_a_start_while_parked_is_false(self) -> None:
        seen = run(COMMUTE, [(20, "moving", 20), (40, "stationary", 40), (61, "moving", 60)])
        self.assertEqual([case.t for case in false_start_row([seen]).cases], [20])


class StopTests(unittest.TestCase):
    """Stops that were none, and where and when the others were."""

    def test_a_stop_at_a_red_light_is_false(self) -> None:
        seen = run(RED_LIGHT, [(1, "moving", 1), (120, "stationary", 60), (152, "moving", 150)])
        self.assertEqual([case.t for case in false_stop_row([seen]).cases], [120])
        rows = {row.key: row for row in trip_rows([seen])}
        self.assertEqual([case.t for case in rows["split"].cases], [152])
        self.assertFalse(rows["missed"].cases or rows["merged"].cases or rows["invented"].cases)

    def test_place_and_time_are_those_of_the_record(self) -> None:
        seen = run(COMMUTE, [(61, "moving", 60), (364, "stationary", 184)])
        place, time = stop_rows([seen])
        self.assertEqual([case.value for case in time.cases], [4.0])
        self.assertAlmostEqual(place.cases[0].value, 0, places=6)

    def test_the_place_after_a_move_that_was_not_noticed_is_wrong(self) -> None:
        seen = run(COMMUTE, [(61, "moving", 60), (364, "stationary", 184)])
        self.assertLess(believed_row([seen]).cases[0].value, 1)
        unnoticed = run(COMMUTE, [(1, "stationary", 1)])
        self.assertGreater(believed_row([unnoticed]).cases[0].value, 1000)

    def test_trips_run_together_are_merged(self) -> None:
        rows = {row.key: row for row in trip_rows([run(COMMUTE, [(61, "moving", 60)])])}
        self.assertEqual(len(rows["merged"].cases), 1)

    def test_the_receiver_may_stay_on_for_the_timeout_of_a_stop(self) -> None:
        # 181 s of road, 180 s of timeout: on for 481 s is 301 s of 181.
        seen = run(COMMUTE, [(60, "moving", 60), (541, "stationary", 540)])
        self.assertAlmostEqual(receiver_row([seen]).cases[0].value, (481 - 180) / 181)


class TrackTests(unittest.TestCase):
    """Points and metres."""

    def test_a_record_at_each_corner_is_what_douglas_peucker_needs(self) -> None:
        ratio, error = (row.cases[0].value for row in point_rows([staircase([10, 20, 30, 40, 50])])[:2])
        self.assertEqual(ratio, 1)
        self.assertAlmostEqual(error, 0, delta=0.01)

    def test_a_corner_that_was_cut_is_measured(self) -> None:
        ratio, error = (row.cases[0].value for row in point_rows([staircase([10, 20, 40, 50])])[:2])
        self.assertEqual(ratio, 6 / 7)
        # The corner of a square of 100 m, from its diagonal.
        self.assertAlmostEqual(error, 70.71, delta=0.05)

    def test_what_was_driven_before_the_start_was_noticed_counts(self) -> None:
        # Noticed at the second corner: the first leg of 100 m is drawn nowhere.
        late = staircase([20, 30, 40, 50], noticed=20)
        case = point_rows([late])[1].cases[0]
        self.assertEqual(case.t, 1)
        self.assertAlmostEqual(case.value, 134.5, delta=0.1)

    def test_fixes_that_were_refused_count(self) -> None:
        refused = staircase([10, 20, 40, 50])
        refused.refused = [(t, "jump") for t in range(25, 36)]
        self.assertAlmostEqual(point_rows([refused])[1].cases[0].value, 70.71, delta=0.05)

    def test_the_integral_of_a_speed_is_a_way(self) -> None:
        self.assertEqual(integral([(0, 0.0), (10, 10.0), (20, 10.0)]), 150)
        self.assertIsNone(integral([(0, 10.0), (60, 10.0)]))


def staircase(kept: list[int], noticed: int = 0) -> Run:
    """Six legs of 100 m, east and north in turn, with records at the ends and at these seconds."""
    stairs = drive([GO] * 61, [("stop", 0, 1), ("move", 1, 60), ("stop", 60, 61)])
    east = north = 0.0
    stairs.fixes = [fix(0.0, east, north, GO)]
    for t in range(60):
        east, north = (east + GO, north) if t // 10 % 2 == 0 else (east, north + GO)
        stairs.fixes.append(fix(t + 1.0, east, north, GO))
    seen = run(stairs, [(noticed, "moving", noticed), (60, "stationary", 60)])
    seen.records += run(stairs, [(t, "moving", t) for t in kept]).records
    return seen
