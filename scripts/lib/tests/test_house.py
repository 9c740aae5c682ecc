"""Tests of the figures that scripts/check refuses to let grow, on small checkouts."""

import contextlib
import io
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import house
from swift_files import SwiftFile, code_of

ENGINE = """
struct Engine {
    private var track = Track()
    var name = "a { in text \\(track.length)"
    private(set) var count = 0 { didSet { count += 1 } }
    var double: Int { 2 * count }
    static let limit = 3
    mutating func handle() {
        count += 1
    }
}
"""
TRACK = """
struct Track { let length = 0 }
extension Engine { func lengthOfTrack() -> Int { track.length } }
"""


class Parsing(unittest.TestCase):
    def test_code_keeps_interpolations_and_lines(self) -> None:
        text = 'let a = "x \\(b("c")) y" // d\n/* e\n */ let f = #"\\(g)"#'
        code = code_of(text)
        self.assertEqual(code.count("\n"), text.count("\n"))
        self.assertIn("b(", code)
        for gone in "dexycg":
            self.assertNotIn(gone, code.replace("let", ""))

    def test_fields_and_functions(self) -> None:
        file = SwiftFile("Sources/Core/Engine.swift", ENGINE)
        fields = [name for what, _, *more in file.facts if what == "fields" for name in more[0]]
        self.assertEqual(fields, [("track", True), ("name", False), ("count", False)])
        self.assertEqual([(name, length) for name, _, length in file.functions], [("handle", 3)])


class Checkout(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        self.write("Sources/Core/Engine/Engine.swift", ENGINE)
        self.write("Sources/Core/Track/Track.swift", TRACK)

    def write(self, path: str, text: str) -> None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")

    def check(self, **limits: int) -> tuple[int, str]:
        """Runs the check with limits that today's figures meet, but for those given."""
        met = house.House().figures | limits
        self.write("limits", "".join(f"{key} = {value}\n" for key, value in met.items()))
        output = io.StringIO()
        sys.argv = ["house.py", "--limits", "limits"]
        with contextlib.redirect_stdout(output):
            return house.main(), output.getvalue()

    def test_two_files_that_use_each_other(self) -> None:
        figures = house.House().figures
        self.assertEqual((figures["biggest_circle"], figures["files_in_circles"], figures["folder_pairs"]), (2, 2, 1))
        self.assertEqual((figures["most_fields"], figures["private_share"]), (3, 33))

    def test_equal_figures_pass(self) -> None:
        self.assertEqual(self.check()[0], 0)

    def test_each_figure_that_is_worse_is_refused(self) -> None:
        for key, value in house.House().figures.items():
            with self.subTest(key):
                status, output = self.check(**{key: value - 1 if house.FIGURES[key][1] else value + 1})
                self.assertEqual(status, 1)
                self.assertIn(f"{house.FIGURES[key][0]}: {value}, the limit is", output)

    def test_without_the_circle_nothing_is_counted(self) -> None:
        self.write("Sources/Core/Track/Track.swift", "struct Track { let length = 0 }\n")
        figures = house.House().figures
        self.assertEqual((figures["biggest_circle"], figures["files_in_circles"], figures["folder_pairs"]), (0, 0, 0))


if __name__ == "__main__":
    unittest.main()
