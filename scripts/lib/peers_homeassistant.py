"""Drives a vehicle into a real Home Assistant by MQTT discovery, and checks the entities that appear.

Home Assistant's core runs in this process: the newest release for the Python of Debian 12, with the packages
that its MQTT integration would fetch. mosquitto and trackerd are real too. TRACKERD=FILE uses another program instead of the
debug build.
"""
# pip: homeassistant==2024.3.3 paho-mqtt==1.6.1 aiohttp_cors==0.7.0 aiohttp-fast-url-dispatcher==0.3.0
# pip: aiohttp-zlib-ng==0.3.1 janus==1.0.0

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile

from homeassistant import bootstrap, config_entries, runner
from homeassistant.const import STATE_UNAVAILABLE

DRIVE = "Tests/Traces/sample_trip.csv.gz"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def find(name):
    for folder in os.environ["PATH"].split(":") + ["/usr/sbin"]:
        if os.access(f"{folder}/{name}", os.X_OK):
            return f"{folder}/{name}"
    sys.exit(f"{name} is missing: apt install {name}")


class Bench:
    """The broker, Home Assistant and the tracker, in a folder of their own."""

    def __init__(self, trackerd, folder):
        self.trackerd, self.folder, self.port = trackerd, folder, free_port()
        self.failures, self.seen = [], {}
        self.write("mosquitto.conf", f"listener {self.port} 127.0.0.1\nallow_anonymous true\nuser root\n")
        self.broker = subprocess.Popen([find("mosquitto"), "-c", f"{folder}/mosquitto.conf"], stderr=subprocess.DEVNULL)
        self.write("config.yaml", f"""
device: van1
store: {{path: {folder}/t.sqlite, commitInterval: 0}}
control: {{socket: {folder}/control.sock}}
tracking: {{desiredSyncInterval: 0}}
targets:
  - {{name: home-assistant, url: "mqtt://127.0.0.1:{self.port}", format: homeassistant, user: fleet}}
""")

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w") as file:
            file.write(text)

    def start_tracker(self):
        arguments = ["run", "--board", "sim", "--drive", DRIVE, "--speed", "40", "--config", f"{self.folder}/config.yaml"]
        return subprocess.Popen([self.trackerd] + arguments, stderr=open(f"{self.folder}/trackerd.log", "a"))

    async def start_home_assistant(self):
        os.makedirs(f"{self.folder}/ha", exist_ok=True)
        # The http integration belongs to the MQTT integration; it gets a port of this run.
        self.write("ha/configuration.yaml", f"http:\n  server_host: 127.0.0.1\n  server_port: {free_port()}\n")
        settings = runner.RuntimeConfig(config_dir=f"{self.folder}/ha", skip_pip=True)
        self.hass = await bootstrap.async_setup_hass(settings)
        await self.hass.async_start()
        self.entry = config_entries.ConfigEntry(
            version=1, minor_version=1, domain="mqtt", title="broker", source="user",
            data={"broker": "127.0.0.1", "port": self.port})
        await self.hass.config_entries.async_add(self.entry)
        self.hass.bus.async_listen("state_changed", self.note)

    def note(self, event):
        state = event.data["new_state"]
        if state is not None:
            self.seen.setdefault(state.entity_id, []).append(state.state)

    async def wait(self, what, condition, seconds=90):
        for _ in range(seconds * 10):
            if condition():
                return self.check(True, what)
            await asyncio.sleep(0.1)
        self.check(False, what)

    def check(self, is_right, what):
        print(("ok      " if is_right else "WRONG   ") + what)
        if not is_right:
            self.failures.append(what)

    def state(self, entity):
        found = self.hass.states.get(entity)
        return found.state if found else None

    def attribute(self, entity, name):
        found = self.hass.states.get(entity)
        return found.attributes.get(name) if found else None


async def drive(bench):
    """Checks the entities that appear, their states in a drive, and the effect of losing the tracker and Home Assistant."""
    await bench.start_home_assistant()
    tracker = bench.start_tracker()
    place, speed = "device_tracker.van1", "sensor.van1_speed"
    await bench.wait("the device tracker has a position", lambda: bench.attribute(place, "latitude") is not None)
    await bench.wait("the vehicle is seen moving", lambda: "moving" in bench.seen.get("sensor.van1_state", []))
    await bench.wait("a speed is seen", lambda: any(text not in ("0", "0.0", "unknown", "unavailable")
                                                   for text in bench.seen.get(speed, [])))
    await bench.wait("the tracker is connected", lambda: bench.state("binary_sensor.van1_connection") == "on")
    for entity, unit in [(speed, "km/h"), ("sensor.van1_odometer", "km")]:
        bench.check(bench.attribute(entity, "unit_of_measurement") == unit, f"{entity} is in {unit}")
    bench.check(bench.attribute(place, "source_type") == "gps", "the source of the position is GPS")
    bench.check(bench.state(place) in ("not_home", "home"), "Home Assistant finds the zone by itself")
    show(bench)
    tracker.send_signal(signal.SIGKILL)
    tracker.wait()
    await bench.wait("after the loss of the tracker its state is unavailable",
                     lambda: bench.state("sensor.van1_state") == STATE_UNAVAILABLE)
    bench.check(bench.attribute(place, "latitude") is not None, "the last position stays")
    bench.check(bench.state("binary_sensor.van1_connection") == "off", "the connection is off")
    await bench.hass.config_entries.async_reload(bench.entry.entry_id)
    await bench.wait("after a reload of Home Assistant's MQTT integration the retained position is back",
                     lambda: bench.attribute(place, "latitude") is not None)
    tracker = bench.start_tracker()
    await bench.wait("after a restart of the tracker its state is back",
                     lambda: bench.state("sensor.van1_state") in ("moving", "parked"))
    tracker.terminate()
    tracker.wait()
    await bench.wait("after the end of the tracker the connection is off",
                     lambda: bench.state("binary_sensor.van1_connection") == "off")
    await bench.hass.async_stop()


def show(bench):
    for state in sorted(bench.hass.states.async_all(), key=lambda state: state.entity_id):
        if "van1" in state.entity_id:
            print(f"        {state.entity_id} = {state.state} {state.attributes.get('unit_of_measurement') or ''}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        # Home Assistant reports each of its parts that is not installed.
        os.dup2(os.open(f"{folder}/errors", os.O_WRONLY | os.O_CREAT), 2)
        bench = Bench(os.path.abspath(os.environ.get("TRACKERD", ".build/debug/trackerd")), folder)
        try:
            asyncio.run(drive(bench))
        finally:
            bench.broker.kill()
        errors = f"{folder}/ha/home-assistant.log"
        if os.path.exists(errors):
            lines = [line for line in open(errors) if "ERROR" in line and ("mqtt" in line or "template" in line)]
            bench.check(not lines, "Home Assistant logs no error about MQTT" + "".join(lines[:5]))
        sys.exit(1 if bench.failures else 0)


main()
