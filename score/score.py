"""Scores trackerd's judgement on recorded drives with known truth.

Usage: score.py --trackerd PROGRAM --data FOLDER [--out FOLDER] [--before SCORE.JSON]

Prints a table of the figures, and one a drive; writes score.json and pictures of the worst cases to the output folder.
A figure that is not reached is a figure: the exit status is 1 only when a replay fails.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from days import day_rows, play_days
from figures import Row
from judge_odometer import REFERENCES, odometer_rows
from judge_points import point_rows
from judge_receiver import receiver_row
from judge_starts import start_rows
from judge_stops import believed_row, stop_rows
from judge_trips import false_start_row, false_stop_row, trip_rows
from pictures import draw_all
from playback import ReplayError, Run, play
from recording import BY_SPEED, Drive, drives, drives_by_speed, standing_captures
from tables import drive_table, earlier_figures, figures_table
from truth import has_truth

#: Captures of receivers that stand: nothing may start.
STANDING = ["gpsd-regress__ublox-glo", "gpsd-regress__telit-he910", "nmea-raw__aerorust-gnss-static"]
#: Few recorded stops are as long as the profile's timeout. With this one more of them can be compared with the truth.
SHORT_TIMEOUT_S = 30
SHORT_STOPS = """\
device: score
store:
  path: {scratch}/unused.sqlite
tracking:
  profile: vehicle
  stopTimeout: {timeout}
  stopDuration: {timeout}
"""


def main() -> int:
    """Scores; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trackerd", type=Path, required=True, help="the program to score")
    parser.add_argument("--data", type=Path, required=True, help="folder with drives.csv, segments.csv and the drives")
    parser.add_argument("--out", type=Path, default=Path(".build/score"), help="where score.json and the pictures go")
    parser.add_argument("--before", type=Path, help="score.json of an earlier program, to print its figures beside these")
    arguments = parser.parse_args()
    if not (arguments.data / "drives.csv").exists():
        print(f"score: {arguments.data}: contains no drives.csv. Give the folder of a data set.", file=sys.stderr)
        return 2
    try:
        with tempfile.TemporaryDirectory(prefix="trackerd-score.") as scratch:
            score(arguments.trackerd.resolve(), arguments.data, arguments.out, Path(scratch), arguments.before)
    except ReplayError as error:
        print(f"score: {error}", file=sys.stderr)
        return 1
    return 0


def score(trackerd: Path, data: Path, out: Path, scratch: Path, before: Path | None) -> None:
    """Plays all drives, and returns the results."""
    all_drives = drives(data) + standing_captures(data, STANDING, scratch)
    played = [drive for drive in all_drives if drive.name not in REFERENCES.values()]
    runs = [play(trackerd, drive) for drive in played]
    configuration = scratch / "short.yaml"
    configuration.write_text(SHORT_STOPS.format(scratch=scratch, timeout=SHORT_TIMEOUT_S), encoding="utf-8")
    with_truth = [drive for drive in played if drive.segments]
    short = [play(trackerd, drive, "--config", str(configuration)) for drive in with_truth]
    by_speed = [play(trackerd, drive) for drive in drives_by_speed(data)]
    days = play_days(trackerd, played, scratch)
    drawn = judge(runs, short, {drive.name: drive for drive in all_drives})
    rows = [*drawn, *rows_by_speed(by_speed), *day_rows(days)]
    print(figures_table(rows, earlier_figures(before) if before else None))
    print(drive_table([*runs, *by_speed]))
    write(rows, [*runs, *by_speed], out)
    draw_all(drawn, {run.drive.name: run for run in runs}, {run.drive.name: run for run in short}, out)
    print(f"\n{out}/score.json and the pictures beside it have the cases.")


def judge(runs: list[Run], short: list[Run], all_drives: dict[str, Drive]) -> list[Row]:
    """All rows, in the order in which quality is stated."""
    true = [run for run in runs if has_truth(run.drive)]
    soon, soon_suffix = [run for run in short if has_truth(run.drive)], f", timeouts of {SHORT_TIMEOUT_S} s"
    return [
        *trip_rows(true),
        *start_rows(true),
        false_start_row(runs),
        false_stop_row(true),
        *stop_rows(true),
        *stop_rows(soon, soon_suffix, "-short"),
        believed_row(soon, soon_suffix),
        receiver_row(true),
        *odometer_rows(true, all_drives),
        *point_rows(runs),
    ]


def rows_by_speed(runs: list[Run]) -> list[Row]:
    """The figures of a receiver that states its HDOP instead of an error; its days have hours of parking."""
    rows = [*trip_rows(runs), *start_rows(runs), false_start_row(runs), false_stop_row(runs), *stop_rows(runs)]
    rows += point_rows(runs)
    for row in rows:
        row.key, row.figure = f"{BY_SPEED}-{row.key}", f"{BY_SPEED}: {row.figure}"
    return [row for row in rows if row.got != "no case"]


def write(rows: list[Row], runs: list[Run], out: Path) -> None:
    """Writes everything that was measured."""
    out.mkdir(parents=True, exist_ok=True)
    content = {
        "figures": [{**asdict(row), "worst": row.worst and asdict(row.worst)} for row in rows],
        "drives": {run.drive.name: {**run.summary, "receiver_s": run.receiver_seconds} for run in runs},
    }
    (out / "score.json").write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
