"""Checks the metrics of a drive with Debian's promtool, and reads them through Debian's node_exporter.

Uses the installed programs, or unpacks Debian's packages prometheus and prometheus-node-exporter into .build/peers/metrics. If neither is
possible, the script reports what is missing, and skips the check.

scripts/peers runs this.
"""

import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACE = ROOT / ".build/peers/metrics/debian"
PACKAGES = {"promtool": "prometheus", "prometheus-node-exporter": "prometheus-node-exporter"}


def find(program):
    """Returns the path of a program: the installed one, or the one of Debian's package; None if there is neither."""
    unpacked = PLACE / "usr/bin" / program
    if shutil.which(program):
        return shutil.which(program)
    if not unpacked.exists() and shutil.which("apt-get"):
        PLACE.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "-qq", "download", PACKAGES[program]], cwd=PLACE, capture_output=True, check=False)
        for package in PLACE.glob(PACKAGES[program] + "_*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, PLACE], check=True)
            package.unlink()
    return unpacked if unpacked.exists() else None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def drive(folder):
    """Replays a drive in the daemon until its metrics contain uploads; returns them as the daemon leaves them when it ends."""
    textfile = folder / "prom/trackerd.prom"
    textfile.parent.mkdir()
    (folder / "config.yaml").write_text(
        f"device: van1\nstore: {{path: {folder}/t.sqlite}}\ncontrol: {{socket: {folder}/control.sock}}\n"
        f"targets: [{{name: 'ho\"me \\', url: 'http://127.0.0.1:{free_port()}/pub'}}]\n"
        f"metrics: {{textfile: {textfile}, interval: 1s}}\n"
    )
    trip = ROOT / "Tests/Traces/sample_trip.csv.gz"
    command = [
        ROOT / ".build/debug/trackerd", "run", "--allow-root", "--board", "sim", "--drive", trip, "--speed", "40",
        "--exit-at-end", "--config", folder / "config.yaml",
    ]
    with open(folder / "log", "w") as log:
        subprocess.run(command, stderr=log, check=True, timeout=600)
    return textfile


def check(promtool, textfile):
    """Returns what promtool reports about the file."""
    run = subprocess.run([promtool, "check", "metrics"], stdin=open(textfile), capture_output=True, text=True, check=False)
    return (run.stdout + run.stderr).strip() or (None if run.returncode == 0 else f"exit status {run.returncode}")


def read(exporter, textfile, folder):
    """Lets node_exporter read the file through a link, as docs/metrics.md proposes; returns its answer."""
    link = folder / "node-exporter"
    link.mkdir()
    (link / "trackerd.prom").symlink_to(textfile)
    port = free_port()
    process = subprocess.Popen(
        [exporter, "--collector.disable-defaults", "--collector.textfile", f"--collector.textfile.directory={link}",
         f"--web.listen-address=127.0.0.1:{port}"], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            try:
                return urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5).read().decode()
            except OSError:
                time.sleep(0.1)
        return ""
    finally:
        process.terminate()
        process.wait()


def main():
    programs = {name: find(name) for name in PACKAGES}
    missing = [PACKAGES[name] for name, path in programs.items() if path is None]
    if missing:
        print(f"skipped: Debian's {' and '.join(missing)} cannot be found. Install them, or run `apt-get update`.")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        textfile = drive(folder)
        report = check(programs["promtool"], textfile)
        print(f"promtool check metrics: {report or 'no finding'}")
        lines = [line for line in textfile.read_text().splitlines() if not line.startswith("#")]
        answer = read(programs["prometheus-node-exporter"], textfile, folder).splitlines()
        # node_exporter sorts the labels and writes large numbers with an exponent, so this compares the names.
        names = {line.split("{")[0].split(" ")[0] for line in lines}
        lost = sorted(name for name in names if not any(line.startswith(name) for line in answer))
        works = "node_textfile_scrape_error 0" in answer
        print(f"node_exporter: {len(names) - len(lost)} of {len(names)} metrics, {'no error' if works else 'an error'}")
        return 0 if report is None and works and not lost else 1


if __name__ == "__main__":
    sys.exit(main())
