"""Measures `trackerd export` on a database with many records.

Usage: bench_export.py PROGRAM RECORDS
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START_MS = 1_760_000_000_000
RECORDS_A_TRIP = 1000
START_UUID = uuid.UUID("0199c000-0000-7000-8000-000000000000")


def make_database(program: str, folder: Path) -> Path:
    """Lets trackerd drive the sample trip, so that the database has its own schema."""
    config = folder / "config.yaml"
    config.write_text(f"device: van1\nstore: {{path: {folder}/t.sqlite}}\ncontrol: {{socket: {folder}/c}}\n", encoding="ascii")
    drive = ROOT / "demo/drive/sample_trip.csv.gz"
    command = [program, "run", "--board", "sim", "--drive", str(drive), "--speed", "60", "--exit-at-end", "--config", str(config)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return config


def fill(path: Path, rows: Iterable[dict[str, object]]) -> None:
    """Replaces the records by copies of a recorded location, each with its own time and these values."""
    with sqlite3.connect(path) as database:
        names = [row[1] for row in database.execute("PRAGMA table_info(record)")]
        query = f"SELECT {', '.join(names)} FROM record WHERE kind = 0 LIMIT 1"
        sample = dict(zip(names, database.execute(query).fetchone()))
        database.execute("DELETE FROM record")

        def copies() -> Iterator[list[object]]:
            for number, values in enumerate(rows, 1):
                own = {"sequence": number, "uuid": uuid.UUID(int=START_UUID.int + number).bytes, "delay_ms": 0}
                row = {**sample, **own, **values}
                yield [row[name] for name in names]

        database.executemany(f"INSERT INTO record ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", copies())


def straight(count: int) -> Iterator[dict[str, object]]:
    """Locations 5 s apart, in many trips."""
    for number in range(1, count + 1):
        place = {"lat_e7": 500_000_000 + number % 100_000 * 100, "trip": 1 + number // RECORDS_A_TRIP}
        yield {"time_ms": START_MS + number * 5000, **place}


def main() -> int:
    """Prints a line for each format."""
    program, count = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="bench-export.") as name:
        folder = Path(name)
        config = make_database(program, folder)
        fill(folder / "t.sqlite", straight(count))
        for form in ("csv", "gpx", "kml", "geojson"):
            out = folder / f"out.{form}"
            began = time.time()
            child = subprocess.Popen([program, "export", "--format", form, "--output", str(out), "--config", str(config)])
            _, status, usage = os.wait4(child.pid, 0)
            seconds, processor = time.time() - began, usage.ru_utime + usage.ru_stime
            if status != 0:
                return 1
            size = out.stat().st_size
            memory_MiB = usage.ru_maxrss / 1024
            times = f"{seconds:.1f} s, {processor:.1f} s of processor time"
            print(f"{form}: {count} records: {times}, {size / 1e6:.0f} MB, peak memory {memory_MiB:.0f} MiB", flush=True)
            out.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
