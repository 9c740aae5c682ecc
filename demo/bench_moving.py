"""Measures the processor time of a moving tracker beside gpxlogger, both on one real gpsd with a receiver at 1 Hz.

Usage: bench_moving.py --trackerd PROGRAM [--seconds N]

The receiver drives a circle at 15 m/s. The count begins 75 seconds after the start: the daemon has then released the pages that
only the start needed, which it does again once an hour. gpxlogger is in Debian's gpsd-clients.
"""

import math
import os
import pty
import shutil
import threading
import time
import tty
from contextlib import ExitStack
from pathlib import Path

import bench
from processes import DemoError, Program, accepts_connections, free_port, start, wait_until

SETTLE_S = 75.0
SPEED_MPS = 15.0
#: The radius of the circle is the speed times this, in metres.
RADIUS_S = 60.0


class Receiver(threading.Thread):
    """Writes the NMEA sentences of a receiver to a terminal, once a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)

    def run(self) -> None:
        """Drives the circle."""
        latitude, longitude, began = 52.5, 13.4, time.time()
        for second in range(100_000):
            angle = second / RADIUS_S
            latitude += SPEED_MPS / 111_320 * math.cos(angle)
            longitude += SPEED_MPS / 111_320 / math.cos(math.radians(latitude)) * math.sin(angle)
            os.write(self._master, epoch(began + second, latitude, longitude, math.degrees(angle) % 360))
            time.sleep(max(0.0, began + second + 1 - time.time()))


def epoch(moment: float, latitude: float, longitude: float, course: float) -> bytes:
    """The sentences of one second."""
    clock, place = time.gmtime(moment), f"{minutes(latitude, 2)},N,{minutes(longitude, 3)},E"
    hour, day = time.strftime("%H%M%S", clock) + ".00", time.strftime("%d%m%y", clock)
    sentences = [
        f"GPRMC,{hour},A,{place},{SPEED_MPS / 0.514444:.2f},{course:.1f},{day},,,A",
        f"GPGGA,{hour},{place},1,09,0.9,35.0,M,40.0,M,,",
        "GPGSA,A,3,02,05,07,09,13,15,20,21,30,,,,1.6,0.9,1.3",
        "GPGSV,3,1,09,02,45,100,40,05,30,200,38,07,60,300,42,09,20,50,35",
        "GPGSV,3,2,09,13,45,120,40,15,30,220,38,20,60,310,42,21,20,60,35",
        "GPGSV,3,3,09,30,45,140,40",
    ]
    return "".join(f"${text}*{checksum(text):02X}\r\n" for text in sentences).encode()


def minutes(degrees: float, width: int) -> str:
    """Degrees and minutes as NMEA has them."""
    return f"{int(degrees):0{width}d}{(degrees - int(degrees)) * 60:08.5f}"


def checksum(text: str) -> int:
    """The checksum of a sentence."""
    result = 0
    for sign in text:
        result ^= ord(sign)
    return result


def processor_time_s(program: Program) -> float:
    """The processor time of all threads so far; the kernel's ticks would be too coarse."""
    tasks = Path(f"/proc/{program.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9


def measure(trackerd: Path, seconds: float, stack: ExitStack) -> dict[str, float]:
    """The milliseconds of processor time a second of each program."""
    folder = bench.folder(stack)
    bench.configure(folder, "tracking: {profile: vehicle}")
    receiver, port = Receiver(), free_port()
    receiver.start()
    start(stack, "gpsd", [shutil.which("gpsd") or "/usr/sbin/gpsd", "-N", "-n", "-S", str(port), receiver.path], folder / "gpsd.log")
    wait_until(lambda: accepts_connections(port), 15, "gpsd on its port")
    command = [str(trackerd), "run", "--board", "bare", "--allow-root", "--gpsd", f"127.0.0.1:{port}"]
    programs = [bench.start_trackerd(stack, folder, command)]
    if logger := shutil.which("gpxlogger"):
        command = [logger, "-r", "-e", "sockets", "-f", str(folder / "log.gpx"), f"127.0.0.1:{port}"]
        programs.append(start(stack, "gpxlogger", command, folder / "gpxlogger.log"))
    time.sleep(SETTLE_S)
    if "Departed: " not in (folder / "trackerd.log").read_text(encoding="utf-8"):
        raise DemoError(f"trackerd did not depart within {SETTLE_S:.0f} s")
    before = [processor_time_s(program) for program in programs]
    time.sleep(seconds)
    return {
        program.name: (processor_time_s(program) - begin) * 1000 / seconds
        for program, begin in zip(programs, before, strict=True)
    }


def main() -> None:
    """Prints the figures."""
    parser = bench.arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=120.0)
    arguments = parser.parse_args()
    with ExitStack() as stack:
        result = measure(arguments.trackerd, arguments.seconds, stack)
    for name, span in result.items():
        print(f"{name}: {span:.3f} ms of processor time a second")
    if "gpxlogger" in result:
        print(f"trackerd uses {result['trackerd'] / result['gpxlogger']:.1f} times the processor time of gpxlogger")
    else:
        print("not compared: gpxlogger is not installed (apt install gpsd-clients)")


if __name__ == "__main__":
    bench.end(main)
