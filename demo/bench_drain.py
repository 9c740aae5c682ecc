"""Counts how fast trackerd brings a backlog to its servers, and what a record costs.

Usage: bench_drain.py --trackerd PROGRAM --sink PROGRAM [--records N] [--seconds N] [--case TEXT]

The backlog is a recorded drive, played into the program, whose rows are copied under other UUIDs until there are N. The
servers are nginx and a small web server, which answer `[]` to everything, and mosquitto as Debian ships it, all on the
loopback interface. The last rows are scripts in Python that read the same rows, encode them, post them and note them as
delivered, as one would write them by hand (scripts/lib/drain_by_python.py).

In the cases "one CPU", the program and the server share one processor. OwnTracks' requests follow one another, so the two work in
turn; on a virtual machine it takes longer to wake another processor than to make or to answer such a request.
"""

import os
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import bench
from processes import DemoError, Program, accepts_connections, free_port, start, wait_until

LOOK_S = 0.05
ONE_CPU = ", one CPU"

TRACKING = "tracking: {desiredSyncInterval: 0, distanceFilter: 5, turnFilter: 0}"
NGINX = """\
daemon off; pid {scratch}/nginx.pid; error_log stderr error;
events {{}}
http {{
  access_log off; client_body_temp_path {scratch}/nginx; client_max_body_size 8m; client_body_buffer_size 1m;
  keepalive_requests 100000000;
  server {{ listen 127.0.0.1:{port}; location / {{ default_type application/json; return 200 "[]"; }} }}
}}
"""
PYTHON = bench.ROOT / "scripts" / "lib" / "drain_by_python.py"


@dataclass(frozen=True)
class Count:
    """What has been seen at a moment."""

    at: float
    records: int
    cpu_s: float
    written: int
    memory_MiB: float


def main() -> None:
    """Measures all cases and prints a table."""
    parser = bench.arguments(__doc__)
    parser.add_argument("--sink", type=Path, required=True, help="scripts/lib/http_sink.c, compiled")
    parser.add_argument("--records", type=int, default=100_000, help="how many records wait")
    parser.add_argument("--seconds", type=float, default=10.0, help="the longest time of a case")
    parser.add_argument("--case", default="", help="measure only the cases of trackerd whose name contains this text")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        scratch = bench.folder(stack)
        trackerd = arguments.trackerd.resolve()
        backlog = make_backlog(trackerd, scratch, arguments.records)
        http, broker, nginx = start_servers(stack, arguments.sink.resolve(), scratch)
        batches = f'url: "http://127.0.0.1:{nginx}/", format: geojson, batchSize: 100'
        cases = {
            "geojson, nginx": batches,
            "geojson, gzip, nginx": f"{batches}, compress: gzip",
            "owntracks, nginx": f'url: "http://127.0.0.1:{nginx}/pub", format: owntracks',
            f"owntracks, nginx{ONE_CPU}": f'url: "http://127.0.0.1:{nginx}/pub", format: owntracks',
            "owntracks, small server": f'url: "http://127.0.0.1:{http}/pub", format: owntracks',
            "owntracks, MQTT": f'url: "mqtt://127.0.0.1:{broker}", format: owntracks',
        }
        titles = ("records", "seconds", "a second", "CPU µs each", "disk B each", "peak MiB")
        print(f"{'':<35}" + "".join(f"{title:>13}" for title in titles))
        longest = arguments.seconds
        for case, target in cases.items():
            if arguments.case not in case:
                continue
            target = f"{{name: bench, {target}}}"
            with one_processor(case):
                report(case, *drain(trackerd, scratch, backlog, target, arguments.records, longest))
        for client in () if arguments.case else ("urllib3", "requests", "httpx"):
            for form in ("geojson", "owntracks", f"owntracks{ONE_CPU}"):
                with one_processor(form):
                    drain_by_python(client, form, f"http://127.0.0.1:{nginx}/", scratch, backlog, longest)


def make_backlog(trackerd: Path, scratch: Path, records: int) -> Path:
    """A database in which this many records wait."""
    bench.configure(scratch, TRACKING)
    backlog = bench.record_drives(trackerd, scratch).rename(scratch / "backlog.sqlite")
    with closing(sqlite3.connect(backlog)) as database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(record)")]
        rows = database.execute(f"SELECT {', '.join(columns)} FROM record ORDER BY sequence").fetchall()
        spot = {name: columns.index(name) for name in ("sequence", "uuid", "time_ms")}
        span = rows[-1][spot["time_ms"]] - rows[0][spot["time_ms"]] + 1000

        def copies():  # noqa: ANN202
            for number in range(len(rows), records):
                row = list(rows[number % len(rows)])
                row[spot["sequence"]] = number + 1
                row[spot["uuid"]] = uuid.uuid4().bytes
                row[spot["time_ms"]] += number // len(rows) * span
                yield row

        marks = ", ".join("?" for _ in columns)
        database.executemany(f"INSERT INTO record ({', '.join(columns)}) VALUES ({marks})", copies())
        database.execute("DELETE FROM record WHERE sequence > ?", (records,))
        # The copies continue into the future; the backlog of a real tracker ends now.
        ahead = records // len(rows) * span
        database.execute("UPDATE record SET time_ms = time_ms - ?1", (ahead,))
        # The dates of a real tracker's records are certain after a few fixes. At this speed, chance decides how many records
        # of the drive have uncertain dates, and trackerd reads and writes such a record once more.
        database.execute("UPDATE record SET flags = flags & ~(3 << 13)")
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return backlog


def start_servers(stack: ExitStack, sink: Path, scratch: Path) -> tuple[int, int, int]:
    """The ports of a small web server, of a broker and of nginx."""
    http, mqtt, nginx = free_port(), free_port(), free_port()
    (scratch / "nginx.conf").write_text(NGINX.format(scratch=scratch, port=nginx), encoding="ascii")
    bench.start_mosquitto(stack, scratch, mqtt)
    start(stack, "http_sink", [str(sink), str(http)], scratch / "http_sink.log")
    start(stack, "nginx", ["nginx", "-c", str(scratch / "nginx.conf")], scratch / "nginx.log")
    for port in (http, nginx):
        wait_until(lambda port=port: accepts_connections(port), 10, "the servers on their ports")
    return http, mqtt, nginx


@contextmanager
def one_processor(case: str) -> Iterator[None]:
    """Keeps this process, the servers and what they start on one processor, if the name of the case ends so."""
    allowed = os.sched_getaffinity(0)
    if case.endswith(ONE_CPU):
        set_processors({min(allowed)})
    try:
        yield
    finally:
        set_processors(allowed)


def set_processors(processors: set[int]) -> None:
    """Sets the processors of this process and of all that it has started."""
    pids = [os.getpid()]
    for pid in pids:
        os.sched_setaffinity(pid, processors)
        pids += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split())


def drain(trackerd: Path, scratch: Path, backlog: Path, target: str, records: int, longest: float) -> tuple[Count, Count]:
    """The first count at which something is delivered, and the last one."""
    path = scratch / "trackerd.sqlite"
    bench.copy_backlog(backlog, path)
    os.sync()
    bench.configure(scratch, f"targets: [{target}]", TRACKING)
    # No gpsd listens there: the program does nothing but deliver.
    command = [str(trackerd), "run", "--gpsd", f"127.0.0.1:{free_port()}"]
    with ExitStack() as stack:
        program = bench.start_trackerd(stack, scratch, command)
        database = stack.enter_context(closing(bench.open_to_read(path)))
        first = last = count(program, database)
        end = time.monotonic() + longest
        while last.records < records and last.at < end:
            time.sleep(LOOK_S)
            program.check()
            last = count(program, database)
            if not first.records:
                first = last
    return first, last


def count(program: Program, database: sqlite3.Connection) -> Count:
    """What is noted as delivered now, and what it took so far."""
    (records,) = database.execute(
        "SELECT COALESCE((SELECT cursor FROM delivery), 0) + (SELECT COUNT(*) FROM ahead)"
    ).fetchone()
    written, memory_kiB = bench.figure(program, "io", "write_bytes"), bench.figure(program, "status", "VmHWM")
    return Count(time.monotonic(), records, bench.cpu_s(program), written, memory_kiB / 1024)


def report(case: str, first: Count, last: Count) -> None:
    """A line of the table."""
    records, seconds = last.records - first.records, last.at - first.at
    if records <= 0:
        raise DemoError(f"{case}: nothing was delivered in time")
    cpu_us, disk = (last.cpu_s - first.cpu_s) * 1e6 / records, (last.written - first.written) / records
    figures = f"{records:>13}{seconds:>13.2f}{records / seconds:>13.0f}{cpu_us:>13.1f}{disk:>13.0f}"
    print(f"{case:<35}{figures}{last.memory_MiB:>13.1f}", flush=True)


def drain_by_python(client: str, form: str, url: str, scratch: Path, backlog: Path, longest: float) -> None:
    """Lets a script deliver the same backlog, and prints its line of the table."""
    path = scratch / "python.sqlite"
    bench.copy_backlog(backlog, path)
    os.sync()
    command = [sys.executable, str(PYTHON), client, form.removesuffix(ONE_CPU), url, str(path), str(longest)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(f"{f'Python, {client}, {form}':<35}{done.stdout or done.stderr.strip().splitlines()[-1]}".rstrip(), flush=True)


if __name__ == "__main__":
    bench.end(main)
