"""The bench of `make torture`: trackerd between a simulated drive and real servers, whose logs show what arrived."""

import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from datetime import datetime, timezone
from pathlib import Path


ROOT = Path(__file__).resolve().parents[2]
DRIVE = ROOT / "Tests/Traces/2023-08-09_12-47-42.csv.gz"
#: The simulated time at which the first drive starts.
EPOCH = datetime(2026, 1, 1, tzinfo=timezone.utc)
#: The names of the targets, each behind its own fault proxy.
TARGETS = ("archive", "recorder", "broker")


def free_port() -> int:
    """Returns a port on which no program listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(port: int) -> None:
    """Waits until a program listens on the port."""
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.02)
    sys.exit(f"torture: no program listens on port {port}.")


class Bench:
    """A folder with the configuration, the database, the servers and their logs."""

    def __init__(self, program: str, folder: Path, tracking: str, commit_interval: str = "5s", tls: bool = False) -> None:
        self.program, self.folder = program, folder
        folder.mkdir(parents=True)
        self.children: list[subprocess.Popen[bytes]] = []
        self.daemon: subprocess.Popen[bytes] | None = None
        self.log = folder / "daemon.log"
        self.environment: dict[str, str] = {}
        #: The sizes of the servers' logs at the beginning of the present run.
        self.passed: dict[str, int] = {}
        self.tls = self.certificate() if tls else None
        web, broker = free_port(), free_port()
        self.start_nginx(web)
        self.start_broker(broker)
        ports = {name: self.start_proxy(name, broker if name == "broker" else web) for name in TARGETS}
        scheme, trust = ("https", f", caFile: {folder}/cert.pem") if tls else ("http", "")
        self.config = folder / "config.yaml"
        self.config.write_text(
            f"""device: van1
store: {{path: {folder}/t.sqlite, commitInterval: {commit_interval}}}
control: {{socket: {folder}/control}}
targets:
  - {{name: archive, url: "http://127.0.0.1:{ports['archive']}/archive", format: geojson}}
  - {{name: recorder, url: "{scheme}://127.0.0.1:{ports['recorder']}/recorder", format: owntracks{trust}}}
  - {{name: broker, url: "mqtt://127.0.0.1:{ports['broker']}", format: owntracks}}
tracking: {tracking}
""",
            encoding="utf-8",
        )

    # The servers

    def certificate(self) -> tuple[str, str]:
        """Makes a certificate of 127.0.0.1 that signs itself and others."""
        key, file = f"{self.folder}/key.pem", f"{self.folder}/cert.pem"
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=127.0.0.1"]
        command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", file]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return file, key

    def child(self, command: list[str], **more: object) -> subprocess.Popen[bytes]:
        """Starts a program that ends with the bench."""
        started = subprocess.Popen(command, stdin=subprocess.DEVNULL, **more)  # type: ignore[call-overload]
        self.children.append(started)
        return started

    def start_nginx(self, port: int) -> None:
        """Starts nginx, which logs the body of each request that it answers with 200.

        nginx reads a body only for a server behind it, so nginx itself is also this server.
        """
        behind = free_port()
        (self.folder / "nginx.conf").write_text(
            f"""daemon off; master_process off; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx.err;
events {{}}
http {{
  log_format body escape=json '{{"path":"$uri","status":"$status","body":"$request_body"}}';
  client_body_buffer_size 8m; client_max_body_size 8m; client_body_in_single_buffer on;
  client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/proxy; fastcgi_temp_path {self.folder}/f;
  uwsgi_temp_path {self.folder}/u; scgi_temp_path {self.folder}/s; access_log off;
  server {{ listen 127.0.0.1:{port}; access_log {self.folder}/requests body;
    location / {{ proxy_pass http://127.0.0.1:{behind}; }} }}
  server {{ listen 127.0.0.1:{behind}; default_type application/json; location / {{ return 200 "[]"; }} }}
}}
""",
            encoding="ascii",
        )
        nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin") or "nginx"
        self.child([nginx, "-c", f"{self.folder}/nginx.conf", "-p", str(self.folder)], stderr=subprocess.DEVNULL)
        wait_for_port(port)

    def start_broker(self, port: int) -> None:
        """Starts mosquitto, and a subscriber that writes each message to a file."""
        config = f"listener {port} 127.0.0.1\nallow_anonymous true\nuser root\nmax_queued_messages 0\n"
        (self.folder / "mosquitto.conf").write_text(config, encoding="ascii")
        mosquitto = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin") or "mosquitto"
        self.child([mosquitto, "-c", f"{self.folder}/mosquitto.conf"], stderr=subprocess.DEVNULL)
        wait_for_port(port)
        with (self.folder / "messages").open("wb") as messages:
            command = ["mosquitto_sub", "-p", str(port), "-q", "1", "-c", "-i", "checker", "-t", "#", "-F", "%p"]
            self.child(command, stdout=messages)
        time.sleep(0.5)

    def start_proxy(self, name: str, port: int) -> int:
        """Starts the fault proxy of a target; returns its port."""
        mine = free_port()
        command = [sys.executable, f"{ROOT}/scripts/lib/faultproxy.py", "--listen", str(mine), "--to", str(port)]
        command += ["--manner", f"{self.folder}/{name}.manner", "--log", f"{self.folder}/{name}.log"]
        if self.tls and name == "recorder":
            command += ["--certificate", self.tls[0], "--key", self.tls[1]]
        self.child(command, stdout=subprocess.DEVNULL)
        wait_for_port(mine)
        return mine

    def behave(self, name: str, manner: str) -> None:
        """Sets the manner of a target's proxy."""
        new = self.folder / f"{name}.manner.new"
        new.write_text(manner, encoding="utf-8")
        new.rename(self.folder / f"{name}.manner")

    # The program

    def start(self, drives: list[Path], speed: float, gap: float, began: float | None, *more: str) -> None:
        """Starts trackerd in the simulated vehicle."""
        command = [self.program, "run", "--board", "sim", "--speed", str(speed), "--gap", str(gap), *more]
        for drive in drives:
            command += ["--drive", str(drive)]
        if began is not None:
            command += ["--began", str(began)]
        with self.log.open("ab") as log:
            self.daemon = subprocess.Popen(
                [*command, "--config", str(self.config), "--log-level", "debug"], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=log, env={**os.environ, **self.environment})

    def wait_for_start(self) -> None:
        """Waits until trackerd takes commands; before that, `queue retry` would open the database itself."""
        for _ in range(500):
            try:
                with socket.socket(socket.AF_UNIX) as probe:
                    probe.connect(f"{self.folder}/control")
                return
            except OSError:
                time.sleep(0.02)
        sys.exit(f"torture: trackerd does not take commands; see {self.log}.")

    def kill(self) -> None:
        """Kills trackerd, which has the same effect on the program as a power cut."""
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait()

    def end(self) -> int:
        """Asks trackerd to end; returns its status."""
        if not self.daemon:
            return 0
        self.daemon.send_signal(signal.SIGTERM)
        return self.daemon.wait(30)

    def try_now(self) -> None:
        """Makes trackerd try all targets at once."""
        command = [self.program, "queue", "retry", "--config", str(self.config)]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)

    def memory_KiB(self) -> int:
        """Returns the resident memory of trackerd."""
        is_running = self.daemon and self.daemon.poll() is None
        text = Path(f"/proc/{self.daemon.pid}/status").read_text(encoding="ascii") if is_running else ""
        lines = [line for line in text.splitlines() if line.startswith("VmRSS:")]
        return int(lines[0].split()[1]) if lines else 0

    def vehicle_s(self) -> float:
        """Returns the simulated seconds since the start of the first drive; 0 before the first fix."""
        command = [self.program, "status", "--json", "--config", str(self.config)]
        answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
        fix = json.loads(answer or "{}").get("fix")
        return (datetime.fromisoformat(fix["time"]) - EPOCH).total_seconds() + fix["age_s"] if fix else 0

    def promised(self) -> int:
        """Returns the last sequence number that the log reports as on disk."""
        with self.log.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - 20_000))
            lines = [line for line in log.read().splitlines() if b"on disk sequence=" in line]
        return int(lines[-1].rsplit(b"=", 1)[1]) if lines else 0

    # What arrived

    def begin_run(self) -> None:
        """Forgets what has arrived so far, and removes the database."""
        for name in ("requests", "messages"):
            file = self.folder / name
            self.passed[name] = file.stat().st_size if file.exists() else 0
        for suffix in ("", "-wal", "-shm"):
            (self.folder / f"t.sqlite{suffix}").unlink(missing_ok=True)

    def new_lines(self, name: str) -> list[str]:
        """Returns the complete lines that a server has written in this run."""
        file = self.folder / name
        if not file.exists():
            return []
        with file.open("rb") as log:
            log.seek(self.passed.get(name, 0))
            data = log.read()
        return [line for line in data[: data.rfind(b"\n") + 1].decode(errors="replace").splitlines() if line]

    def stored(self) -> list[sqlite3.Row]:
        """Returns all records in the database."""
        if not (self.folder / "t.sqlite").exists():
            return []
        with sqlite3.connect(f"file:{self.folder}/t.sqlite?mode=ro", uri=True, timeout=20) as database:
            database.row_factory = sqlite3.Row
            try:
                return database.execute(
                    "SELECT sequence, uuid, kind, is_withheld, latitude, rest FROM records ORDER BY sequence").fetchall()
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):
                    return []
                raise

    def last_stored(self) -> int:
        """Returns the last sequence number in the database."""
        if not (self.folder / "t.sqlite").exists():
            return 0
        with sqlite3.connect(f"file:{self.folder}/t.sqlite?mode=ro", uri=True, timeout=20) as database:
            try:
                return database.execute("SELECT COALESCE(MAX(sequence), 0) FROM record").fetchone()[0]
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):
                    return 0
                raise

    def integrity(self) -> str:
        """Returns SQLite's verdict on the database."""
        with sqlite3.connect(f"file:{self.folder}/t.sqlite?mode=ro", uri=True, timeout=20) as database:
            return database.execute("PRAGMA integrity_check").fetchone()[0]

    def arrived(self) -> dict[str, dict[str, set[str]]]:
        """Returns, for each target, the bytes that arrived for each UUID."""
        found: dict[str, dict[str, set[str]]] = {name: defaultdict(set) for name in TARGETS}
        for line in self.new_lines("requests"):
            request = json.loads(line)
            name = request["path"].strip("/")
            if request["status"] != "200" or name not in found:
                continue
            body = json.loads(request["body"]) if request["body"] else {}
            for feature in body.get("features", []):
                found[name][feature["properties"]["uuid"]].add(json.dumps(feature, sort_keys=True))
            if "_id" in body:
                found[name][body["_id"]].add(request["body"])
        for line in self.new_lines("messages"):
            body = json.loads(line)
            if "_id" in body:
                found["broker"][body["_id"]].add(line)
        return found

    def missing(self, stored: list[sqlite3.Row], arrived: dict[str, dict[str, set[str]]]) -> dict[str, list[int]]:
        """Returns, for each target, the numbers of the missing records."""
        lost: dict[str, list[int]] = {name: [] for name in TARGETS}
        for row in stored:
            if row["is_withheld"]:
                continue
            for name in TARGETS:
                if (name == "archive" or is_for_owntracks(row)) and row["uuid"] not in arrived[name]:
                    lost[name].append(row["sequence"])
        return lost

    def settle(self, seconds: float, failures: list[str]) -> None:
        """Waits until all servers have all records that the database has now; adds to `failures` if that takes longer."""
        end = time.time() + seconds
        stored = self.stored()
        while time.time() < end:
            if not any(self.missing(stored, self.arrived()).values()):
                return
            self.try_now()
            time.sleep(2)
        lost = {name: len(numbers) for name, numbers in self.missing(stored, self.arrived()).items()}
        failures.append(f"{seconds:.0f} s after the last fault, records are still missing: {lost}")

    def close(self) -> None:
        """Ends trackerd and all servers."""
        self.kill()
        for child in self.children:
            child.terminate()
        for child in self.children:
            child.wait()

    def check(self, failures: list[str], through: int | None = None) -> dict[str, object]:
        """Compares the database with what arrived; adds the faults to `failures`, and returns figures.

        If `through` is not None, later records need not have arrived.
        """
        stored, arrived = self.stored(), self.arrived()
        lost = self.missing([row for row in stored if through is None or row["sequence"] <= through], arrived)
        sequences = [row["sequence"] for row in stored]
        if sequences != list(range(1, len(sequences) + 1)):
            failures.append("the sequence numbers have gaps")
        if len({row["uuid"] for row in stored}) != len(stored):
            failures.append("two records have the same UUID")
        for name, numbers in lost.items():
            if numbers:
                failures.append(f"{name}: {len(numbers)} records did not arrive, such as {numbers[:5]}")
        other = {name: sum(len(bodies) > 1 for bodies in arrived[name].values()) for name in TARGETS}
        for name, count in other.items():
            if count:
                failures.append(f"{name}: {count} records arrived with different bytes")
        unknown = {uuid for name in TARGETS for uuid in arrived[name]} - {row["uuid"] for row in stored}
        if unknown:
            failures.append(f"{len(unknown)} records arrived that are not in the database")
        if (verdict := self.integrity()) != "ok":
            failures.append(f"integrity_check: {verdict}")
        return {"records": len(stored), "arrived": {name: len(arrived[name]) for name in TARGETS}}


def is_for_owntracks(row: sqlite3.Row) -> bool:
    """Returns whether OwnTracks can express the record: it has a position, and a kind with a message type."""
    placed = row["latitude"] is not None
    kind = row["kind"]
    if kind == "waypoint":
        return True
    if kind == "power":
        return placed and "shutdown" not in row["rest"]
    return placed and kind in ("location", "motionchange", "visit", "request", "ping", "driving", "transition")


def report(name: str, figures: dict[str, object], failures: list[str], folder: Path) -> int:
    """Prints the result, and removes the folder if there is no failure."""
    print(f"torture: {name}: " + ", ".join(f"{key} {value}" for key, value in figures.items()), flush=True)
    for failure in failures:
        print(f"torture: {name}: FAILED: {failure}", flush=True)
    if failures:
        print(f"torture: {name}: see {folder}", flush=True)
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


def seed() -> random.Random:
    """Returns random numbers; SEED repeats a run, as far as the machine's timing allows."""
    number = int(os.environ.get("SEED", random.randrange(1 << 30)))
    print(f"torture: SEED={number}", flush=True)
    return random.Random(number)
