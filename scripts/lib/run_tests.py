"""Runs commands at the same time, prints their progress each 15 s, and ends a test program that hangs.

Usage: run_tests.py [--show] NAME COMMAND [ARG...] [:: NAME COMMAND...]

The output of each command goes to .build/NAME.log; --show prints it too. Prints how many tests have ended so far. Ends a test
program in which no test begins or ends for 15 minutes, which a slow or busy machine does not reach. Exit status 1 if a command failed.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from test_summary import ENDED

# The events of a test or of one of its cases.
EVENT = re.compile(r"^\S+ Test .+ (?:started\.|(?:passed|failed) after .+)$")
PROGRESS_S = 15
SILENCE_S = 15 * 60
POLL_S = 0.5


class Program:
    """A running command and its progress."""

    def __init__(self, name: str, command: list[str], shows: bool):
        self.name, self.shows = name, shows
        self.log = Path(".build") / f"{name}.log"
        self.output = self.log.open("wb")
        self.reader = self.log.open("rb")
        self.last_event = time.monotonic()
        self.counts = {"passed": 0, "failed": 0}
        self.has_tests, self.hung = False, False
        self.rest, self.last = b"", ""
        # A group of its own, so that the servers that a test program has started end with it.
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT, start_new_session=True)

    def read(self) -> None:
        """Reads the new lines of the log."""
        *lines, self.rest = (self.rest + self.reader.read()).split(b"\n")
        for line in (line.decode(errors="replace") for line in lines):
            self.last = line
            if self.shows:
                print(line, flush=True)
            if match := ENDED.match(line):
                self.counts[match["how"]] += 1
            if EVENT.match(line):
                self.has_tests, self.last_event = True, time.monotonic()

    def is_running(self) -> bool:
        """Reads the progress, and ends a program that hangs."""
        is_running = self.process.poll() is None
        self.read()
        silence = time.monotonic() - self.last_event
        if is_running and self.has_tests and silence > SILENCE_S:
            self.hung = True
            self.end()
        return is_running

    def end(self) -> None:
        """Ends the command and all that it has started."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self.process.poll() is None:
                os.killpg(self.process.pid, number)
                try:
                    self.process.wait(10)
                except subprocess.TimeoutExpired:
                    continue

    def progress(self) -> str:
        """Returns the progress in a few words."""
        failed = f", {self.counts['failed']} failed" if self.counts["failed"] else ""
        done = "" if self.process.poll() is None else ", ended"
        name = re.sub("^test-", "", self.name)
        return f"{name} {self.counts['passed']} passed{failed}{done}" if self.has_tests else f"{name} runs{done}"


def watch(programs: list[Program]) -> None:
    """Waits until all programs have ended, and prints the progress."""
    began = printed = time.monotonic()
    while any([program.is_running() for program in programs]):
        if time.monotonic() - printed >= PROGRESS_S:
            printed = time.monotonic()
            minutes, seconds = divmod(int(printed - began), 60)
            print(f"test: {minutes}:{seconds:02} min: {'; '.join(program.progress() for program in programs)}", flush=True)
        time.sleep(POLL_S)


def main(arguments: list[str]) -> int:
    """Runs the commands; returns the exit status."""
    shows = arguments[:1] == ["--show"]
    words: list[list[str]] = [[]]
    for argument in arguments[shows:]:
        if argument == "::":
            words.append([])
        else:
            words[-1].append(argument)
    programs = [Program(name, command, shows) for name, *command in words]
    try:
        watch(programs)
    finally:
        for program in programs:
            program.end()
    for program in (program for program in programs if program.process.returncode and not program.shows):
        print(f"test: {program.log} ended with status {program.process.returncode}. Its last line: {program.last}", file=sys.stderr)
    for program in (program for program in programs if program.hung):
        print(f"test: in {program.log} no test began or ended for {SILENCE_S // 60} minutes. Its last line: {program.last}", file=sys.stderr)
    return int(any(program.process.returncode != 0 for program in programs))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main(sys.argv[1:]))
