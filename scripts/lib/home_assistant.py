"""A real Home Assistant in this process, with its log and its entities, and trackerd beside it, in a folder of their own.

The core is the newest release for the Python of Debian 12, with the packages that the tested integrations would fetch.
TRACKERD=FILE uses another program instead of the debug build.
"""

import asyncio
import os
import socket
import subprocess
import tempfile

from homeassistant import bootstrap, config_entries, runner

DRIVE = "Tests/Traces/sample_trip.csv.gz"


def free_port():
    """Returns a TCP port of this host that nobody uses at present."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Bench:
    """Home Assistant and the tracker, and what is found wrong. The folder contains their files."""

    def __init__(self, folder):
        self.trackerd = os.path.abspath(os.environ.get("TRACKERD", ".build/debug/trackerd"))
        self.folder, self.port = folder, free_port()
        self.failures, self.seen = [], {}

    def write(self, name, text):
        """Writes a file of the folder."""
        with open(f"{self.folder}/{name}", "w") as file:
            file.write(text)

    def configure(self, rest):
        """Writes the tracker's configuration: `rest` contains the targets and other keys."""
        self.write("config.yaml", f"""
device: van1
store: {{path: {self.folder}/t.sqlite, commitInterval: 0}}
control: {{socket: {self.folder}/control.sock}}
tracking: {{desiredSyncInterval: 0, drivingEvents: true}}
{rest}""")

    def start_tracker(self, *more):
        """Starts the tracker on a recorded drive."""
        arguments = ["run", "--board", "sim", "--drive", DRIVE, "--speed", "40", "--config", f"{self.folder}/config.yaml"]
        return subprocess.Popen([self.trackerd, *arguments, *more], stderr=open(f"{self.folder}/trackerd.log", "a"))

    async def start_home_assistant(self, domain, data, more=""):
        """Starts Home Assistant, and adds an entry of an integration with its data; `more` is further configuration."""
        os.makedirs(f"{self.folder}/ha", exist_ok=True)
        self.write("ha/configuration.yaml", f"http:\n  server_host: 127.0.0.1\n  server_port: {self.port}\n{more}")
        settings = runner.RuntimeConfig(config_dir=f"{self.folder}/ha", skip_pip=True)
        self.hass = await bootstrap.async_setup_hass(settings)
        await self.hass.async_start()
        self.entry = config_entries.ConfigEntry(
            version=1, minor_version=1, domain=domain, title=domain, source="user", data=data)
        await self.hass.config_entries.async_add(self.entry)
        self.hass.bus.async_listen("state_changed", self.note)

    def note(self, event):
        """Keeps each state of each entity."""
        state = event.data["new_state"]
        if state is not None:
            self.seen.setdefault(state.entity_id, []).append(state.state)

    async def wait(self, what, condition, seconds=90):
        """Waits until a condition is true."""
        for _ in range(seconds * 10):
            if condition():
                return self.check(True, what)
            await asyncio.sleep(0.1)
        self.check(False, what)

    def check(self, is_right, what):
        """Prints a check, and keeps it if it fails."""
        print(("ok      " if is_right else "WRONG   ") + what)
        if not is_right:
            self.failures.append(what)

    def state(self, entity):
        """Returns the state of an entity, or None if there is no such entity."""
        found = self.hass.states.get(entity)
        return found.state if found else None

    def attribute(self, entity, name):
        """Returns an attribute of an entity, or None."""
        found = self.hass.states.get(entity)
        return found.attributes.get(name) if found else None

    def check_log(self, integration):
        """Checks that Home Assistant logs no error of an integration, and no exception in its code."""
        path = f"{self.folder}/ha/home-assistant.log"
        lines = open(path).read().splitlines() if os.path.exists(path) else []
        wrong = [line for line in lines if f"components/{integration}" in line or "ERROR" in line and integration in line]
        self.check(not wrong, f"Home Assistant logs no error of {integration}" + "\n".join(["", *wrong[:5]]).rstrip())


def run(test):
    """Runs a test with a bench of its own, and returns what failed."""
    with tempfile.TemporaryDirectory() as folder:
        # Home Assistant reports each of its parts that is not installed.
        os.dup2(os.open(f"{folder}/errors", os.O_WRONLY | os.O_CREAT), 2)
        bench = Bench(folder)
        asyncio.run(test(bench))
        return bench.failures
