"""The database in the virtual Pi, compared with what the host's server has received."""

import json
import time

#: Prints number and UUID of each record, and the verdict of SQLite. The daemon has the file open at the same time.
READ = """python3 - <<'PYTHON'
import json, sqlite3
database = sqlite3.connect("file:/var/lib/trackerd/trackerd.sqlite?mode=ro", uri=True, timeout=60)
rows = database.execute("SELECT sequence, uuid FROM records ORDER BY sequence").fetchall()
print(json.dumps({"rows": rows, "verdict": database.execute("PRAGMA integrity_check").fetchone()[0]}))
PYTHON"""


class Database:
    """Reads the records, which only the machine can."""

    def __init__(self, machine) -> None:
        self.machine, self.verdict = machine, ""

    def rows(self) -> list[tuple[int, str]]:
        """Returns number and UUID of each record."""
        answer = json.loads(self.machine.output(READ))
        self.verdict = answer["verdict"]
        return [(number, uuid) for number, uuid in answer["rows"]]

    def faults(self, before: list[tuple[int, str]], promised: int, acknowledged: set[str]) -> list[str]:
        """Compares the database with what was there, promised and acknowledged before; returns what is wrong."""
        rows = self.rows()
        numbers, uuids = [number for number, _ in rows], {uuid for _, uuid in rows}
        faults = [] if self.verdict == "ok" else [f"SQLite finds: {self.verdict}"]
        if numbers != list(range(1, len(numbers) + 1)):
            faults.append("the numbers of the records have gaps")
        if len(uuids) != len(rows):
            faults.append("a record is there twice")
        if rows[: len(before)] != before:
            faults.append(f"of {len(before)} records that were in the database, not all are there in their order")
        if len(rows) < promised:
            faults.append(f"record {promised} was reported as on disk, but the last one is {len(rows)}")
        if missing := acknowledged - uuids:
            faults.append(f"{len(missing)} records that the server has are missing")
        return faults

    def wait_for_delivery(self, server, limit_s: float) -> bool:
        """Waits until the server has all records of the database; returns whether it has."""
        end = time.monotonic() + limit_s
        wanted = {uuid for _, uuid in self.rows()}
        while wanted - server.records.keys() and time.monotonic() < end:
            time.sleep(1)
        return not wanted - server.records.keys()
