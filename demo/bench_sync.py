"""Counts how often trackerd has the disk synced, and how long a record takes until it is durable.

Usage: bench_sync.py --trackerd PROGRAM

Needs strace. The drive is a recorded one, played at its own speed; the durable record is a waypoint that is set through the
control socket, whose answer comes when the record is on disk.
"""

import argparse
import json
import shutil
import socket
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from processes import DemoError, start, wait_until

RECORDING = Path(__file__).parent.parent / "Tests" / "Traces" / "2023-08-09_12-47-42.csv.gz"
WINDOW_S = 60.0
#: What a start writes is over by then.
SETTLE_S = 5.0
ORDERS = 250
#: The daemon takes 50 requests a second.
PAUSE_S = 0.025

CONFIGURATION = """\
device: bench
store: {{path: "{scratch}/trackerd.sqlite"{store}}}
control: {{socket: "{scratch}/control.sock"}}
"""
DRIVING = ["--board", "sim", "--drive", str(RECORDING), "--speed", "1"]
PARKED = ["--board", "bare", "--gpsd", "127.0.0.1:9"]


def main() -> int:
    """Measures all cases and prints a table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trackerd", type=Path, required=True, help="the program to measure")
    trackerd = parser.parse_args().trackerd.resolve()
    if shutil.which("strace") is None:
        print("bench-sync: strace is not installed. Run scripts/setup.", file=sys.stderr)
        return 1
    try:
        for name, arguments, store in [
            ("driving, default options", DRIVING, ""),
            ("driving, a record every 5 m", DRIVING, "}\ntracking: {distanceFilter: 5, turnFilter: 0"),
            ("the same, commitInterval 0", DRIVING, ", commitInterval: 0s}\ntracking: {distanceFilter: 5, turnFilter: 0"),
            ("parked", PARKED, ""),
        ]:
            syncs, records = count_syncs(trackerd, arguments, store)
            print(f"{name}: {syncs} syncs and {records} records in {WINDOW_S:.0f} s", flush=True)
        latencies = sorted(measure_orders(trackerd))
        print(
            f"a durable record: median {1000 * statistics.median(latencies):.2f} ms, "
            f"p99 {1000 * latencies[int(0.99 * len(latencies))]:.2f} ms, of {len(latencies)}"
        )
    except DemoError as error:
        print(f"bench-sync: {error}", file=sys.stderr)
        return 1
    return 0


def run(stack: ExitStack, command: list[str], arguments: list[str], store: str) -> Path:
    """Starts the program, by strace if that heads the command, and waits until it answers."""
    scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="trackerd-bench.")))
    (scratch / "config.yaml").write_text(CONFIGURATION.format(scratch=scratch, store=store))
    words = [word.format(scratch=scratch) for word in command]
    words += ["run", *arguments, "--config", str(scratch / "config.yaml"), "--events", str(scratch / "events")]
    start(stack, "trackerd", words, scratch / "log")
    wait_until((scratch / "control.sock").exists, 10, "the control socket")
    return scratch


def count_syncs(trackerd: Path, arguments: list[str], store: str) -> tuple[int, int]:
    """The syncs and the records of a window of time."""
    with ExitStack() as stack:
        strace = ["strace", "-f", "-e", "trace=fdatasync,fsync", "-o", "{scratch}/calls", str(trackerd)]
        scratch = run(stack, strace, arguments, store)
        if arguments is DRIVING:
            # The window is one of driving: from the departure on.
            wait_until(lambda: "Departed" in (scratch / "log").read_text(), 120, "the departure")
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
        scratch = run(stack, [str(trackerd)], PARKED, "")
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
    sys.exit(main())
