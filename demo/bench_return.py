"""Counts the seconds from the return of the network to the arrival of the newest record at each server.

Usage: bench_return.py --trackerd PROGRAM [--records N] [--minutes M …]

trackerd runs in a network namespace of its own, whose only link goes down for each outage and up again. It replays a drive at its
real speed, so that new records come during the outage, on top of a backlog of N records. A web server (geojson) and mosquitto
(owntracks) are outside. Both connections are in use when the link breaks. Needs root.
"""

import os
import re
import sqlite3
import subprocess
import threading
import time
from contextlib import ExitStack, closing
from pathlib import Path

import bench
from bench_drain import TRACKING, make_backlog
from processes import DemoError, free_port, wait_until

OUTSIDE, INSIDE, NAMESPACE = (f"trk{end}{os.getpid()}" for end in "oin")
SUBNET = f"10.{os.getpid() // 256 % 256}.{os.getpid() % 256}"
#: A server that has not got the newest record after this time counts as failed.
LONGEST_S = 400.0
TARGETS = """\
targets:
  - {{name: http, url: "http://{host}:{http}/", format: geojson, allowInsecure: true}}
  - {{name: mqtt, url: "mqtt://{host}:{mqtt}", format: owntracks, allowInsecure: true}}"""


class Arrivals:
    """When each server got which records."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.seen: dict[str, list[tuple[float, str]]] = {"http": [], "mqtt": []}

    def note(self, server: str, uuids: list[str]) -> None:
        """Notes records that have arrived now."""
        now = time.monotonic()
        with self.lock:
            self.seen[server] += [(now, uuid) for uuid in uuids]

    def first(self, server: str, uuids: set[str], after: float) -> float | None:
        """When the first of these records arrived; None if none has."""
        with self.lock:
            return next((at for at, uuid in self.seen[server] if at >= after and uuid in uuids), None)


def main() -> None:
    """Measures all outages and prints a table."""
    parser = bench.arguments(__doc__)
    parser.add_argument("--records", type=int, default=100_000, help="how many records wait")
    parser.add_argument("--minutes", type=float, nargs="+", default=[1.0, 10.0, 60.0], help="the lengths of the outages")
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        raise DemoError("network namespaces need root. Run it with sudo.")
    with ExitStack() as stack:
        scratch = bench.folder(stack)
        backlog = make_backlog(arguments.trackerd.resolve(), scratch, arguments.records)
        print(f"{'outage':>10}{'waiting':>10}{'http s':>10}{'mqtt s':>10}")
        for minutes in arguments.minutes:
            measure(arguments.trackerd.resolve(), scratch, backlog, minutes)


def measure(trackerd: Path, scratch: Path, backlog: Path, minutes: float) -> None:
    """Prints the line of one outage."""
    path = scratch / "trackerd.sqlite"
    bench.copy_backlog(backlog, path)
    with ExitStack() as stack:
        make_network(stack)
        arrivals = Arrivals()
        ports = start_servers(stack, scratch, arrivals)
        bench.configure(scratch, TARGETS.format(host=f"{SUBNET}.1", **ports), TRACKING)
        bench.start_trackerd(stack, scratch, ["ip", "netns", "exec", NAMESPACE, str(trackerd), "run", *bench.DRIVE])
        wait_until(lambda: all(arrivals.seen.values()), 60, "the first records")
        set_link("down")
        time.sleep(minutes * 60)
        with closing(bench.open_to_read(path)) as database:
            begun = time.monotonic()
            newest, waiting = newest_record(database)
            set_link("up")
            print(f"{minutes:>6g} min{waiting:>10}", end="", flush=True)
            for server in ("http", "mqtt"):
                print(f"{wait_for(arrivals, server, database, newest, begun):>10}", end="", flush=True)
        print()


def newest_record(database: sqlite3.Connection) -> tuple[int, int]:
    """The newest record with a place, and how many records wait for the slower server."""
    (newest,) = database.execute("SELECT MAX(sequence) FROM record WHERE is_place = 1").fetchone()
    (last,) = database.execute("SELECT MAX(sequence) FROM record").fetchone()
    (done,) = database.execute("SELECT COALESCE(MIN(cursor), 0) FROM delivery").fetchone()
    return newest, last - done


def wait_for(arrivals: Arrivals, server: str, database: sqlite3.Connection, newest: int, begun: float) -> str:
    """The seconds until the server had the newest record, or one that is newer."""
    while time.monotonic() < begun + LONGEST_S:
        uuids = {stored for (stored,) in database.execute("SELECT uuid FROM records WHERE sequence >= ?", (newest,))}
        at = arrivals.first(server, uuids, begun)
        if at:
            return f"{at - begun:.2f}"
        time.sleep(0.05)
    return "never"


def make_network(stack: ExitStack) -> None:
    """Makes the namespace and its link."""
    ip("netns", "add", NAMESPACE)
    stack.callback(ip, "netns", "del", NAMESPACE)
    ip("link", "add", OUTSIDE, "type", "veth", "peer", "name", INSIDE, "netns", NAMESPACE)
    stack.callback(ip, "link", "del", OUTSIDE)
    ip("address", "add", f"{SUBNET}.1/30", "dev", OUTSIDE)
    ip("link", "set", OUTSIDE, "up")
    ip("-n", NAMESPACE, "address", "add", f"{SUBNET}.2/30", "dev", INSIDE)
    ip("-n", NAMESPACE, "link", "set", "lo", "up")
    set_link("up")


def set_link(state: str) -> None:
    """Takes the link up or down."""
    ip("-n", NAMESPACE, "link", "set", INSIDE, state)


def ip(*words: str) -> None:
    """Runs ip(8)."""
    subprocess.run(["ip", *words], check=True)


def start_servers(stack: ExitStack, scratch: Path, arrivals: Arrivals) -> dict[str, int]:
    """Starts both servers; their ports."""
    ports = {"http": free_port(), "mqtt": free_port()}
    host = f"{SUBNET}.1"

    class Handler(bench.Handler):
        """Notes the records of each request."""

        def do_POST(self) -> None:  # noqa: N802
            arrivals.note("http", re.findall(r'"uuid":"([^"]+)"', self.body().decode()))
            self.answer()

    server = bench.Server((host, ports["http"]), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stack.callback(server.server_close)
    stack.callback(server.shutdown)
    bench.start_mosquitto(stack, scratch, ports["mqtt"], host=host)
    subscriber = subprocess.Popen(
        ["mosquitto_sub", "-h", host, "-p", str(ports["mqtt"]), "-t", "#", "-F", "%p"], stdout=subprocess.PIPE, text=True
    )
    stack.callback(subscriber.wait)
    stack.callback(subscriber.kill)

    def follow() -> None:
        for line in subscriber.stdout or []:
            arrivals.note("mqtt", re.findall(r'"_id":"([^"]+)"', line))

    threading.Thread(target=follow, daemon=True).start()
    return ports


if __name__ == "__main__":
    bench.end(main)
