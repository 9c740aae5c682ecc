"""Drives a virtual week against real servers behind fault proxies; then checks that every record arrived and memory stayed flat.

Usage: torture_network.py PROGRAM DAYS FOLDER
"""

import os
import sys
import time
from collections import Counter
from pathlib import Path

from torture_bench import DRIVE, TARGETS, Bench, report, seed

#: A week takes ten minutes, or longer on a busy computer, because the simulated vehicle waits for it.
SPEED = float(os.environ.get("SPEED", "1000"))
#: A fault lasts this long, and the same time without a fault follows.
PHASE_S = 4.0
#: The run fails if it takes this many times as long as it should.
LONGEST = 6
DRIVES_A_DAY = 3
DRIVE_S = 5211

BYTES = ["refuse", "reset 50", "reset 2000", "cut 20", "stall 500", "slow 4000", "garbage", "silent"]
HTTP = BYTES + ["status 400 no", "status 401", "status 403", "status 404", "status 413", "busy 2", "busy 3 503", "status 500"]
HTTP += ['body {"error":"no"}', "portal", "moved http://127.0.0.1:9/"]
#: SKIP="deny portal" leaves these faults out.
SKIP = os.environ.get("SKIP", "").split()
FAULTS = {"archive": HTTP, "recorder": HTTP + ["wrong", "expired"], "broker": BYTES + ["mute", "deny"]}


def main() -> int:
    """Runs the week."""
    program, days, folder = sys.argv[1], float(sys.argv[2]), Path(sys.argv[3])
    chance = seed()
    bench = Bench(program, folder / "network", "{desiredSyncInterval: 0, distanceFilter: 10, turnFilter: 0}", tls=True)
    failures: list[str] = []
    faults: Counter[str] = Counter()
    memory: list[int] = []
    try:
        drives = [DRIVE] * max(1, round(days * DRIVES_A_DAY))
        began = time.time()
        bench.start(drives, SPEED, 86_400 / DRIVES_A_DAY - DRIVE_S, began)
        bench.wait_for_start()
        queues = {name: [] for name in TARGETS}
        while (driven_s := bench.vehicle_s()) < days * 86_400:
            if time.time() > began + LONGEST * days * 86_400 / SPEED:
                failures.append(f"the vehicle has driven only {driven_s / 86_400:.1f} of {days} days")
                break
            for name in TARGETS:
                if not queues[name]:
                    faults_here = [fault for fault in FAULTS[name] if fault.split()[0] not in SKIP]
                    queues[name] = chance.sample(faults_here, len(faults_here))
                manner = queues[name].pop()
                faults[manner.split()[0]] += 1
                bench.behave(name, manner)
            bench.try_now()
            time.sleep(PHASE_S)
            for name in TARGETS:
                bench.behave(name, "good")
            bench.try_now()
            time.sleep(PHASE_S)
            memory.append(bench.memory_KiB())
            if bench.daemon and bench.daemon.poll() is not None:
                failures.append(f"trackerd ended with status {bench.daemon.returncode}")
                break
        bench.wait_for_start()
        bench.settle(300, failures)
        memory.append(bench.memory_KiB())
        driven_s = bench.vehicle_s()
        bench.end()
        # The vehicle continues in real time, so few new records come while trackerd sends the last ones.
        bench.start(drives, 1, 86_400 / DRIVES_A_DAY - DRIVE_S, time.time() - driven_s)
        bench.wait_for_start()
        bench.settle(120, failures)
        bench.kill()
        figures = bench.check(failures)
    finally:
        bench.close()
    third = max(1, len(memory) // 3)
    first, last = max(memory[:third]), max(memory[-third:])
    if last > first * 1.15:
        failures.append(f"the memory grew from {first} to {last} KiB")
    figures = {"days": round(driven_s / 86_400, 1), "faults": sum(faults.values()), "kinds of faults": len(faults), **figures}
    figures |= {"memory_KiB": f"{first} to {last}", "seconds": round(time.time() - began)}
    return report("network", figures, failures, bench.folder)


if __name__ == "__main__":
    sys.exit(main())
