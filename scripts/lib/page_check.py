"""Drives a real browser through the page while trackerd replays a recorded drive (scripts/page-check)."""
# pip: selenium==4.8.3 axe-core-python==0.1.0

import argparse
import contextlib
import http.server
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRIVE = ROOT / "Tests/Traces/sample_trip.csv.gz"
"""The drive is parked, drives for a few minutes and parks again."""
NAME = '"><img src=x onerror=alert(1)></script><script>alert(1)</script>\u202e'
"""A name that would be markup if the page did not treat it as text."""
PLACE = (41.662526, -91.537992)
ARRIVAL = """
    const done = arguments[0], result = async path => (await (await fetch(path)).json()).result;
    Promise.all([result("/api/status"), result("/api/trips")])
        .then(([status, list]) => done([status.since ?? null, list.trips.at(-1).ended]));"""
FERRY = """
    const done = arguments[0];
    import("/track.js").then(track => {
        const at = (time, north, kind, trip, speed) => ({
            time: time * 1000, lat: 54 + north / 111195, lon: 10, kind, trip, speed, moving: kind !== "motionchange" || speed === 0 });
        done([17, undefined].map(speed => [0, 45].map(wait => {
            const first = [...Array(20).keys()].map(index => at(index * 20, index * 340, "location", 1, speed));
            const second = [...Array(20).keys()].map(index => at(7200 + wait + index * 20, 38000 + index * 340, "location", 2, speed));
            const points = [...first, at(400, 6460, "motionchange", 1), at(7200, 6460, "motionchange", 2, 0), ...second];
            return [track.topSpeed(points) * 3.6, track.lengthOf(points)].map(Math.round);
        })));
    });"""
"""Two drives of 6.46 km at 17 m/s, with and without speeds; a ferry carries the vehicle 31.5 km between them."""
failures = []


def check(fact, text):
    """Notes a failed check, and prints each check."""
    print(f"  {'ok    ' if fact else 'FAILED'} {text}", flush=True)
    if not fact:
        failures.append(text)


def wait_until(test, seconds=30):
    """Waits until a test is true; returns whether it became true. A test may lose its element when the page loads again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(StaleElementReferenceException):
            if test():
                return True
        time.sleep(0.02)
    return False


class Server(http.server.ThreadingHTTPServer):
    """A web server that refuses everything until it is open."""

    is_open = False
    received = 0


class Handler(http.server.BaseHTTPRequestHandler):
    """Accepts uploads once the server is open."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200 if self.server.is_open else 503)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")
        if self.server.is_open:
            self.server.received += len(body)

    def do_GET(self):
        """Answers the doctor's question whether the credentials are right."""
        self.send_response(401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Bench:
    """The daemon, the page's server and the browser."""

    def __init__(self, folder, speed, is_private=False):
        self.folder = pathlib.Path(folder)
        self.speed = speed
        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.config = self.folder / "config.yaml"
        self.config.write_text(
            f"device: van1\nstore: {{path: {folder}/t.sqlite}}\n"
            f"control: {{socket: {folder}/c.sock, readSocket: {folder}/r.sock}}\n"
            f"regions:\n  - {{name: Depot, latitude: {PLACE[0]}, longitude: {PLACE[1]}, radius: 200, private: {str(is_private).lower()}}}\n"
            f"targets:\n  - {{name: home, url: http://127.0.0.1:{self.server.server_port}/, format: geojson}}\n")
        self.page = None
        self.start_page()

    def start_page(self, *options):
        """Starts the page's server, and finds its address."""
        if self.page:
            self.page.kill()
            self.page.wait()
        self.page = subprocess.Popen(
            [ROOT / ".build/debug/trackerd-page", "--listen", "127.0.0.1:0", "--socket", f"{self.folder}/r.sock",
             "--control-socket", f"{self.folder}/c.sock", *options], stdout=subprocess.PIPE, text=True)
        self.url = self.page.stdout.readline().split()[-1]

    def start_daemon(self):
        """Starts the replay of the drive."""
        self.daemon = subprocess.Popen(
            [ROOT / ".build/debug/trackerd", "run", "--board", "sim", "--drive", DRIVE, "--speed", str(self.speed),
             "--config", self.config], stderr=open(self.folder / "log", "w"))
        return wait_until(lambda: (self.folder / "r.sock").exists())

    def close(self):
        for process in (self.page, getattr(self, "daemon", None)):
            if process:
                process.kill()
                process.wait()


def browser(width, height, is_dark):
    """Starts Chromium without a window."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={width},{height}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 2 if width < 600 else 1, "mobile": width < 600})
    scheme = "dark" if is_dark else "light"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    return driver


def text(driver, name):
    return driver.find_element(By.ID, name).text


def shot(driver, folder, name, last=None):
    """Takes a picture of the whole page, or of the page down to the card of the element with this name."""
    if not folder:
        return
    height = driver.execute_script("""
        const last = arguments[0] && document.getElementById(arguments[0]).closest("section");
        return last ? last.getBoundingClientRect().bottom + scrollY + 12 : document.documentElement.scrollHeight""", last)
    size = driver.get_window_size()
    width = driver.execute_script("return document.documentElement.clientWidth")
    picture = driver.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
    import base64
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    (pathlib.Path(folder) / f"{name}.png").write_bytes(base64.b64decode(picture["data"]))


def take_refusal(driver, status):
    """Removes the errors so far from the console's log; whether they report only that the page refused with this status."""
    errors = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    return bool(errors) and all(f"status of {status} " in error for error in errors)


def check_requests(driver, url, name):
    """No error on the console, and no request to another host."""
    errors = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    check(not errors, f"{name}: no error on the console {errors[:3] or ''}")
    hosts = set()
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            hosts.add(message["params"]["request"]["url"])
    elsewhere = [each for each in hosts if not each.startswith(url) and not each.startswith(("data:", "chrome:", "about:"))]
    check(not elsewhere, f"{name}: no request to another host {elsewhere[:3] or ''}")


def check_axe(driver, name):
    """axe has no serious or critical finding."""
    found = Axe().run(driver)
    serious = [f"{each['id']} ({each['nodes'][0]['html'][:80]})" for each in found["violations"]
               if each["impact"] in ("serious", "critical")]
    check(not serious, f"{name}: axe has no serious finding {serious or ''}")


def live(bench, shots):
    """The page of a phone during the whole drive."""
    print("phone, light: the drive as it happens")
    driver = browser(390, 844, False)
    driver.get(bench.url)
    check(wait_until(lambda: "Connecting" in text(driver, "link")), "without a daemon, the page states that it tries to connect")
    check(bench.start_daemon(), "the daemon starts")
    check(wait_until(lambda: text(driver, "link") == "Live"), "the page connects by itself")
    check(wait_until(lambda: text(driver, "state").startswith("Parked")), "the vehicle is parked at first")
    check(text(driver, "name") == "van1" and driver.title.endswith(" · van1"), "the heading and the title contain the name of the tracker")
    check(wait_until(lambda: text(driver, "state").startswith("Moving at"), 60), "the state changes to moving, with the speed")
    positions, waiting, standing = set(), [], set()

    def observe():
        state, why = driver.execute_script("return ['state', 'why'].map(id => document.getElementById(id).textContent)")
        if state.startswith("Standing still"):
            standing.add(why)
        place = re.search(r"Position\n([0-9., -]+)", text(driver, "facts"))
        if place:
            positions.add(place.group(1))
        count = re.search(r"(\d+) waiting", text(driver, "queue"))
        if count:
            waiting.append(int(count.group(1)))
        return len(positions) > 8 and waiting and max(waiting) > 5

    check(wait_until(observe, 60), f"the vehicle moves ({len(positions)} positions), and the queue grows (to {max(waiting or [0])})")
    check(len(driver.find_elements(By.CSS_SELECTOR, "#track path.run")) > 0, "the track is drawn while the vehicle drives")
    check(wait_until(lambda: "home: " in text(driver, "faults")), f"the head names the server that fails: {text(driver, 'faults')!r}")
    place = driver.execute_script("return document.getElementById('faults').getBoundingClientRect().bottom + scrollY")
    check(place < 844, f"on the first screen, down to {place:.0f} px")
    check("not yet reached" in text(driver, "queue"), f"a server that was never reached is not up to date: {text(driver, 'queue')!r}")
    wait_until(lambda: text(driver, "state").startswith("Moving at"), 20)
    shot(driver, shots, "phone-moving")
    bench.server.is_open = True
    check(wait_until(lambda: "up to date" in text(driver, "queue"), 120), "the queue falls to zero when the server is back")
    check(wait_until(lambda: observe() and text(driver, "state").startswith("Parked since"), 120), "the vehicle is parked again, with the time")
    check(not driver.find_element(By.ID, "faults").is_displayed(), "the head has no fault after the server's return")
    since, ended = driver.execute_async_script(ARRIVAL)
    check(since is not None and since == ended, f"the vehicle is parked since its arrival: {since}, {ended}")
    check(standing == {""}, f"a standing vehicle has no reason for moving {standing}")
    check(wait_until(lambda: driver.find_elements(By.CSS_SELECTOR, "#trips button")), "the trip is in the list")
    check_axe(driver, "phone")
    check_requests(driver, bench.url, "phone")
    driver.quit()


def explore(bench, shots, width, height, is_dark):
    """A trip, a moment and the explanation, by keyboard alone."""
    name = f"{'phone' if width < 600 else 'desktop'}-{'dark' if is_dark else 'light'}"
    print(f"{name}: a trip and a moment, by keyboard")
    driver = browser(width, height, is_dark)
    began = time.monotonic()
    driver.get(bench.url)
    check(wait_until(lambda: driver.find_elements(By.CSS_SELECTOR, "#track path.run"), 20),
          f"{name}: the track of the day is there after {time.monotonic() - began:.1f} s")
    reached = []
    for _ in range(40):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        active = driver.switch_to.active_element
        reached.append(active.get_attribute("id") or active.get_attribute("class") or active.tag_name)
        if active.get_attribute("data-trip"):
            active.send_keys(Keys.ENTER)
            break
    check({"earlier", "day", "later", "today", "moment", "why-time"} <= set(reached), f"{name}: Tab reaches all controls")
    check(wait_until(lambda: text(driver, "title").startswith("Trip ")), f"{name}: Enter shows a trip")
    moment = driver.find_element(By.ID, "moment")
    moment.send_keys(Keys.HOME)
    check(wait_until(lambda: driver.find_elements(By.CSS_SELECTOR, "#why-events li")), f"{name}: a moment is explained")
    check("Departure" in text(driver, "why-events"), f"{name}: the explanation names the departure")
    examine(driver, name)
    wide = driver.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    check(wide <= 0, f"{name}: nothing is wider than the screen")
    shown = [each for each in ("actions", "mode-form", "name-trip") if driver.find_element(By.ID, each).is_displayed()]
    check(not shown, f"{name}: a page that only reads has no actions {shown or ''}")
    shot(driver, shots, name)
    check_axe(driver, name)
    check_requests(driver, bench.url, name)
    driver.quit()


def choose_day(bench):
    """A day in the address, which the page loads before it knows the tracker's clock if the day seems to be past."""
    print("desktop: a day in the address")
    driver = browser(1280, 900, False)
    driver.get(f"{bench.url}#day=2020-01-01")
    figures = driver.execute_async_script(FERRY)
    check(all(each == [61, 12920] for row in figures for each in row), f"a ferry has no speed and no length {figures}")
    check(wait_until(lambda: text(driver, "map-note") == "No positions in this period."), "a past day without records has no track")
    driver.find_element(By.ID, "today").click()
    check(wait_until(lambda: driver.find_elements(By.CSS_SELECTOR, "#track path.run")), "`Today` shows the track of today")
    today = driver.find_element(By.ID, "day").get_attribute("value")
    ahead = "const now = Date.now; Date.now = () => now() + 3 * 86400000;"
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": ahead})
    driver.get("about:blank")
    driver.get(f"{bench.url}#day={today}")
    check(wait_until(lambda: text(driver, "title").startswith("Today,")), "with a browser three days ahead, today is the tracker's day")
    check(wait_until(lambda: driver.find_elements(By.CSS_SELECTOR, "#track path.run")), "and its track is there")
    check_requests(driver, bench.url, "day")
    driver.get("about:blank")
    bench.daemon.send_signal(signal.SIGSTOP)
    bench.start_page()
    driver.get(f"{bench.url}#day=2020-01-01")
    note = "return document.getElementById('map-note').textContent"
    check(wait_until(lambda: "does not answer" in driver.execute_script(note)), "while the daemon hangs, the early request fails")
    check(take_refusal(driver, 503), "with status 503")
    bench.daemon.send_signal(signal.SIGCONT)
    loaded = "return performance.getEntries().some(each => each.name.includes('/api/track?') && each.responseStatus === 200)"
    check(wait_until(lambda: driver.execute_script(loaded)), "and the page loads the day again by itself")
    driver.get("about:blank")
    driver.get(f"{bench.url}#day=2020-13-45")
    check(wait_until(lambda: text(driver, "title").startswith("Today,")), "an impossible day in the address shows today")
    check_requests(driver, bench.url, "day")
    driver.quit()


def examine(driver, name):
    """The doctor shows each part, its state and its remedy, by keyboard."""
    driver.find_element(By.ID, "examine").send_keys(Keys.ENTER)
    check(wait_until(lambda: text(driver, "verdict").startswith("The vehicle can be tracked.")), f"{name}: the doctor has a verdict")
    rows = [row.text for row in driver.find_elements(By.CSS_SELECTOR, "#findings tr")]
    check(any(row.startswith("database\nok") for row in rows), f"{name}: the doctor checks the database")
    check(any(row.startswith("targets\nwarning") and "Check `username`" in row for row in rows), f"{name}: a warning has a remedy {rows}")


def private(options):
    """A drive that starts in a private place."""
    print("a drive that starts in a private place")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, 4 * options.speed, is_private=True)
        try:
            bench.start_daemon()
            driver = browser(390, 844, False)
            driver.get(bench.url)
            check(wait_until(lambda: driver.find_elements(By.CSS_SELECTOR, "#track path.run"), 60), "the track outside the place is drawn")
            check(wait_until(lambda: text(driver, "state").startswith("Parked since"), 120), "the vehicle arrives")
            check(wait_until(lambda: re.search(r"Driving\n\d+ min", text(driver, "figures"))),
                  f"the driving time is shown: {text(driver, 'figures')!r}")
            check(driver.find_element(By.ID, "private-key").is_displayed(), "the timeline shows the private period")
            check(driver.find_elements(By.CSS_SELECTOR, "#timeline .private"), "the private period has a bar")
            shot(driver, options.shots, "phone-private")
            driver.quit()
        finally:
            bench.close()


def press(driver, name):
    """Presses the button with this text, and confirms the question."""
    driver.find_element(By.XPATH, f"//button[text()='{name}']").click()
    driver.switch_to.alert.accept()


def switch(driver, mode):
    """Chooses a mode, and confirms the question."""
    Select(driver.find_element(By.ID, "mode")).select_by_value(mode)
    press(driver, "Switch the mode")


def act(bench, driver, shots):
    """Each action has its effect; without the token of the page, it has none."""
    def daemon():
        output = subprocess.run([ROOT / ".build/debug/trackerd", "status", "--json", "--socket", bench.folder / "c.sock"],
                                check=True, capture_output=True).stdout
        return json.loads(output)

    foreign = driver.execute_async_script("""
        const done = arguments[0];
        fetch("/api/action", {method: "POST", headers: {"Content-Type": "application/json"}, body: '{"request":"move"}'})
            .then(response => done(response.status));""")
    check(foreign == 403 and daemon()["state"] == "stationary" and take_refusal(driver, 403),
          "an action without the token of the page is refused")
    press(driver, "Mark as moving")
    check(wait_until(lambda: "Moving" in text(driver, "state") or "Standing" in text(driver, "state")),
          f"`Mark as moving` has an effect: {text(driver, 'outcome')}")
    press(driver, "Mark as parked")
    check(wait_until(lambda: text(driver, "state").startswith("Parked")) and daemon()["state"] == "stationary",
          f"`Mark as parked` has an effect: {text(driver, 'outcome')}")
    switch(driver, "quiet")
    check(wait_until(lambda: "Mode\nquiet" in text(driver, "facts")) and daemon()["mode"] == "quiet",
          f"the mode changes: {text(driver, 'outcome')}")
    switch(driver, "default")
    check(wait_until(lambda: "Mode\nmove" in text(driver, "facts")), f"the configured mode returns: {text(driver, 'outcome')}")
    driver.find_element(By.XPATH, "//button[text()='Locate']").click()
    driver.switch_to.alert.dismiss()
    check("as configured" in text(driver, "outcome"), "without a confirmation, an action does nothing")
    press(driver, "Start a trip")
    check(wait_until(lambda: "trip" in daemon()), f"`Start a trip` has an effect: {text(driver, 'outcome')}")
    press(driver, "End the trip")
    check(wait_until(lambda: "trip" not in daemon()), f"`End the trip` has an effect: {text(driver, 'outcome')}")
    driver.find_element(By.CSS_SELECTOR, "#trips button[data-trip='1']").click()
    check(wait_until(lambda: driver.find_element(By.ID, "name-trip").is_displayed()), "a trip can be named")
    driver.find_element(By.ID, "name-trip").click()
    driver.switch_to.alert.send_keys("Moving house")
    driver.switch_to.alert.accept()
    check(wait_until(lambda: text(driver, "title").startswith("Moving house") and "Moving house" in text(driver, "trips")),
          f"the trip has its new name: {text(driver, 'outcome')}")
    wide = driver.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    check(wide <= 0, "actions: nothing is wider than the screen")
    shot(driver, shots, "phone-actions")


def locked(bench, shots):
    """A page with a password, and with actions."""
    print("a page with a password and actions")
    secret = bench.folder / "password"
    subprocess.run([ROOT / ".build/debug/trackerd-page", "set-password", secret], input="correct horse battery\n", text=True, check=True)
    bench.start_page("--password-file", str(secret), "--allow-actions")
    driver = browser(390, 844, True)
    driver.get(bench.url)
    check(wait_until(lambda: driver.find_element(By.ID, "password").is_displayed()), "the page asks for the password")
    shot(driver, shots, "login")
    check_axe(driver, "log-in")
    driver.find_element(By.ID, "password").send_keys("wrong password" + Keys.ENTER)
    check(wait_until(lambda: "password is wrong" in text(driver, "login-error")) and take_refusal(driver, 401),
          "a wrong password is refused")
    field = driver.find_element(By.ID, "password")
    field.clear()
    field.send_keys("correct horse battery" + Keys.ENTER)
    check(wait_until(lambda: text(driver, "state").startswith("Parked")), "the right password shows the vehicle")
    subprocess.run([ROOT / ".build/debug/trackerd", "trips", "name", "1", NAME[:-1], "--socket", bench.folder / "c.sock"], check=True,
                   stdout=subprocess.DEVNULL)
    driver.refresh()
    check(wait_until(lambda: "<img src=x" in text(driver, "trips")), "a name with markup is shown as text")
    check(not driver.find_elements(By.CSS_SELECTOR, "#trips img, #trips script"), "and does not become markup")
    act(bench, driver, shots)
    check_axe(driver, "actions")
    check_requests(driver, bench.url, "actions")
    driver.find_element(By.ID, "logout").click()
    check(wait_until(lambda: driver.find_element(By.ID, "password").is_displayed()), "Log out asks for the password again")
    driver.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", help="the folder for pictures")
    parser.add_argument("--speed", type=int, default=8, help="how much faster than real time the drive is replayed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, options.speed)
        try:
            live(bench, options.shots)
            for width, height, is_dark in ((390, 844, True), (1280, 900, False), (1280, 900, True)):
                explore(bench, options.shots, width, height, is_dark)
            choose_day(bench)
            locked(bench, options.shots)
        finally:
            bench.close()
    private(options)
    print(f"page-check: {len(failures)} failed" if failures else "page-check: all checks passed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
