"""Counts how often trackerd has the disk synced, and how long a record takes until it is durable.

Usage: bench_sync.py --trackerd PROGRAM

Needs strace. The drive is a recorded one, played at its own speed; the durable record is a waypoint that is set through the
control socket, whose answer comes when the record is on disk.
"""

import json
import socket
import statistics
import time
from contextlib import ExitStack
from pathlib import Path

import bench
from processes import DemoError, wait_until

WINDOW_S = 60.0
#: What a start writes is over by then.
SETTLE_S = 5.0
ORDERS = 250
#: The daemon takes 50 requests a second.
PAUSE_S = 0.025

DRIVING = [*bench.DRIVE, "--speed", "1"]
PARKED = ["--board", "bare", "--gpsd", "127.0.0.1:9"]
OFTEN = "tracking: {distanceFilter: 5, turnFilter: 0}"


def main() -> None:
    """Measures all cases and prints a table."""
    trackerd = bench.arguments(__doc__).parse_args().trackerd.resolve()
    bench.need_strace()
    for name, arguments, tracking, store in [
        ("driving, default options", DRIVING, "", ""),
        ("driving, a record every 5 m", DRIVING, OFTEN, ""),
        ("the same, commitInterval 0", DRIVING, OFTEN, ", commitInterval: 0s"),
        ("parked", PARKED, "", ""),
    ]:
        syncs, records = count_syncs(trackerd, arguments, tracking, store)
        print(f"{name}: {syncs} syncs and {records} records in {WINDOW_S:.0f} s", flush=True)
    latencies = sorted(measure_orders(trackerd))
    print(
        f"a durable record: median {1000 * statistics.median(latencies):.2f} ms, "
        f"p99 {1000 * latencies[int(0.99 * len(latencies))]:.2f} ms, of {len(latencies)}"
    )


def run(stack: ExitStack, scratch: Path, command: list[str], tracking: str = "", store: str = "") -> None:
    """Starts the program, by strace if that heads the command, and waits until it answers."""
    bench.configure(scratch, tracking, store=store)
    bench.start_trackerd(stack, scratch, [*command, "--events", str(scratch / "events")])
    wait_until((scratch / "control.sock").exists, 10, "the control socket")


def count_syncs(trackerd: Path, arguments: list[str], tracking: str, store: str) -> tuple[int, int]:
    """The syncs and the records of a window of time."""
    with ExitStack() as stack:
        scratch = bench.folder(stack)
        strace = ["strace", "-f", "-e", "trace=fdatasync,fsync", "-o", f"{scratch}/calls"]
        run(stack, scratch, [*strace, str(trackerd), "run", *arguments], tracking, store)
        if arguments is DRIVING:
            # The window is one of driving: from the departure on.
            wait_until(lambda: "Departed" in (scratch / "trackerd.log").read_text(), 120, "the departure")
        time.sleep(SETTLE_S)
        before = seen(scratch)
        time.sleep(WINDOW_S)
        after = seen(scratch)
        return after[0] - before[0], after[1] - before[1]


def seen(scratch: Path) -> tuple[int, int]:
    """The syncs and the records so far."""
    calls = (scratch / "calls").read_text()
    events = (scratch / "events").read_text()
    return calls.count("fdatasync(") + calls.count("fsync("), events.count('"event":"record"')


def measure_orders(trackerd: Path) -> list[float]:
    """The seconds that each durable record took."""
    with ExitStack() as stack:
        scratch = bench.folder(stack)
        run(stack, scratch, [str(trackerd), "run", *PARKED])
        client = stack.enter_context(socket.socket(socket.AF_UNIX))
        client.connect(str(scratch / "control.sock"))
        answers = stack.enter_context(client.makefile("r"))
        latencies = []
        for number in range(ORDERS):
            order = {"request": "waypoint set", "name": f"w{number % 8}", "latitude": 52.5, "longitude": 13.4}
            began = time.perf_counter()
            client.sendall(json.dumps(order).encode() + b"\n")
            answer = answers.readline()
            latencies.append(time.perf_counter() - began)
            time.sleep(PAUSE_S)
            if '"on_disk":true' not in answer:
                raise DemoError(f"a waypoint was not durable: {answer.strip()}")
        return latencies


if __name__ == "__main__":
    bench.end(main)
