"""Makes the n-th call on a socket fail in a short drive, for many n; then checks that everything arrived.

The calls concern the servers, gpsd, the clients of the control socket, and netlink (failing_calls.c).

Usage: torture_calls.py PROGRAM LIBRARY FOLDER
"""

import csv
import gzip
import json
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from torture_bench import ROOT, Bench, free_port, report, seed, wait_for_port

DRIVE = ROOT / "demo/drive/sample_trip.csv.gz"
#: At this speed, the sample trip takes six seconds.
SPEED = float(os.environ.get("SPEED", "30"))
DRIVE_S = 190.0
#: 2026-01-01, the date at the start of a simulation with gpsd.
EPOCH = 1767225600
#: The names in failing_calls.c, in the same order.
FUNCTIONS = ("socket", "bind", "listen", "accept", "connect", "send", "recv", "read", "write")
FAMILIES = ("network", "gpsd", "local", "netlink")

Kind = tuple[str, str]


def write_reports(folder: Path) -> None:
    """Writes gpsd's reports of the drive, one per second."""
    lines: list[str] = []
    with gzip.open(DRIVE, "rt", encoding="ascii") as drive:
        for row in csv.DictReader(drive):
            if not row["lat"] or float(row["t_s"]) < len(lines):
                continue
            fix = {"class": "TPV", "device": "/dev/gps0", "mode": 3, "time": "%T"}
            names = {"lat": "lat", "lon": "lon", "altMSL": "alt_m", "speed": "speed_mps", "track": "course_deg", "eph": "hacc_m"}
            values = {key: float(row[name]) for key, name in names.items() if row[name]}
            lines.append("0\t" + json.dumps(fix | values, separators=(",", ":")))
    folder.mkdir(exist_ok=True)
    (folder / "reports").write_text("\n".join(lines), encoding="ascii")


class Drive:
    """A drive of trackerd between gpsd, the servers, and a client of the control socket; one call of the program fails."""

    def __init__(self, bench: Bench, library: str, failing: str) -> None:
        self.bench = bench
        self.count = bench.folder / "count"
        self.count.unlink(missing_ok=True)
        bench.begin_run()
        began, port = time.time(), free_port()
        command = [sys.executable, f"{ROOT}/scripts/lib/scripted_gpsd.py", f"{bench.folder}/gpsd", str(port)]
        command += [str(number) for number in (1 / SPEED, began, EPOCH, SPEED)]
        self.gpsd = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        wait_for_port(port)
        bench.environment = {
            "LD_PRELOAD": library, "FAIL_CALL": failing, "FAIL_COUNT": str(self.count), "FAIL_GPSD": str(port)}
        bench.start([DRIVE], SPEED, 0, began, "--gpsd", f"127.0.0.1:{port}")
        self.end = began + DRIVE_S / SPEED + 1

    def run(self) -> None:
        """Drives to the end; the client asks something twice in a second."""
        while time.time() < self.end:
            for request in ("status", "odometer"):
                self.ask(request)
                time.sleep(0.25)

    def ask(self, request: str) -> bool:
        """Returns whether trackerd answers a request."""
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(5)
                client.connect(f"{self.bench.folder}/control")
                client.sendall(json.dumps({"request": request}).encode() + b"\n")
                return b'"ok":true' in client.makefile("rb").readline()
        except OSError:
            return False

    @property
    def has_no_socket(self) -> bool:
        """Whether trackerd has reported that it runs without a control socket."""
        return b"cannot create the control socket" in self.bench.log.read_bytes()

    def calls(self) -> dict[Kind, int]:
        """Returns the number of calls of each kind."""
        numbers = struct.unpack(f"{len(FUNCTIONS) * len(FAMILIES)}q", self.count.read_bytes())
        kinds = [(function, family) for function in FUNCTIONS for family in FAMILIES]
        return {kind: number for kind, number in zip(kinds, numbers) if number}

    def check(self, usual: int) -> tuple[int, list[str]]:
        """Ends the drive; returns the number of records, and what is wrong. `usual` is the number without a failed call."""
        wrong: list[str] = []
        if not self.has_no_socket and not any(self.ask("status") for _ in range(20)):
            wrong.append("trackerd does not answer")
        last = self.bench.last_stored()
        self.bench.settle(60, wrong)
        self.close()
        records = int(str(self.bench.check(wrong, last)["records"]))
        if records < usual / 2:
            wrong.append(f"trackerd has recorded only {records} records instead of {usual}")
        return records, wrong

    def close(self) -> None:
        """Ends trackerd and gpsd."""
        self.bench.kill()
        self.gpsd.kill()
        self.gpsd.wait()


def chosen(calls: dict[Kind, int], runs: int, chance: random.Random) -> Iterator[tuple[Kind, int]]:
    """Yields calls: one of each kind, in turn of each family, and then any calls."""
    kinds = {family: [kind for kind in calls if kind[1] == family] for family in FAMILIES}
    for waiting in kinds.values():
        chance.shuffle(waiting)
    first = [kind for round_ in range(len(FUNCTIONS)) for waiting in kinds.values() for kind in waiting[round_ : round_ + 1]]
    for kind in first[:runs]:
        yield kind, chance.randint(1, calls[kind])
    every = [(kind, number) for kind in calls for number in range(1, calls[kind] + 1)]
    yield from chance.sample(every, min(len(every), max(0, runs - len(first))))


def main() -> int:
    """Counts the calls of a drive, then lets one after the other fail."""
    program, library, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    chance = seed()
    began = time.time()
    bench = Bench(program, folder / "calls", "{desiredSyncInterval: 0, distanceFilter: 10, turnFilter: 0}", "0s")
    failures: list[str] = []
    records = number_of_runs = 0
    try:
        write_reports(bench.folder / "gpsd")
        drive = Drive(bench, library, "")
        drive.run()
        calls = drive.calls()
        usual, failures = drive.check(0)
        every = [(kind, number) for kind in calls for number in range(1, calls[kind] + 1)]
        runs = every if os.environ.get("LONG") else list(chosen(calls, int(os.environ.get("RUNS", "40")), chance))
        number_of_runs = len(runs)
        for kind, number in runs:
            call = f"{' '.join(kind)} {number}"
            drive = Drive(bench, library, call)
            drive.run()
            count, wrong = drive.check(usual)
            records += count
            failures += [f"{call}: {text}" for text in wrong]
            if wrong:
                shutil.copy(bench.log, bench.folder / f"{call.replace(' ', '-')}.log")
            bench.log.unlink()
    finally:
        bench.close()
    figures = {"calls": sum(calls.values()), "kinds of calls": len(calls), "failed one by one": number_of_runs}
    figures |= {"records": records, "seconds": round(time.time() - began)}
    return report("calls", figures, failures, bench.folder)


if __name__ == "__main__":
    sys.exit(main())
