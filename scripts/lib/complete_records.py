"""Completes the records of a recorded drive with the values that the recording lacks, as if a real tracker had measured them.

Usage: complete_records.py DATABASE [COUNT]

A recording in Tests/Traces has no satellites, no height above the ellipsoid, no vertical error, no ignition and no voltage. A quick
simulation also has a clock that jumps. A real tracker writes a location 60 to 260 ms after the fix, and two of three locations one fix
later, when it has noticed the turn. With COUNT, only the first COUNT locations remain in the database, without the other kinds of
records. The values are the same in each run, but the UUIDs' random bits are those that trackerd has chosen.
"""

import random
import sqlite3
import sys
import uuid
from contextlib import closing
from pathlib import Path

#: The number of the kind `location` in the table `kind`.
LOCATION = 0


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
    rows = database.execute("SELECT sequence, uuid, kind, time_ms, delay_ms FROM record ORDER BY sequence").fetchall()
    for sequence, identity, kind, time_ms, delay_ms in rows:
        satellites = min(16, max(7, satellites + numbers.choice((-1, 0, 0, 0, 0, 1))))
        supply_mV = round(numbers.gauss(14.1, 0.06) * 1000)
        error = numbers.uniform(1.3, 1.8)
        if kind == LOCATION:
            delay_ms = numbers.choice((0, 1000, 1000))
        delay_ms += numbers.randint(60, 260)
        digits = f"{time_ms + delay_ms:012x}" + identity.hex()[12:]
        database.execute(
            "UPDATE record SET uuid = ?, delay_ms = ?, supply_mV = ?, flags = flags & ~768 | 256 WHERE sequence = ?",
            (uuid.UUID(digits).bytes, delay_ms, supply_mV, sequence),
        )
        # The height of the geoid near the recorded drives changes by a metre in 50 km.
        database.execute(
            """
            UPDATE record SET satellites = :satellites,
                vertical_accuracy_mm = (SELECT COALESCE(accuracy_m, 5) * :error FROM records WHERE records.sequence = :sequence),
                ellipsoid_altitude_e4 = (
                    SELECT COALESCE(altitude_m, 50) - 33 + 2 * (longitude + 75) FROM records WHERE records.sequence = :sequence)
            WHERE sequence = :sequence AND lat_e7 IS NOT NULL
            """,
            {"sequence": sequence, "satellites": satellites, "error": error},
        )


def keep_locations(database: sqlite3.Connection, count: int) -> None:
    """Removes all records but the first locations."""
    database.execute("DELETE FROM record WHERE kind <> 0")
    database.execute(
        "DELETE FROM record WHERE sequence NOT IN (SELECT sequence FROM record ORDER BY sequence LIMIT ?)", (count,)
    )
    (left,) = database.execute("SELECT COUNT(*) FROM record").fetchone()
    if left < count:
        sys.exit(f"complete_records: the database contains only {left} locations")


if __name__ == "__main__":
    sys.exit(main())
