"""Makes each operation of trackerd on the disk fail in turn; scripts/torture-disk explains the arguments."""

import argparse
import concurrent.futures
import http.server
import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRIVE = ROOT / "Tests/Traces/sample_trip.csv.gz"
FAULTS = {
    "eio": {"DISK_FAULT_ERROR": "5"},
    "enospc": {"DISK_FAULT_ERROR": "28"},
    "erofs": {"DISK_FAULT_ERROR": "30"},
    "always": {"DISK_FAULT_ERROR": "28", "DISK_FAULT_COUNT": "1000000000"},
    "kill": {"DISK_FAULT_ERROR": "kill"},
}


class Server(http.server.ThreadingHTTPServer):
    """Receives GeoJSON, and remembers the bytes of each record by its UUID."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.records, self.changed = {}, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def take(self, body):
        for feature in json.loads(body)["features"]:
            uuid, text = feature["properties"]["uuid"], json.dumps(feature, sort_keys=True)
            if self.records.setdefault(uuid, text) != text:
                self.changed.append(uuid)

    def handle_error(self, request, client_address):
        """Ignores the error of a connection that a killed client has broken."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.server.take(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


class Bench:
    """A folder with a database, and a server."""

    def __init__(self, arguments, folder):
        self.folder, self.program, self.shim = pathlib.Path(folder), arguments.trackerd, arguments.shim
        (self.folder / "disk").mkdir()
        self.database, self.server = self.folder / "disk/t.sqlite", Server()
        address = f"http://127.0.0.1:{self.server.server_port}"
        (self.folder / "config.yaml").write_text(
            f"device: van1\n"
            f'store: {{path: "{self.database}", commitInterval: 0s}}\n'
            f'control: {{socket: "{self.folder}/control.sock"}}\n'
            f'targets: [{{name: server, url: "{address}", format: geojson}}]\n'
            f"tracking: {{desiredSyncInterval: 0, distanceFilter: 50, disableElasticity: true}}\n")

    def start(self, name, *arguments, **environment):
        command = [self.program, "run", "--config", str(self.folder / "config.yaml"), "--log-level", "debug"]
        with open(self.folder / name, "w") as log:
            return subprocess.Popen(
                command + list(arguments), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=os.environ | environment)

    def drive(self, **environment):
        """Drives with faults; returns the exit status and the log."""
        process = self.start(
            "drive.log", "--board", "sim", "--drive", str(DRIVE), "--speed", "300", "--exit-at-end",
            LD_PRELOAD=self.shim, DISK_FAULT_FOLDER=str(self.folder / "disk"),
            DISK_FAULT_TOTAL=str(self.folder / "total"), **environment)
        try:
            status = process.wait(120)
        except subprocess.TimeoutExpired:
            process.kill()
            status = "none within 120 s"
        return status, (self.folder / "drive.log").read_text()

    def stored(self):
        """Returns number, UUID and kind of each record in the database."""
        with sqlite3.connect(self.database, timeout=20) as database:
            verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
            assert verdict == "ok", verdict
            # A file without this table is a database that trackerd could not set up.
            if database.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'salvage'").fetchone()[0] == 0:
                self.held = set()
                return []
            self.is_salvaging = database.execute("SELECT COUNT(*) FROM salvage").fetchone()[0] > 0
            rows = database.execute(
                "SELECT sequence, records.uuid, records.kind, is_held = 1 FROM records JOIN record USING (sequence) ORDER BY sequence"
            ).fetchall()
            self.held = {uuid for _, uuid, _, is_held in rows if is_held}
            return [(sequence, uuid, kind) for sequence, uuid, kind, _ in rows]

    def drain(self, fault):
        """Starts trackerd without faults until the server has all records of the database; returns them.

        This run has no receiver, so it does not know the time, and within 15 minutes after boot it does not deliver its own records.
        """
        driven = {uuid for _, uuid, _ in self.stored()} if self.database.exists() else set()
        process = self.start("drain.log", "--board", "bare", "--gpsd", "127.0.0.1:9")
        try:
            end = time.monotonic() + 60
            while time.monotonic() < end:
                time.sleep(0.1)
                if self.database.exists() and "Started; " in (self.folder / "drain.log").read_text():
                    records = self.stored()
                    missing = {uuid for _, uuid, _ in records} - self.server.records.keys() - (self.held - driven)
                    if records and not missing and not self.is_salvaging:
                        return records
            fault("some records were never delivered")
            return self.stored()
        finally:
            process.send_signal(signal.SIGTERM)
            if process.wait(60) != 0:
                fault(f"the next run ended with {process.returncode}")


def attempt(arguments, name, number):
    """Makes one operation fail; returns the faults of trackerd, and the number of operations."""
    faults = []
    with tempfile.TemporaryDirectory(prefix="torture-disk-") as folder:
        bench = Bench(arguments, folder)
        status, log = bench.drive(DISK_FAULT_AT=str(number), **FAULTS[name])
        try:
            check(bench, status, log, name, faults.append)
        except (sqlite3.Error, AssertionError, OSError) as error:
            faults.append(f"the database is not intact: {error}")
        bench.server.shutdown()
        total = bench.folder / "total"
        count = int(total.read_text()) if total.exists() else 0
        return [f"{name} at {number}: {fault}\n{log[-2000:]}" if i == 0 else f"{name} at {number}: {fault}"
                for i, fault in enumerate(faults)], count


def check(bench, status, log, name, fault):
    """Calls `fault` for each fault of a run."""
    lost = re.search(r"queue: trackerd lost (\d+) records?, because", log)
    expected = {"kill": [0, 1, -signal.SIGKILL]}.get(name, [0, 1])
    if status not in expected:
        fault(f"the exit status is {status}")
    if status == 1 and not lost and "Started; " in log:
        fault("the exit status is 1, and the log does not give the reason")
    durable = max((int(number) for number in re.findall(r"on disk sequence=(\d+)", log)), default=0)
    kinds = [kind for _, _, kind in bench.stored()] if bench.database.exists() else []
    # Records that the disk refuses are sent from memory; the last record is then at the server alone.
    sent = [json.loads(text)["properties"]["kind"] for text in bench.server.records.values()]
    records = bench.drain(fault)
    numbers = [number for number, _, _ in records]
    if numbers != list(range(1, len(numbers) + 1)):
        fault(f"the numbers of the records have gaps: {numbers}")
    if len({uuid for _, uuid, _ in records}) != len(records):
        fault("a record is there twice")
    if len(records) < durable:
        fault(f"record {durable} was reported as being on disk, but the last one is {len(records)}")
    if status == 0 and "Started; " in log and kinds[-1:] != ["power"] and sent.count("power") < 2:
        fault(f"the last record is missing: {kinds}")
    if bench.server.changed:
        fault(f"records arrived with different bytes: {bench.server.changed}")


def compile_shim(folder):
    shim = pathlib.Path(folder) / "disk_fault.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-o", shim, ROOT / "scripts/lib/disk_fault.c", "-ldl"], check=True)
    return str(shim)


def main():
    parser = argparse.ArgumentParser(prog="torture-disk")
    parser.add_argument("--trackerd", required=True)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--errors", default=",".join(FAULTS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    arguments.trackerd = str(pathlib.Path(arguments.trackerd).resolve())
    names = arguments.errors.split(",")
    with tempfile.TemporaryDirectory(prefix="torture-disk-") as folder:
        arguments.shim = compile_shim(folder)
        faults, count = attempt(arguments, names[0], 0)
        if faults or count == 0:
            sys.exit("\n".join(faults) or "The program made no operation on the disk.")
        numbers = range(1, count + 1)
        if arguments.sample:
            # The number of operations changes a little from run to run. For each error the sample begins at another operation.
            step = max(1, count // arguments.sample)
        runs = [
            (name, number) for index, name in enumerate(names) for number in (
                numbers if not arguments.sample else
                list(range(1 + index * step // len(names), count + 1, step))[:arguments.sample])]
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            results = list(pool.map(lambda run: attempt(arguments, *run)[0], runs))
    failed = [fault for result in results for fault in result]
    print("\n".join(failed))
    print(f"{len(runs)} runs, {count} operations in a run, {sum(map(bool, results))} runs failed.")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
