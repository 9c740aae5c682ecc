"""Awkward scenarios: what the generator writes, and what the judge finds wrong."""

import math
import tempfile
import unittest
from pathlib import Path

from awkward.rows import rows
from awkward.script import BLIND, OPEN, Script
from awkward.verdict import Expected, Verdict, judge
from awkward.vibration import Vibration, deviation, recorded
from playback import Run
from recording import Drive
from tests.drives import run

#: Parked for 200 s, 1 km of road, parked for 300 s.
SCRIPT = Script(1).park(200).drive(1000).park(300)


def drive() -> Drive:
    """The drive of the script."""
    with tempfile.TemporaryDirectory() as folder:
        return SCRIPT.drive_as_felt(Path(folder) / "drive.csv", is_felt=True)


def play(states: list[tuple[float, str, float]], metres: float = 1000.0) -> Run:
    """What trackerd would write about the drive of the script."""
    return run(drive(), states, distance_m=metres)


def verdict(states: list[tuple[float, str, float]], metres: float = 1000.0) -> Verdict:
    """The judgement on these decisions."""
    return judge(SCRIPT, play(states, metres), Expected())


class GeneratorTests(unittest.TestCase):
    """Scripts and vibration."""

    def test_each_kind_of_second_was_recorded_and_rest_is_stiller_than_the_road(self) -> None:
        levels = {kind: max(map(deviation, windows)) for kind, windows in recorded().items()}
        self.assertLess(levels["rest"], 0.04)
        self.assertGreater(min(levels[kind] for kind in ("slow", "town", "fast")), 0.3)

    def test_a_level_is_a_standard_deviation(self) -> None:
        self.assertAlmostEqual(deviation(Vibration(1).at_rest(0.3)), 0.3, delta=0.03)

    def test_a_drive_has_its_length_and_ends_at_rest(self) -> None:
        begin, end = SCRIPT.place(199), SCRIPT.place(len(SCRIPT.seconds))
        self.assertAlmostEqual(math.dist(begin, end), 1000, delta=1)
        self.assertAlmostEqual(SCRIPT.distance(0, len(SCRIPT.seconds)), 1000, delta=15)
        self.assertEqual([segment.kind for segment in drive().segments], ["stop", "move", "stop"])

    def test_a_silent_receiver_reports_no_fix(self) -> None:
        script = Script(1).park(10).under(BLIND).park(10).under(OPEN).park(10)
        with tempfile.TemporaryDirectory() as folder:
            fixes = script.drive_as_felt(Path(folder) / "silent.csv", is_felt=False).fixes
        self.assertEqual([fix.t for fix in fixes if 10 <= fix.t < 20], [])
        self.assertEqual(len(fixes), 20)

    def test_no_two_scenarios_have_the_same_name(self) -> None:
        names = [row.name for row in rows()]
        self.assertEqual(len(names), len(set(names)))


class VerdictTests(unittest.TestCase):
    """What is right, and what is not."""

    def test_one_trip_in_time_and_in_place_is_right(self) -> None:
        self.assertEqual(verdict([(203, "moving", 200), (480, "stationary", 290)]).faults, [])

    def test_each_mistake_is_a_fault(self) -> None:
        for mistake, states, metres in (
            ("0 trips", [(1.0, "stationary", 1.0)], 0.0),
            ("2 trips", [(203, "moving", 200), (230, "stationary", 230), (235, "moving", 235)], 1000.0),
            ("seen after 30 s", [(230, "moving", 200), (480, "stationary", 290)], 1000.0),
            ("1 false start", [(50, "moving", 50), (80, "stationary", 50), (203, "moving", 200)], 1000.0),
            ("1.20 of 1.0", [(203, "moving", 200), (480, "stationary", 290)], 1200.0),
            ("place 100", [(203, "moving", 200), (480, "stationary", 100)], 1000.0),
        ):
            with self.subTest(mistake):
                found = ", ".join(verdict(states, metres).faults)
                self.assertIn(mistake, found)
