"""Counts how often a resting trackerd wakes the processor.

Usage: bench_idle.py --trackerd PROGRAM

Each voluntary context switch is a thread that went to sleep, so one that had been woken. Exit status 1 above the limit.
"""

import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import bench
from gps import Gpsd
from processes import Program, free_port, start
from timeline import EPOCH, Parked, Timeline

RECORDING = Path(__file__).parent / "drive" / "sample_trip.csv.gz"
#: How long trackerd gets to come to rest, and for how long it is watched then.
SETTLE_S, WATCH_S = 20.0, 60.0
#: Voluntary context switches a second that a tracker at rest may make: where it must look, and with an interrupt line.
LIMIT, LINE_LIMIT = 0.2, 0.1
#: In the device lab time is virtual: minutes cost seconds.
LAB = bench.ROOT / "Lab" / "vm-run"
IN_LAB = bench.ROOT / "scripts" / "lib" / "idle_in_lab.py"
LAB_WATCH_S = 600.0

VEHICLE = "tracking: {profile: vehicle}"


@dataclass(frozen=True)
class Result:
    """What was counted in one case."""

    case: str
    switches: int
    seconds: float
    limit: float = LIMIT

    @property
    def per_second(self) -> float:
        """The rate."""
        return self.switches / self.seconds

    @property
    def is_good(self) -> bool:
        """Whether it is within the limit."""
        return self.per_second <= self.limit


def main() -> int:
    """Measures both cases and prints a table; the exit status."""
    trackerd = bench.arguments(__doc__).parse_args().trackerd.resolve()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        results = [measure("no gpsd", trackerd, receiver=False), measure("gpsd, standing", trackerd, receiver=True)]
        results += [measure_simulated(trackerd, watched=watched) for watched in (False, True)]
        results += measure_in_lab(trackerd)
    except KeyboardInterrupt:
        return 130
    print(f"\n{'at rest':<16}{'switches':>10}{'seconds':>10}{'a second':>10}{'limit':>8}")
    for result in results:
        verdict = "ok" if result.is_good else "NOT OK"
        numbers = f"{result.switches:>10}{result.seconds:>10.1f}{result.per_second:>10.3f}{result.limit:>8}"
        print(f"{result.case:<16}{numbers}  {verdict}")
    return 0 if all(result.is_good for result in results) else 1


def measure_simulated(trackerd: Path, *, watched: bool) -> Result:
    """Parks with an accelerometer that wakes by itself: a recorded drive that has ended, long before the next one.

    With `watched`, a client watches, and the tracker writes metrics for Prometheus.
    """
    case = "sim, watched" if watched else "sim, parked"
    with ExitStack() as stack:
        scratch = bench.folder(stack)
        # Metrics make other programs see the tracker. The last change is in the file before the count begins.
        metrics = f"metrics: {{textfile: {scratch}/trackerd.prom, interval: 10s}}" if watched else ""
        config = bench.configure(scratch, VEHICLE, metrics)
        command = [str(trackerd), "run", "--board", "sim", "--drive", str(RECORDING), "--drive", str(RECORDING)]
        # The drive of three minutes and the timeout of three more are over; the next one begins in a day.
        command += ["--gap", "86400", "--began", str(time.time() - 1200)]
        program = bench.start_trackerd(stack, scratch, command)
        print(f"bench-idle: {case}: {SETTLE_S:.0f} s to settle, {WATCH_S:.0f} s to count", flush=True)
        time.sleep(2)
        watch = [str(trackerd), "watch", "--json", *config]
        client = start(stack, "client", watch, scratch / "client.log") if watched else None
        time.sleep(SETTLE_S)
        begin, before = time.monotonic(), switches(program)
        time.sleep(WATCH_S)
        if client:
            client.check()
        # Within the same wake-ups, the file system may make the writer of the textfile wait once more.
        return Result(case, switches(program) - before, time.monotonic() - begin, LIMIT if watched else LINE_LIMIT)


def measure_in_lab(trackerd: Path) -> list[Result]:
    """The same with a chip and an interrupt line of a real kernel, where the device lab can be booted."""
    print(f"bench-idle: lab, interrupt line: {LAB_WATCH_S:.0f} s of virtual time to count", flush=True)
    command = [LAB, "-T", "-t", "120", "--", sys.executable, IN_LAB, trackerd, str(LAB_WATCH_S)]
    words = [str(word) for word in command]
    lab = subprocess.run(words, capture_output=True, text=True, check=False, cwd=LAB.parent.parent)
    if lab.returncode != 0:
        print(f"bench-idle: not measured in the lab:\n{lab.stderr.strip()}", file=sys.stderr)
        return []
    count, seconds, transfers = lab.stdout.split()[-3:]
    print(f"bench-idle: transfers on the bus meanwhile: {transfers}")
    return [Result("lab, line", int(count), float(seconds), LINE_LIMIT)]


def measure(case: str, trackerd: Path, *, receiver: bool) -> Result:
    """Starts trackerd with or without a receiver, and counts."""
    with ExitStack() as stack:
        scratch = bench.folder(stack)
        port = standing_receiver(stack, scratch) if receiver else free_port()
        bench.configure(scratch, VEHICLE)
        command = [str(trackerd), "run", "--board", "bare", "--gpsd", f"127.0.0.1:{port}"]
        program = bench.start_trackerd(stack, scratch, command)
        print(f"bench-idle: {case}: {SETTLE_S:.0f} s to settle, {WATCH_S:.0f} s to count", flush=True)
        time.sleep(SETTLE_S)
        begin, before = time.monotonic(), switches(program)
        time.sleep(WATCH_S)
        return Result(case, switches(program) - before, time.monotonic() - begin)


def standing_receiver(stack: ExitStack, scratch: Path) -> int:
    """Starts a gpsd that has a fix of the same place each second; its port."""
    seconds = int(SETTLE_S + WATCH_S)
    nmea = scratch / "standing.nmea"
    Timeline.of(RECORDING, [Parked(seconds)]).write_nmea(nmea, lead=30, trail=60)
    gpsd = Gpsd(stack, nmea, 1.0, scratch)
    gpsd.wait_for(EPOCH, 60)
    return gpsd.port


def switches(program: Program) -> int:
    """The voluntary context switches of all threads so far."""
    program.check()
    count = 0
    for status in Path(f"/proc/{program.pid}/task").glob("*/status"):
        for line in status.read_text().splitlines():
            name, _, value = line.partition(":")
            count += int(value) if name == "voluntary_ctxt_switches" else 0
    return count


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    bench.end(main)
