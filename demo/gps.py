"""A real gpsd whose receiver is gpsfake, playing the demo's NMEA."""

import json
import socket
import threading
import time
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path

from processes import DemoError, accepts_connections, free_port, start, wait_until

#: Sentences of an epoch: RMC and GGA.
SENTENCES = 2

#: What gpsfake needs for a sentence besides the pause that it is configured to make (measured; a Pi needs little more).
OWN_TIME_S = 0.0004


class Gpsd:
    """A gpsd on a free port, and a client that watches it from the first to the last moment.

    That client keeps gpsd from closing the receiver whenever the tracker lets go of it, and knows the receiver's time.
    """

    def __init__(self, stack: ExitStack, nmea: Path, speed: float, folder: Path) -> None:
        self.port = free_port()
        self._time: datetime | None = None
        pause = 1 / (speed * SENTENCES) - OWN_TIME_S
        # At less than 115200 bit/s the sentences would queue up. No TMPDIR: Debian's AppArmor profile of gpsd allows
        # gpsfake's socket in /tmp alone.
        command = ["gpsfake", "-q", "-s", "115200", "-c", f"{pause:.5f}", "-P", str(self.port), str(nmea)]
        self.program = start(stack, "gpsfake", command, folder / "gpsd.log", TMPDIR="/tmp")
        wait_until(lambda: self._answers(), 15, "gpsd on its port")
        self._socket = socket.create_connection(("127.0.0.1", self.port))
        stack.callback(self._close)
        self._socket.sendall(b'?WATCH={"enable":true,"json":true}\n')
        threading.Thread(target=self._watch, daemon=True).start()

    def wait_for(self, time_there: datetime, seconds: float) -> None:
        """Returns when the receiver's time has come to the one given."""
        end = time.monotonic() + seconds
        while self._time is None or self._time < time_there:
            self.program.check()
            if time.monotonic() > end:
                raise DemoError(f"gpsd: no fix of {time_there:%H:%M:%S} within {seconds:.0f} s; it is at {self._time}")
            time.sleep(0.005)

    def _answers(self) -> bool:
        self.program.check()
        return accepts_connections(self.port)

    def _watch(self) -> None:
        with suppress(OSError, ValueError), self._socket.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                report = json.loads(line)
                if report["class"] == "TPV" and "time" in report:
                    self._time = datetime.fromisoformat(report["time"])

    def _close(self) -> None:
        # Shut down, not closed alone: that is what ends the thread that reads.
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
