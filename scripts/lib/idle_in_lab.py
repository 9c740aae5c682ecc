"""Counts, inside the device lab, how often a trackerd at rest with an interrupt line wakes the processor.

Usage: idle_in_lab.py TRACKERD SECONDS
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

#: A LIS3DH in the lab's register files: its address, its identity register, and the contents of this register.
ADDRESS, IDENTITY, LIS3DH = "0x19", "0x0f", "0x33"
SETTLE_S = 150.0
CONFIGURATION = """\
device: bench
store: {{path: {scratch}/trackerd.sqlite}}
control: {{socket: {scratch}/control.sock}}
board:
  gpsd: {{host: 127.0.0.1, port: 9, device: /dev/gps0}}
  accelerometer:
    {{bus: /dev/i2c-1, address: {address}, interrupt: {{chip: pinctrl-lab, line: GPIO17, activeLow: false}}}}
  receiverPower: {{line: {{chip: pinctrl-lab, line: GPIO27}}, gpsdControl: none}}
  bluetooth: none
  ignition: {{chip: pinctrl-lab, line: GPIO24}}
  powerFail: {{chip: pinctrl-lab, line: GPIO12}}
  indicator: none
  atRest: []
  wakeUp: none
"""


def switches(pid: int) -> int:
    """Returns the number of voluntary context switches of all threads."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches:"):
                total += int(line.split()[1])
    return total


def transfers() -> int:
    """Returns the number of transfers on the bus."""
    return int(Path("/run/lab/i2c/xfers").read_text())


def main() -> int:
    """Measures and prints a line; returns the exit status."""
    trackerd, seconds = sys.argv[1], float(sys.argv[2])
    subprocess.run(["i2cset", "-y", "1", ADDRESS, IDENTITY, LIS3DH], check=True)
    with tempfile.TemporaryDirectory() as scratch, open(os.devnull, "wb") as null:
        configuration = Path(scratch) / "config.yaml"
        configuration.write_text(CONFIGURATION.format(scratch=scratch, address=ADDRESS))
        log = Path(scratch) / "log"
        with log.open("wb") as out:
            command = [trackerd, "run", "--board", "pi4", "--config", str(configuration)]
            program = subprocess.Popen(command, stdin=null, stdout=out, stderr=out)
        time.sleep(SETTLE_S)
        if program.poll() is not None or "accelerometer answers" not in log.read_text():
            print(log.read_text(), file=sys.stderr)
            return 1
        before, bus = switches(program.pid), transfers()
        time.sleep(seconds)
        count, moved = switches(program.pid) - before, transfers() - bus
        program.terminate()
        program.wait()
    print(f"{count} {seconds} {moved}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
