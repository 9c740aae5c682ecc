"""Programs that the demo starts, and that are gone when it ends, however it ends."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

#: How long a program may take to end by itself before it is killed.
GRACE_S = 2.0


class DemoError(Exception):
    """The demo cannot continue; the text explains why."""


def free_port() -> int:
    """A port of the loopback interface that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Returns when the condition is met; raises when it is not met within that number of seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise DemoError(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.05)


def accepts_connections(port: int, host: str = "127.0.0.1") -> bool:
    """Whether somebody listens on the port, by default of the loopback interface."""
    with suppress(OSError), socket.create_connection((host, port), timeout=1):
        return True
    return False


class Program:
    """A running program, with all that it started itself: they are one process group."""

    def __init__(self, name: str, command: list[str], output: Path, **environment: str) -> None:
        self.name = name
        self.output = output
        with output.open("wb") as file:
            try:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    env=os.environ | environment,
                )
            except FileNotFoundError as error:
                raise DemoError(f"{name}: {error.filename} is not there. Run scripts/setup.") from error

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Its exit status, once it has ended."""
        return self._process.poll()

    def check(self) -> None:
        """Raises when it has ended."""
        if not self.is_running:
            last = self.output.read_text(errors="replace").splitlines()[-10:]
            words = "\n".join(["Its last lines:", *last]) if last else "It printed no line."
            raise DemoError(f"{self.name}: ended with status {self.status}. {words}")

    def stop(self) -> None:
        """Asks the group to end, and kills what then still runs (gpsfake ignores being asked)."""
        try:
            self._signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE_S)
        finally:  # also when the user's second Ctrl-C comes here
            self._signal(signal.SIGKILL)
            self._process.wait()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)


def start(stack: ExitStack, name: str, command: list[str], output: Path, **environment: str) -> Program:
    """Starts a program that is stopped when the stack unwinds."""
    program = Program(name, command, output, **environment)
    stack.callback(program.stop)
    return program
