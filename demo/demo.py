"""Drives trackerd, unchanged, through a recorded drive of half an hour in two minutes: see README.md in this folder.

Usage: demo.py --trackerd PROGRAM [--out FOLDER] [--speed FACTOR]
"""

import argparse
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import account
import story
from broker import Broker
from gps import Gpsd
from processes import DemoError, Program, accepts_connections, free_port, start, wait_until
from receiver import JSON, Receiver
from story import Story
from timeline import EPOCH, Driven, Parked, Timeline

RECORDING = Path(__file__).parents[1] / "Tests" / "Traces" / "2023-08-09_12-47-42.csv.gz"
#: What is played: the car stands for two minutes, drives for half an hour, and parks.
PLAN = [Driven(1603, 3553), Parked(240)]
#: Standing seconds before the first row, in which everything comes up, and after the last, so that fixes never end.
LEAD, TRAIL = 40, 200
#: Seconds between fixes: gpsfake cannot play more sentences in a second of the wall clock.
INTERVAL = 2
#: How long the tracker may take after the drive has ended, in seconds of the wall clock.
PATIENCE = 60.0

CONFIGURATION = """\
device: van1
timeZone: UTC
store:
  path: {database}
  commitInterval: 1s
control:
  socket: {scratch}/control.sock
  readSocket: {scratch}/read.sock
targets:
  - name: recorder
    url: http://127.0.0.1:{http}/pub
    format: owntracks
  - name: archive
    url: http://127.0.0.1:{http}/geojson
    format: geojson
  - name: broker
    url: mqtt://127.0.0.1:{mqtt}
    format: owntracks
tracking:
  profile: vehicle
  desiredSyncInterval: 1s
"""


def main() -> int:
    """Runs the demo; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trackerd", type=Path, required=True, help="the program to drive")
    parser.add_argument("--out", type=Path, default=Path("demo-out"), help="where the results go (%(default)s)")
    parser.add_argument("--speed", type=float, default=16.0, help="how many times as fast as it was (%(default)s)")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGHUP, _interrupt)
    try:
        with ExitStack() as stack:
            return run(stack, arguments.trackerd.resolve(), arguments.out, arguments.speed)
    except DemoError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("demo: stopped", file=sys.stderr)
        return 130


def run(stack: ExitStack, trackerd: Path, out: Path, speed: float) -> int:
    """Starts everything, waits for the tracker's end, compares and reports."""
    scratch = Path(tempfile.mkdtemp(prefix="trackerd-demo."))
    stack.callback(shutil.rmtree, scratch, ignore_errors=True)
    shutil.rmtree(out, ignore_errors=True)
    (out / "drive").mkdir(parents=True)

    timeline = Timeline.of(RECORDING, PLAN)
    timeline.write_csv(out / "drive" / "drive.csv")
    nmea = scratch / "drive.nmea"
    timeline.write_nmea(nmea, LEAD, TRAIL, INTERVAL)

    say("starting a web server, a broker (mosquitto) and gpsd with a recorded receiver (gpsfake)")
    receiver = Receiver(out)
    stack.callback(receiver.stop)
    broker = Broker(stack, scratch, out)
    gpsd = Gpsd(stack, nmea, speed / INTERVAL, out)
    configuration = out / "config.yaml"
    configuration.write_text(
        CONFIGURATION.format(
            database=out.resolve() / "trackerd.sqlite", scratch=scratch, http=receiver.port, mqtt=broker.port
        ),
        encoding="utf-8",
    )
    gpsd.wait_for(EPOCH, LEAD)

    say(f"{timeline.seconds / 60:.0f} minutes of driving and parking, {speed:g} times as fast as they were:")
    events = out / "events.ndjson"
    command = [str(trackerd), "run", "--config", str(configuration), "--gpsd", f"127.0.0.1:{gpsd.port}"]
    command += ["--board", "sim", "--drive", str(out / "drive"), "--speed", f"{speed:g}"]
    command += ["--events", str(events), "--exit-at-end"]
    program = start(stack, "trackerd", command, out / "trackerd.log")
    invite(stack, trackerd, scratch / "read.sock", out)
    follow(program, gpsd, events, timeline.seconds / speed + PATIENCE)
    return conclude(Story(story.read(events), timeline.seconds), receiver, broker, trackerd, out)


def invite(stack: ExitStack, trackerd: Path, socket: Path, out: Path) -> None:
    """Starts the page, and prints how the drive can be watched."""
    port = free_port()
    command = [str(trackerd.with_name("trackerd-page")), "--listen", f"127.0.0.1:{port}", "--socket", str(socket)]
    page = start(stack, "trackerd-page", command, out / "page.log")

    def serves() -> bool:
        page.check()
        return socket.exists() and accepts_connections(port)

    wait_until(serves, 15, "the page and trackerd's socket")
    say("watch it until it ends, in a browser and in a second terminal:")
    print(f"    http://127.0.0.1:{port}")
    for words in ("watch", "status"):
        print(f"    {shown(trackerd)} {words} --config {out / 'config.yaml'}", flush=True)


def follow(program: Program, gpsd: Gpsd, events: Path, limit: float) -> None:
    """Prints what happens while it happens; returns at the tracker's end."""
    printed = 0
    end = time.monotonic() + limit
    while True:
        running = program.is_running
        new = story.read(events)[printed:]
        printed += len(new)
        for line in filter(None, map(line_of, new)):
            print(line, flush=True)
        if not running:
            break
        gpsd.program.check()
        if time.monotonic() > end:
            program.stop()
            raise DemoError(f"trackerd: did not end by itself within {limit:.0f} s")
        time.sleep(0.25)
    if program.status != 0:
        program.check()


def line_of(event: JSON) -> str | None:
    """What is printed of an event, if anything."""
    match event["event"]:
        case "state":
            text = "the vehicle moves" if event["state"] == "moving" else "the vehicle stands"
        case "receiver":
            text = f"receiver {event['power']}"
        case _:
            return None
    minutes, seconds = divmod(int(event["t"]), 60)
    return f"  {minutes:3}:{seconds:02d}  {text}"


def conclude(drive: Story, receiver: Receiver, broker: Broker, trackerd: Path, out: Path) -> int:
    """Writes the report, prints the account; the exit status."""

    def results() -> list[account.Arrival]:
        return account.arrivals(drive, receiver.messages, receiver.features, broker.messages())

    # The subscriber is a program of its own: its last lines may need a moment.
    end = time.monotonic() + 5
    while not all(result.is_complete for result in results()) and time.monotonic() < end:
        time.sleep(0.1)

    print(f"\n{account.report(drive, results())}\n")
    day, configuration = f"{EPOCH:%Y-%m-%d}", out / "config.yaml"
    page = out / "report.html"
    command = [str(trackerd), "report", "--day", day, "--config", str(configuration), "--output", str(page)]
    if subprocess.run(command, check=False).returncode != 0:
        raise DemoError(f"trackerd report: no page. {out / 'trackerd.log'} may show why.")
    print(f"  the drive as a page     {page}, for a browser")
    print(f"  events, log             {out / 'events.ndjson'}, {out / 'trackerd.log'}")
    print(f"  what the servers got    {out}/received-*.ndjson")
    print(f"  the database            {out / 'trackerd.sqlite'}; try on it:")
    trials = ["trips", "report --trip 1 --output trip.html", f"why {day}T00:02Z", "export --format gpx --output drive.gpx"]
    for words in trials:
        print(f"    {shown(trackerd)} {words} --config {configuration}")
    incomplete = [result.target for result in results() if not result.is_complete]
    if incomplete:
        raise DemoError(f"not all records arrived: {', '.join(incomplete)}. {out / 'trackerd.log'} may show why.")
    if not drive.records:
        raise DemoError(f"trackerd recorded nothing. {out / 'trackerd.log'} may show why.")
    return 0


def shown(path: Path) -> Path:
    """The path as a user in this folder would type it."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def say(text: str) -> None:
    """Prints a step."""
    print(f"demo: {text}", flush=True)


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
