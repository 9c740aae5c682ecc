"""Measures the page on a day with many fixes.

Usage: bench_page.py PROGRAM FIXES
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench_export import fill, make_database
from page_check import By, browser, wait_until

DAY_MS = 1_769_817_600_000
"""2026-01-31T00:00:00Z."""
DAY = "2026-01-31"


def winding(count: int) -> Iterator[dict[str, object]]:
    """A day of a winding drive, one location a second, in rows as trackerd writes them."""
    chance = random.Random(1)
    latitude, longitude, course, speed = 52.5, 13.4, 0.0, 10.0
    for number in range(1, count + 1):
        course += chance.gauss(0, 0.06)
        speed = min(30.0, max(2.0, speed + chance.gauss(0, 0.5)))
        latitude += speed * math.cos(course) / 111_320
        longitude += speed * math.sin(course) / 67_800
        place = {"lat_e7": round(latitude * 1e6) * 10, "lon_e7": round(longitude * 1e6) * 10}
        motion = {"speed_mmps": round(speed * 100) * 10, "trip": 1 + number * 8 // count}
        yield {"time_ms": DAY_MS + number * 86_400_000 // (count + 1), **place, **motion}


def figure(process: subprocess.Popen, file: str, name: str) -> int:
    """Returns a number from a file of a process."""
    lines = Path(f"/proc/{process.pid}/{file}").read_text(encoding="ascii").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(name)))


def pss_MiB(process: subprocess.Popen) -> float:
    """Returns the memory of a process in which shared pages count in part."""
    return figure(process, "smaps_rollup", "Pss:") / 1024


def wake_ups(process: subprocess.Popen) -> int:
    """Returns how often a process has waited."""
    return figure(process, "status", "voluntary")


def processor_s(process: subprocess.Popen) -> float:
    """Returns the processor time of a process."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def received_bytes(driver: object) -> int:
    """Returns the bytes of all answers, heads included."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return int(sum(each["params"]["encodedDataLength"] for each in messages if each["method"] == "Network.loadingFinished"))


def measure(program: Path, folder: Path, config: Path) -> None:
    """Opens the day, and prints the figures."""
    daemon = subprocess.Popen([program, "run", "--board", "bare", "--config", config], stderr=subprocess.DEVNULL)
    page = subprocess.Popen(
        [program.parent / "trackerd-page", "--listen", "127.0.0.1:0", "--socket", folder / "read.sock"],
        stdout=subprocess.PIPE, text=True)
    driver = None
    try:
        url = page.stdout.readline().split()[-1]
        wait_until(lambda: (folder / "read.sock").exists())
        time.sleep(1)
        before, idle = wake_ups(page), pss_MiB(page)
        time.sleep(20)
        print(f"without a viewer: {idle:.1f} MiB (PSS), {(wake_ups(page) - before) / 20:.2f} wake-ups a second")
        driver = browser(1280, 900, False)
        driver.get("about:blank")
        for attempt in range(3):
            received_bytes(driver)
            spent, began = processor_s(daemon), time.monotonic()
            driver.get(f"{url}?{attempt}#day={DAY}")
            drawn = wait_until(lambda: driver.find_elements(By.CSS_SELECTOR, "#track path.run"), 30)
            seconds = time.monotonic() - began
            time.sleep(1)
            print(f"the day: drawn after {seconds:.2f} s{'' if drawn else ' (nothing)'}, {received_bytes(driver) / 1e6:.2f} MB, "
                  f"{processor_s(daemon) - spent:.2f} s of the daemon's processor time")
        before, spent = wake_ups(page), processor_s(daemon)
        time.sleep(20)
        print(f"with a viewer: {pss_MiB(page):.1f} MiB (PSS), {(wake_ups(page) - before) / 20:.2f} wake-ups a second, "
              f"the daemon's processor {(processor_s(daemon) - spent) / 20 * 100:.2f} %")
    finally:
        if driver:
            driver.quit()
        for process in (page, daemon):
            process.kill()
            process.wait()


def main() -> int:
    """Makes the database, and measures."""
    program, count = Path(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="bench-page.") as name:
        folder = Path(name)
        config = make_database(str(program), folder)
        config.write_text(
            f"device: van1\nstore: {{path: {folder}/t.sqlite}}\ncontrol: {{socket: {folder}/c, readSocket: {folder}/read.sock}}\n",
            encoding="ascii")
        fill(folder / "t.sqlite", winding(count))
        measure(program, folder, config)
    return 0


if __name__ == "__main__":
    sys.exit(main())
