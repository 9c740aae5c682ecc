"""What the benches share: arguments, a folder with a configuration, the program and its servers, and the kernel's counts."""

import argparse
import http.server
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

from processes import DemoError, Program, accepts_connections, start, wait_until

ROOT = Path(__file__).resolve().parent.parent
RECORDING = ROOT / "Tests" / "Traces" / "2023-08-09_12-47-42.csv.gz"
DRIVE = ["--board", "sim", "--drive", str(RECORDING)]


def end(main: Callable[[], int | None]) -> NoReturn:
    """Runs a bench, and ends with its exit status."""
    try:
        sys.exit(main())
    except DemoError as error:
        sys.exit(f"{Path(sys.argv[0]).stem.replace('_', '-')}: {error}")


def arguments(text: str | None, action: str = "store") -> argparse.ArgumentParser:
    """A parser of the arguments that all benches have; `text` is the help."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    words = "a program to measure" if action == "append" else "the program to measure"
    parser.add_argument("--trackerd", type=Path, required=True, action=action, help=words)
    return parser


def need_strace() -> None:
    """Raises if strace is missing."""
    if shutil.which("strace") is None:
        raise DemoError("strace is not installed. Run scripts/setup.")


def folder(stack: ExitStack) -> Path:
    """A folder that is removed when the stack unwinds."""
    return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="trackerd-bench.")))


def configure(scratch: Path, *sections: str, device: str = "bench", store: str = "") -> list[str]:
    """Writes the configuration with these further sections; the arguments that name it."""
    lines = [
        f"device: {device}",
        f'store: {{path: "{scratch}/trackerd.sqlite"{store}}}',
        f'control: {{socket: "{scratch}/control.sock"}}',
        *sections,
        "",
    ]
    configuration = scratch / "config.yaml"
    configuration.write_text("\n".join(lines), encoding="utf-8")
    return ["--config", str(configuration)]


def start_trackerd(stack: ExitStack, scratch: Path, words: list[str]) -> Program:
    """Starts the command, which runs trackerd on the configuration in the folder."""
    return start(stack, "trackerd", [*words, "--config", str(scratch / "config.yaml")], scratch / "trackerd.log")


def record_drives(trackerd: Path, scratch: Path, drives: int = 1) -> Path:
    """Plays the recording; the database, in which no record is delivered."""
    command = [str(trackerd), "run", *DRIVE[:2], *DRIVE[2:] * drives, "--speed", "1000", "--exit-at-end"]
    run([*command, "--config", str(scratch / "config.yaml")])
    return scratch / "trackerd.sqlite"


def run(command: list[str | Path]) -> None:
    """Runs a program to its end."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise DemoError(f"{command[0]}: {done.stderr.strip().splitlines()[-1:]}")


def copy_backlog(backlog: Path, path: Path) -> None:
    """Replaces a database by a copy of the backlog."""
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    shutil.copy(backlog, path)


def open_to_read(path: Path) -> sqlite3.Connection:
    """A database that another program writes."""
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def start_mosquitto(stack: ExitStack, scratch: Path, *ports: int, host: str = "127.0.0.1", more: str = "") -> None:
    """Starts a broker on these ports; `more` belongs to the last one."""
    listeners = "".join(f"listener {port} {host}\n" for port in ports)
    configuration = scratch / "mosquitto.conf"
    configuration.write_text(f"user root\nallow_anonymous true\npersistence false\n{listeners}{more}", encoding="ascii")
    start(stack, "mosquitto", ["mosquitto", "-c", str(configuration)], scratch / "mosquitto.log")
    for port in ports:
        wait_until(lambda port=port: accepts_connections(port, host), 10, "mosquitto on its port")


class Server(http.server.ThreadingHTTPServer):
    """A web server that expects broken connections."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Prints nothing."""


class Handler(http.server.BaseHTTPRequestHandler):
    """A connection whose requests are answered with `[]`."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def body(self) -> bytes:
        """The body of the request."""
        return self.rfile.read(int(self.headers["Content-Length"]))

    def answer(self) -> None:
        """Answers the request."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"[]")

    def log_message(self, *_: object) -> None:
        """Prints nothing."""


def figure(program: Program, file: str, name: str) -> int:
    """A number from a file of the program's process, such as `VmHWM` of `status`."""
    lines = Path(f"/proc/{program.pid}/{file}").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def cpu_s(program: Program) -> float:
    """The processor time so far."""
    times = Path(f"/proc/{program.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
