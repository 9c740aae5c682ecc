"""Counts the bytes that trackerd writes to the database's files for each record of a recorded drive.

Usage: bench_wear.py [--speed FACTOR] --trackerd PROGRAM [--trackerd PROGRAM ...]

Needs strace. All programs drive at the same time, each with its own database and the options of the default profile. A
short run makes the files before the count begins. A speed above 40 would let the clocks of the simulation jump, which makes trackerd correct
dates.
"""

import re
import subprocess
from contextlib import ExitStack
from pathlib import Path

import bench
from processes import DemoError, wait_until

#: pwrite64(9<…/trackerd.sqlite-wal>, …) = 4120
WRITE = re.compile(r"(pwrite64|fdatasync|fsync)\(\d+<[^>]*trackerd\.sqlite([^>]*)>.*= (\d+)$")


def main() -> None:
    """Measures the programs and prints a line for each."""
    parser = bench.arguments(__doc__, "append")
    parser.add_argument("--speed", type=float, default=30, help="how much faster than real time; by default 30")
    arguments = parser.parse_args()
    bench.need_strace()
    with ExitStack() as stack:
        runs = []
        for program in arguments.trackerd:
            scratch = bench.folder(stack)
            runs.append((program, scratch, start(stack, program.resolve(), scratch, arguments.speed)))
        for program, scratch, process in runs:
            if process.wait() != 0:
                raise DemoError(f"{program} ended with an error: {(scratch / 'log').read_text()}")
            report(program, scratch)


def start(stack: ExitStack, program: Path, scratch: Path, speed: float) -> subprocess.Popen[bytes]:
    """Starts a drive that ends by itself."""
    config = bench.configure(scratch)
    log = stack.enter_context((scratch / "log").open("wb"))
    make = [str(program), "run", "--board", "bare", "--gpsd", "127.0.0.1:9", *config]
    with subprocess.Popen(make, stdout=log, stderr=log) as first:
        wait_until((scratch / "control.sock").exists, 20, "the control socket")
        first.terminate()
    strace = ["strace", "-f", "-y", "-e", "trace=pwrite64,fdatasync,fsync", "-o", str(scratch / "calls")]
    run = [str(program), "run", *bench.DRIVE, "--speed", str(speed), "--exit-at-end", "--events", str(scratch / "events")]
    return subprocess.Popen([*strace, *run, *config], stdout=log, stderr=log)


def report(program: Path, scratch: Path) -> None:
    """Prints what one program has written."""
    log = file = syncs = 0
    for line in (scratch / "calls").read_text(encoding="utf-8", errors="replace").splitlines():
        found = WRITE.search(line)
        if not found or found[2] == "-shm":
            continue
        if found[1] != "pwrite64":
            syncs += 1
        elif found[2] == "-wal":
            log += int(found[3])
        else:
            file += int(found[3])
    records = (scratch / "events").read_text(encoding="utf-8").count('"event":"record"')
    print(
        f"{program}: {(log + file) / records:.0f} bytes a record ({log / records:.0f} to the log, {file / records:.0f} to the "
        f"file), {syncs / records:.2f} syncs a record, {records} records",
        flush=True,
    )


if __name__ == "__main__":
    bench.end(main)
