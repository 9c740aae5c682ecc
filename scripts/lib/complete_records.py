"""Completes the records of a recorded drive with the values that the recording lacks, as if a real tracker had measured them.

Usage: complete_records.py DATABASE [COUNT]

A recording in Tests/Traces has no satellites, no height above the ellipsoid, no vertical error, no ignition and no voltage. A quick
simulation also has a clock that jumps. A real tracker writes a location 60 to 260 ms after the fix, and two of three locations one fix
later, when it has noticed the turn. With COUNT, only the first COUNT locations remain in the database, without the other kinds of
records. The values are the same in each run, but the UUIDs' random bits are those that trackerd has chosen.
"""

import json
import random
import sqlite3
import sys
import uuid
from contextlib import closing
from pathlib import Path

from record_body import record_of, uuid_text


def main() -> int:
    """Changes the database; returns the exit status."""
    path, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None
    with closing(sqlite3.connect(path)) as database, database:
        complete(database)
        if count:
            keep_locations(database, count)
    return 0


def complete(database: sqlite3.Connection) -> None:
    """Completes all records."""
    numbers = random.Random(1)
    satellites = 11
    rows = database.execute("SELECT sequence, uuid, created_ms, body FROM record ORDER BY sequence").fetchall()
    for sequence, identity, created_ms, body in rows:
        record = record_of(body)
        record["ignition"] = True
        record["supply"] = round(numbers.gauss(14.1, 0.06), 3)
        satellites = min(16, max(7, satellites + numbers.choice((-1, 0, 0, 0, 0, 1))))
        position = record.get("position")
        if position:
            position["satellites"] = satellites
            position["verticalAccuracy"] = position.get("accuracy", 5) * numbers.uniform(1.3, 1.8)
            # The height of the geoid near the recorded drives, which changes by a metre in 50 km.
            geoid_m = -33 + 2 * (position["coordinate"]["lon"] + 75)
            position["ellipsoidAltitude"] = position.get("altitude", 50) + geoid_m
        if "location" in record["content"]:
            created_ms = record["time"] + numbers.choice((0, 1000, 1000))
        created_ms += numbers.randint(60, 260)
        digits = f"{created_ms:012x}" + uuid_text(identity).replace("-", "")[12:]
        database.execute(
            "UPDATE record SET uuid = ?, created_ms = ?, body = ? WHERE sequence = ?",
            (uuid.UUID(digits).bytes, created_ms, json.dumps(record), sequence),
        )


def keep_locations(database: sqlite3.Connection, count: int) -> None:
    """Removes all records but the first locations."""
    database.execute("DELETE FROM record WHERE kind <> 'location'")
    database.execute(
        "DELETE FROM record WHERE sequence NOT IN (SELECT sequence FROM record ORDER BY sequence LIMIT ?)", (count,)
    )
    (left,) = database.execute("SELECT COUNT(*) FROM record").fetchone()
    if left < count:
        sys.exit(f"complete_records: the database contains only {left} locations")


if __name__ == "__main__":
    sys.exit(main())
