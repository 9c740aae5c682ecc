"""Plays the awkward scenarios, and judges what trackerd decides in each.

Usage: play_awkward.py --trackerd PROGRAM [--seeds N] [--only TEXT] [--quick] [--write FILE]

Prints a table: what was decided (with the first seed that went wrong, or else the first), and with how many of all seeds
everything was right. The exit status is 1 if a scenario without a stated limit went wrong.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from awkward.rows import Row, rows
from awkward.verdict import Verdict, judge
from playback import play
from tables import replace_between


@dataclass(frozen=True)
class Result:
    """A scenario's verdicts, one a seed."""

    row: Row
    verdicts: Sequence[Verdict]

    @property
    def right(self) -> int:
        """How many verdicts are without a fault."""
        return sum(not verdict.faults for verdict in self.verdicts)

    @property
    def is_reached(self) -> bool:
        """Whether all are right, or the row states why they cannot be."""
        return self.right == len(self.verdicts) or bool(self.row.limit)


def main() -> int:
    """Plays; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trackerd", type=Path, required=True, help="the program to judge")
    parser.add_argument("--seeds", type=int, default=3, help="how often each scenario is played, with other noise")
    parser.add_argument("--only", default="", help="only scenarios whose name contains this")
    parser.add_argument("--quick", action="store_true", help="leave out the scenarios that take many seconds")
    parser.add_argument("--write", type=Path, help="also replace the table of wrong decisions in this document")
    arguments = parser.parse_args()
    chosen = [row for row in rows() if arguments.only in row.name and not (arguments.quick and row.is_slow)]
    results = play_all(arguments.trackerd.resolve(), chosen, range(1, arguments.seeds + 1))
    text = table(results)
    print(text)
    if arguments.write:
        replace_between(arguments.write, "awkward scenarios", table(results, only_faulty=True))
    return 0 if all(result.is_reached for result in results) else 1


def play_all(trackerd: Path, chosen: Sequence[Row], seeds: Sequence[int]) -> list[Result]:
    """Plays each scenario with each seed."""
    with tempfile.TemporaryDirectory(prefix="trackerd-awkward.") as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        played = [[pool.submit(play_one, trackerd, row, seed, Path(scratch)) for seed in seeds] for row in chosen]
        return [
            Result(row, [future.result() for future in futures]) for row, futures in zip(chosen, played, strict=True)
        ]


def play_one(trackerd: Path, row: Row, seed: int, folder: Path) -> Verdict:
    """Plays a scenario once."""
    script = row.build(seed)
    path = folder / f"{uuid4()}.csv"
    drive = script.drive_as_felt(path, is_felt=row.is_felt)
    run = play(trackerd, drive)
    path.unlink()
    return judge(script, run, row.expected)


def table(results: Sequence[Result], *, only_faulty: bool = False) -> str:
    """The table in Markdown: all scenarios, or the wrong figures of those with a wrong decision."""
    lines = ["| scenario | decided | right |", "| --- | --- | --- |"]
    for result in results:
        faulty = next((verdict for verdict in result.verdicts if verdict.faults), None)
        if only_faulty and not faulty:
            continue
        shown = faulty or result.verdicts[0]
        decided = [text for text in shown.decided if not only_faulty or text.startswith("**")]
        reason = f" ({result.row.limit})" if faulty and result.row.limit else ""
        right = f"{result.right} of {len(result.verdicts)}"
        right = f"**{right}**" if faulty else right
        lines.append(f"| {result.row.name} | {', '.join(decided)}{reason} | {right} |")
    reached = sum(result.right == len(result.verdicts) for result in results)
    return "\n".join(lines) + f"\n\ntrackerd decided rightly with every seed in {reached} of {len(results)} scenarios."


if __name__ == "__main__":
    sys.exit(main())
