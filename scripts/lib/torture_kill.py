"""Kills trackerd many times under load, while its servers go up and down; then checks that nothing was lost or doubled.

Usage: torture_kill.py PROGRAM KILLS FOLDER
"""

import sys
import time
from pathlib import Path

from torture_bench import DRIVE, TARGETS, Bench, report, seed

#: An hour and a half of driving takes a minute, so a kill comes every half to two minutes of the drive.
SPEED = 90.0


def main() -> int:
    """Runs the kills, half of them with groups of locations and half with each record on disk at once."""
    program, kills, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    chance = seed()
    status = 0
    for interval in ("5s", "0s"):
        tracking = "{desiredSyncInterval: 0, distanceFilter: 10, turnFilter: 0}"
        bench = Bench(program, folder / f"kill-{interval}", tracking, interval)
        failures: list[str] = []
        began, lost, downs = time.time(), 0, 0
        try:
            drives = [DRIVE] * max(1, kills // 40)
            for number in range(kills // 2):
                bench.start(drives, SPEED, 60, began)
                # One kill in five comes during the start.
                if chance.random() < 0.8:
                    bench.wait_for_start()
                time.sleep(chance.uniform(0.0, 1.0))
                if chance.random() < 0.3:
                    down = chance.choice(("good", "good", "refuse", "cut 20", "stall 300"))
                    downs += down != "good"
                    bench.behave(chance.choice(TARGETS), down)
                bench.kill()
                promised, last = bench.promised(), bench.last_stored()
                if last < promised:
                    lost += 1
                    failures.append(f"kill {number + 1}: record {promised} was reported as on disk, the last one is {last}")
            for name in TARGETS:
                bench.behave(name, "good")
            bench.start(drives, SPEED, 60, began)
            bench.wait_for_start()
            bench.settle(120, failures)
            bench.end()
            # The vehicle continues in real time, so few new records come while trackerd sends the last ones.
            bench.start(drives, 1, 60, time.time() - (time.time() - began) * SPEED)
            bench.wait_for_start()
            bench.settle(120, failures)
            bench.kill()
            figures = bench.check(failures)
        finally:
            bench.close()
        figures = {"commitInterval": interval, "kills": kills // 2, "outages": downs, **figures}
        figures["seconds"] = round(time.time() - began)
        status |= report("kill", figures, failures, bench.folder)
    return status


if __name__ == "__main__":
    sys.exit(main())
