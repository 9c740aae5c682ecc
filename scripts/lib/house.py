"""Measures Sources as a house, and refuses growth: files, functions, circles of files, folders that point at each other, open fields.

Usage: house.py [--list | --lower] [--limits FILE]

Exit status 1 if a figure is above its limit in scripts/lib/house.toml. --list prints what stands behind the figures: every circle,
with the names that hold it together. --lower writes the figures of today where they are better than the limits.

A file points at another file of its target if it uses a name that the other declares. Files that reach each other stand in a circle.
A type acts if it is a class with a function or a struct with a mutating function; a Codable type with at most two functions is data.
"""

import argparse
import re
import sys
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

from swift_files import SwiftFile, arrows_between, circles, types_that_act

LIMITS = Path(__file__).with_name("house.toml")
TEST_FILE_LIMIT = 500
FUNCTION_LIMIT = 40
FIELD_LIMIT = 15
# What each figure counts, and whether a smaller one is better.
FIGURES = {
    "lines": ("Swift lines in Sources", True),
    "other_lines": ("lines of C, JavaScript, CSS and HTML in Sources, and of Swift in Tools", True),
    "longest_file": ("lines of the longest file in Sources", True),
    "file_median": ("lines of the median file in Sources", False),
    "function_p90": ("lines of a function, nine in ten are shorter", True),
    "function_p99": ("lines of a function, 99 in 100 are shorter", True),
    "biggest_circle": ("files in the biggest circle", True),
    "files_in_circles": ("files in circles", True),
    "folder_pairs": ("pairs of folders that point at each other", True),
    "most_fields": ("stored properties of the type that acts with the most", True),
    "private_share": ("percent of the stored properties of acting types that are private", False),
}
FIXED = {"longest_file", "file_median"}


def sources() -> dict[str, list[SwiftFile]]:
    """Returns the files of each target of Sources."""
    targets = defaultdict(list)
    for path in sorted(Path("Sources").rglob("*.swift")):
        if len(path.parts) > 2:
            targets[path.parts[1]].append(SwiftFile(str(path), path.read_text(encoding="utf-8")))
    return targets


def quantile(values: list[int], share: float) -> int:
    """Returns the value below which this share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0


def count_lines(folder: str, *endings: str) -> int:
    """Returns the number of lines of the files with these endings."""
    return sum(len(path.read_text("utf-8").splitlines()) for ending in endings for path in Path(folder).rglob(f"*{ending}"))


class House:
    """The figures of a checkout, and what stands behind them."""

    def __init__(self) -> None:
        targets = sources()
        files = [file for each in targets.values() for file in each]
        declared = Counter(name for file in files for name in file.own)
        self.functions = [(length, f"{file.path}:{first}", name) for file in files for name, first, length in file.functions]
        self.circles: list[tuple[list[str], list[str]]] = []
        self.pairs: list[str] = []
        self.types = []
        for target, each in targets.items():
            arrows = arrows_between(each, declared)
            for circle in circles([file.path for file in each], arrows):
                inside = [(a, b, arrows[a][b]) for a in circle for b in arrows[a] if b in circle]
                self.circles.append((circle, [f"{a} → {b}: {', '.join(sorted(names))}" for a, b, names in inside]))
            folder = {file.path: file.folder for file in each}
            ways = {(folder[a], folder[b]) for a in arrows for b in arrows[a]}
            self.pairs += [f"{target}: {a} and {b}" for a, b in sorted(ways) if a < b and (b, a) in ways]
            self.types += [(len(one.fields), f"{target}.{one.name}", one.fields) for one in types_that_act(each)]
        lengths = [file.lines for file in files]
        fields = [is_private for _, _, each in self.types for _, is_private in each]
        self.figures = {
            "lines": sum(lengths),
            "other_lines": count_lines("Sources", ".c", ".h", ".js", ".css", ".html") + count_lines("Tools", ".swift"),
            "longest_file": max(lengths),
            "file_median": quantile(lengths, 0.5),
            "function_p90": quantile([length for length, _, _ in self.functions], 0.9),
            "function_p99": quantile([length for length, _, _ in self.functions], 0.99),
            "biggest_circle": max((len(circle) for circle, _ in self.circles), default=0),
            "files_in_circles": sum(len(circle) for circle, _ in self.circles),
            "folder_pairs": len(self.pairs),
            "most_fields": max(count for count, _, _ in self.types),
            "private_share": round(100 * sum(fields) / len(fields)),
        }

    def print_details(self) -> None:
        """Prints circles, pairs, and the largest types and functions."""
        for circle, arrows in sorted(self.circles, key=lambda row: -len(row[0])):
            print(f"circle of {len(circle)} files:", *arrows, sep="\n  ")
        print("folders that point at each other:", *self.pairs, sep="\n  ")
        for count, name, fields in sorted(self.types, reverse=True):
            if count > FIELD_LIMIT:
                print(f"{name}: {count} stored properties, {sum(not is_private for _, is_private in fields)} of them not private")
        for length, place, name in sorted(self.functions, reverse=True):
            if length > FUNCTION_LIMIT:
                print(f"{place}: {name} has {length} lines")


def is_worse(key: str, value: int, limit: int) -> bool:
    return value > limit if FIGURES[key][1] else value < limit


def lower(path: Path, text: str, figures: dict[str, int], limits: dict[str, int]) -> None:
    """Writes the figures that are better than their limits, but for the two sizes of files, which are a matter of taste."""
    for key, limit in limits.items():
        if key not in FIXED and not is_worse(key, figures[key], limit):
            text = re.sub(rf"^{key} = .*$", f"{key} = {figures[key]}", text, flags=re.M)
    path.write_text(text, encoding="utf-8")


def main() -> int:
    """Prints the figures; returns the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--lower", action="store_true")
    parser.add_argument("--limits", type=Path, default=LIMITS)
    arguments = parser.parse_args()
    text = arguments.limits.read_text(encoding="utf-8")
    limits = tomllib.loads(text)
    house = House()
    if arguments.list:
        house.print_details()
        return 0
    faults = []
    for key, limit in limits.items():
        value = house.figures[key]
        print(f"{value:6} {FIGURES[key][0]} (limit {limit})")
        if is_worse(key, value, limit):
            faults.append(f"{FIGURES[key][0]}: {value}, the limit is {limit}. `python3 scripts/lib/house.py --list` shows them.")
    for path in sorted(Path("Tests").rglob("*.swift")):
        if (length := len(path.read_text(encoding="utf-8").splitlines())) > TEST_FILE_LIMIT:
            faults.append(f"{path}: {length} lines, {TEST_FILE_LIMIT} are allowed. Split it.")
    print(*faults, sep="\n", end="\n" if faults else "")
    if arguments.lower:
        lower(arguments.limits, text, house.figures, limits)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
