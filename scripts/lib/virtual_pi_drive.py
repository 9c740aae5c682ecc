"""A recorded drive in the virtual Pi: the records arrive, the power is cut, the memory stays small."""

import random
import time

from virtual_pi_database import Database
from virtual_pi_service import properties

#: The goals of the package: PSS of the only Swift program of the board.
PSS_GOAL_MIB = 28


def wait(condition, limit_s: float) -> bool:
    """Waits until the condition is true; returns whether it is."""
    end = time.monotonic() + limit_s
    while not condition() and time.monotonic() < end:
        time.sleep(0.2)
    return bool(condition())


def show_memory(machine, transcript, when: str) -> None:
    """Prints the memory of the daemon, and the files that most of it maps."""
    process = properties(machine, "MainPID")["MainPID"]
    figures = kilobytes(machine.output(f"cat /proc/{process}/smaps_rollup"))[0][1]
    sizes = {name: size / 1024 for name, size in figures.items()}
    transcript.figure(f"memory {when}", f"PSS {sizes['Pss']:.1f} MiB (goal {PSS_GOAL_MIB}), RSS {sizes['Rss']:.1f}, "
                      f"written by the daemon {sizes['Private_Dirty']:.1f}")
    files: dict[str, int] = {}
    for name, sizes in kilobytes(machine.output(f"cat /proc/{process}/smaps")):
        files[name.rsplit("/", 1)[-1]] = files.get(name.rsplit("/", 1)[-1], 0) + sizes["Pss"]
    largest = sorted(files.items(), key=lambda item: -item[1])[:5]
    transcript.show(", ".join(f"{name} {size / 1024:.1f}" for name, size in largest))


def kilobytes(text: str) -> list[tuple[str, dict[str, int]]]:
    """Reads smaps or smaps_rollup; returns the name and the sizes of each mapping."""
    mappings: list[tuple[str, dict[str, int]]] = []
    for line in text.splitlines():
        words = line.split()
        if not words[0].endswith(":"):
            mappings.append((" ".join(words[5:]) or "anonymous", {}))
        elif words[-1] == "kB":
            mappings[-1][1][words[0].rstrip(":")] = int(words[1])
    return mappings


def hour(machine, transcript, server, receiver) -> None:
    """Drives for an hour at the pace of the recording."""
    transcript.part("An hour's drive, a fix per second, at the pace of the recording")
    show_memory(machine, transcript, "before the drive")
    receiver.drive()
    began = time.monotonic()
    for minutes in range(10, 70, 10):
        time.sleep(max(0, began + minutes * 60 - time.monotonic()))
        show_memory(machine, transcript, f"after {minutes} min")
    found = properties(machine, "CPUUsageNSec", "NRestarts")
    transcript.check(found["NRestarts"] == "0", "the service was never restarted", str(found))
    transcript.figure("records", f"{len(Database(machine).rows())}, {len(server.records)} of them at the server")


def cuts(machine, transcript, server, receiver, count: int) -> None:
    """Drives, cuts the power, and compares; the vehicle drives on while the machine boots."""
    transcript.part(f"A drive with {count} power cuts")
    if receiver.began is None:
        receiver.drive()
    database = Database(machine)
    arrived = len(server.records)
    transcript.check(wait(lambda: len(server.records) >= arrived + 5, 300), "the drive's records arrive at the server",
                     machine.run("journalctl -b -u trackerd --no-pager | tail -n 30")[1])
    show_memory(machine, transcript, "while driving")
    times = []
    for number in range(1, count + 1):
        begin = machine.promised
        wait(lambda: machine.promised >= begin + 3, 60)
        before = database.rows()
        time.sleep(random.uniform(0, 8))
        machine.cut()
        promised, acknowledged = machine.promised, set(server.records)
        machine.start()
        machine.output("until systemctl is-active --quiet trackerd; do sleep 1; done", 300)
        faults = database.faults(before, promised, acknowledged)
        has_record = wait(lambda: machine.first_record_s is not None, 300)
        times.append(machine.first_record_s or machine.age_s)
        transcript.check(not faults and has_record, f"cut {number}: {promised} records on disk, {len(acknowledged)} at the server, "
                         f"all there after the boot; next record {times[-1]:.0f} s after power-on", "\n".join(faults))
    if times:
        transcript.figure("power-on to first record", f"median {sorted(times)[len(times) // 2]:.0f} s, longest {max(times):.0f} s")
    transcript.check(database.wait_for_delivery(server, 300), "in the end the server has every record of the database",
                     machine.run("journalctl -b -u trackerd --no-pager | tail -n 30")[1])
    faults = database.faults([], 0, set(server.records))
    transcript.check(not faults and not server.changed,
                     "no record is doubled or changed, and the numbers have no gaps", "\n".join(faults))
    transcript.figure("records", f"{len(server.records)} at the server, in {server.deliveries} deliveries")
