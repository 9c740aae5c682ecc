"""Proves the package on a virtual Pi, and prints the transcript: see scripts/virtual-pi.

Usage: virtual_pi.py --cache FOLDER --folder FOLDER [--cuts N] [--parts PART,...]
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

import virtual_pi_bluetooth as bluetooth
import virtual_pi_clock as clock
import virtual_pi_drive as drive
import virtual_pi_package as package
import virtual_pi_service as service
from torture_bench import DRIVE, ROOT
from torture_disk import Server
from virtual_pi_machine import Machine, MachineError
from virtual_pi_receiver import Receiver

#: Seconds of the recording: the second trip, with few stops; and its first hour.
TRIP, HOUR = (1722, 3493), (0, 3660)


class Host(Server):
    """The owner's server. `is_open` is false while it answers nothing, as a server behind a lost network."""

    def __init__(self) -> None:
        super().__init__()
        self.is_open, self.deliveries = True, 0

    def take(self, body: bytes) -> None:
        """Keeps the records of a request."""
        if not self.is_open:
            raise ConnectionError("the server is switched off")
        self.deliveries += len(json.loads(body)["features"])
        super().take(body)


class Transcript:
    """Prints what is checked, and counts it."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def part(self, title: str) -> None:
        """Begins a part."""
        print(f"\n{title}", flush=True)

    def check(self, is_good: bool, title: str, output: str = "") -> bool:
        """Prints a check; the output explains a failure."""
        self.passed, self.failed = self.passed + bool(is_good), self.failed + (not is_good)
        print(f"{'ok     ' if is_good else 'FAILED '} {title}", flush=True)
        if not is_good:
            self.show(output)
        return is_good

    def show(self, output: str) -> None:
        """Prints lines of a command in the machine."""
        for line in output.splitlines()[-40:]:
            print(f"          {line}", flush=True)

    def figure(self, title: str, value: str) -> None:
        """Prints something measured."""
        print(f"figure  {title}: {value}", flush=True)


def main() -> int:
    """Runs all parts; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--cuts", type=int, default=2)
    parser.add_argument("--parts", default="service,cuts,restarts,halt,clock,bluetooth,removal")
    arguments = parser.parse_args()
    folder, parts = arguments.folder, arguments.parts.split(",")
    transcript, server = Transcript(), Host()
    receiver = Receiver(folder / "receiver", DRIVE, *(HOUR if "hour" in parts else TRIP))
    machine = Machine(arguments.cache, folder / "disk", folder / "packages.disk", folder, folder / "receiver")
    try:
        machine.start()
        package.install(machine, transcript, server)
        for part in parts:
            match part:
                case "service": service.check(machine, transcript)
                case "hour": drive.hour(machine, transcript, server, receiver)
                case "cuts": drive.cuts(machine, transcript, server, receiver, arguments.cuts)
                case "restarts": service.check_restarts(machine, transcript)
                case "halt": service.check_halt(machine, transcript)
                case "clock": clock.check(machine, transcript)
                case "bluetooth": bluetooth.check(machine, transcript, server)
                case "removal": package.upgrade_and_remove(machine, transcript, server)
                case _: sys.exit(f"virtual-pi: there is no part {part}.")
    except MachineError as error:
        transcript.check(False, "the machine goes on to the end", str(error))
    finally:
        if machine.process and machine.process.poll() is None:
            machine.cut()
        if transcript.failed:
            for name in ("console.log", "qemu.log"):
                shutil.copy(folder / name, ROOT / f".build/virtual-pi-{name}")
    print(f"\n{transcript.passed} passed, {transcript.failed} failed")
    return 1 if transcript.failed else 0


if __name__ == "__main__":
    sys.exit(main())
