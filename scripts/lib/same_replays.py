"""Replays drives and stores or compares the events, line by line; see scripts/same-replays.

Two decisions are equal if their time and subject are equal; the sentence may differ. All other lines, the summary
included, must be the same byte for byte.
"""

import argparse
import gzip
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

PROFILES = ["vehicle", "motion", "responsive", "trckr", "significant"]


def drives(folders: list[Path]) -> list[tuple[Path, Path]]:
    """Returns the drives of all folders, each with its folder; files of beacons beside a drive are left out."""
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = path.name.removesuffix(".gz")
            if name.endswith((".csv", ".gpx", ".json")) and not name.startswith("beacons") and path.is_file():
                found.append((folder, path))
    return found


def normalised(line: str) -> str:
    """Returns the line without the wording of a decision."""
    event = json.loads(line)
    if event.get("event") != "decision":
        return line
    event.pop("text", None)
    return json.dumps(event, sort_keys=True)


def replay(program: str, path: Path, profile: str) -> list[str]:
    """Returns the events of one replay, and its exit status; an unreadable drive is also a result."""
    result = subprocess.run([program, "replay", "--profile", profile, str(path)], capture_output=True, text=True)
    lines = [normalised(line) for line in result.stdout.splitlines()]
    return lines + [f"exit status {result.returncode}"]


def difference(before: list[str], after: list[str]) -> str | None:
    """Returns the first line that differs, or None if all lines are the same."""
    for number, (old, new) in enumerate(zip(before, after), start=1):
        if old != new:
            return f"line {number}\n  was {old}\n  is  {new}"
    return None if len(before) == len(after) else f"{len(before)} lines were {len(after)}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["record", "compare"])
    parser.add_argument("kept", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    tasks = [(folder, path, profile) for folder, path in drives(arguments.data) for profile in PROFILES]
    if not tasks:
        print("same-replays: no drive was found", file=sys.stderr)
        return 1

    def run(task: tuple[Path, Path, str]) -> tuple[str, str | None, int, int]:
        folder, path, profile = task
        lines = replay(arguments.program, path, profile)
        is_read = lines[-1] == "exit status 0"
        file = arguments.kept / folder.name / path.relative_to(folder).with_suffix(path.suffix + f".{profile}.gz")
        name = f"{path} under {profile}"
        if arguments.what == "record":
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
            return name, None, len(lines), is_read
        if not file.exists():
            return name, "KEPT has no recording of this replay", len(lines), is_read
        return name, difference(gzip.decompress(file.read_bytes()).decode().split("\n"), lines), len(lines), is_read

    with ThreadPoolExecutor(cpu_count()) as pool:
        results = list(pool.map(run, tasks))
    for name, fault, _, _ in results:
        if fault:
            print(f"{name}: {fault}")
    different = sum(1 for _, fault, _, _ in results if fault)
    read = sum(is_read for _, _, _, is_read in results)
    lines = sum(count for _, _, count, _ in results)
    print(f"{len(results)} replays ({read} of drives that can be read), {lines} lines, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
