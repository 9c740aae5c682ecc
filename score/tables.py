"""The tables that are printed, in Markdown."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from figures import Row
from judge_points import thinnings
from playback import Run
from truth import split_seconds, trips


def figures_table(rows: Iterable[Row], before: Mapping[str, str] | None = None) -> str:
    """A line a figure, with the drive that it went worst on; `before` adds the figures of an earlier program by key."""
    column = " before |" if before is not None else ""
    lines = [f"| figure | to reach |{column} got | reached | worst drive |", "| --- " * (5 + bool(column)) + "|"]
    for row in rows:
        worst = row.worst
        where = f"{worst.drive} at {worst.t:.0f} s: {worst.note}" if worst else ""
        earlier = f" {before.get(row.key, '–')} |" if before is not None else ""
        lines.append(f"| {row.figure} | {row.to_reach} |{earlier} {row.got} | {row.verdict} | {where} |")
    return "\n".join(lines) + "\n"


def earlier_figures(score: Path) -> dict[str, str]:
    """What each figure came to in a score.json, by its key."""
    return {figure["key"]: figure["got"] for figure in json.loads(score.read_text(encoding="utf-8"))["figures"]}


def replace_between(document: Path, name: str, text: str) -> None:
    """Replaces what stands between the two marks of that name in a document."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, rest = document.read_text(encoding="utf-8").split(begin)
    document.write_text(before + begin + text.rstrip("\n") + "\n" + end + rest.split(end)[1], encoding="utf-8")


def drive_table(runs: Iterable[Run]) -> str:
    """A line a drive: the truth in brackets."""
    names = ["drive", "trips", "stops", "km", "receiver on", "records", "needed", "worst cross-track", "refused"]
    lines = ["| " + " | ".join(names) + " |", "|" + " --- |" * len(names)]
    for run in runs:
        true = trips(run.drive, split_seconds(run.drive)) if run.drive.segments else None
        parts = thinnings(run)
        worst = max((part.worst[1] for part in parts), default=0.0)
        truth = f" ({len(true)})" if true is not None else ""
        way = f" ({sum(trip.distance_by_speed for trip in true) / 1000:.2f})" if true else ""
        refused = ", ".join(f"{count} {reason}" for reason, count in sorted(run.summary["refused"].items()))
        cells = [
            run.drive.title,
            f"{run.summary['trips']}{truth}",
            f"{run.summary['stops']}",
            f"{run.summary['distance_m'] / 1000:.2f}{way}",
            f"{run.receiver_seconds:.0f} s of {run.drive.seconds:.0f}",
            f"{len(run.records)}",
            f"{sum(part.needed for part in parts)}",
            f"{worst:.1f} m",
            refused,
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
