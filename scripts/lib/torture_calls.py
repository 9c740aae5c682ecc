"""Makes the n-th call on a network socket fail in a short drive, for many n; then checks that everything arrived.

Usage: torture_calls.py PROGRAM LIBRARY FOLDER
"""

import os
import shutil
import struct
import sys
import time
from pathlib import Path

from torture_bench import ROOT, Bench, report, seed

DRIVE = ROOT / "demo/drive/sample_trip.csv.gz"
#: The sample trip takes six seconds.
SPEED = 30.0
DRIVE_S = 190.0


def drive(bench: Bench, library: str, failing: int) -> int:
    """Drives the sample trip while one call fails; returns the number of calls."""
    count = bench.folder / "count"
    count.unlink(missing_ok=True)
    bench.begin_run()
    bench.environment = {"LD_PRELOAD": library, "FAIL_CALL": str(failing), "FAIL_COUNT": str(count)}
    bench.start([DRIVE], SPEED, 0, time.time())
    time.sleep(DRIVE_S / SPEED + 1)
    return struct.unpack("q", count.read_bytes())[0]


def main() -> int:
    """Counts the calls of a drive, then lets one after the other fail."""
    program, library, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    chance = seed()
    began = time.time()
    bench = Bench(program, folder / "calls", "{desiredSyncInterval: 0, distanceFilter: 10, turnFilter: 0}", "0s")
    failures: list[str] = []
    records = 0
    try:
        calls = drive(bench, library, 0)
        bench.kill()
        runs = calls if os.environ.get("LONG") else min(calls, int(os.environ.get("RUNS", "40")))
        chosen = sorted(chance.sample(range(1, calls + 1), runs))
        for number in chosen:
            drive(bench, library, number)
            bench.wait_for_start()
            wrong: list[str] = []
            bench.settle(60, wrong)
            bench.kill()
            records += int(str(bench.check(wrong)["records"]))
            failures += [f"call {number}: {text}" for text in wrong]
            if wrong:
                shutil.copy(bench.log, bench.folder / f"call-{number}.log")
            bench.log.unlink()
    finally:
        bench.close()
    figures = {"calls": calls, "failed one by one": runs, "records": records, "seconds": round(time.time() - began)}
    return report("calls", figures, failures, bench.folder)


if __name__ == "__main__":
    sys.exit(main())
