"""Runs in the virtual Pi as a service: executes the commands of the host, and sends it trackerd's journal.

The host's end is virtual_pi_machine.py. Each direction has one JSON object per line.
"""

import json
import subprocess
import time
from pathlib import Path


def port(name: str):
    """Opens a port to the host, as soon as udev has made it."""
    path = Path("/dev/virtio-ports") / name
    while not path.exists():
        time.sleep(0.1)
    return path.open("r+b", buffering=0)


def execute(command: str, limit_s: float) -> dict:
    """Runs a shell command; returns its exit status and its output."""
    # A command may leave a process behind, so the output goes to a file, not into a pipe that stays open.
    with open("/run/virtual-pi.output", "w+b") as output:
        try:
            ended = subprocess.run(
                ["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=limit_s, check=False)
            status = ended.returncode
        except subprocess.TimeoutExpired:
            status = 124
        output.seek(0)
        return {"status": status, "output": output.read().decode(errors="replace")}


def main() -> None:
    """Serves the host until the machine is halted or cut."""
    journal = ["journalctl", "--follow", "--boot", "--lines=all", "--unit=trackerd", "--output=json", "--output-fields=MESSAGE"]
    with port("journal") as lines:
        subprocess.Popen(journal, stdin=subprocess.DEVNULL, stdout=lines)  # ends with the machine
    commands = port("commands")
    for line in iter(commands.readline, b""):
        request = json.loads(line)
        reply = execute(request["command"], request["limit_s"])
        answer = json.dumps({"id": request["id"], **reply}).encode() + b"\n"
        while answer:
            # The kernel takes at most 32 KB at once.
            answer = answer[commands.write(answer):]


if __name__ == "__main__":
    main()
