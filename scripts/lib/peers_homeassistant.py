"""Drives a vehicle into a real Home Assistant by MQTT discovery, and checks the entities that appear.

mosquitto and trackerd are real too. scripts/peers runs this.
"""
# pip: homeassistant==2024.3.3 paho-mqtt==1.6.1 aiohttp_cors==0.7.0 aiohttp-fast-url-dispatcher==0.3.0
# pip: aiohttp-zlib-ng==0.3.1 janus==1.0.0

import os
import signal
import subprocess
import sys

from home_assistant import free_port, run
from homeassistant.const import STATE_UNAVAILABLE


def find(name):
    for folder in os.environ["PATH"].split(":") + ["/usr/sbin"]:
        if os.access(f"{folder}/{name}", os.X_OK):
            return f"{folder}/{name}"
    sys.exit(f"{name} is missing: apt install {name}")


async def drive(bench):
    """Checks the entities that appear, their states in a drive, and the effect of losing the tracker and Home Assistant."""
    port = free_port()
    bench.write("mosquitto.conf", f"listener {port} 127.0.0.1\nallow_anonymous true\nuser root\n")
    broker = subprocess.Popen([find("mosquitto"), "-c", f"{bench.folder}/mosquitto.conf"], stderr=subprocess.DEVNULL)
    try:
        await follow(bench, port)
    finally:
        broker.kill()


async def follow(bench, port):
    """Checks the entities, with a broker at the port."""
    bench.configure(f'targets: [{{name: home-assistant, url: "mqtt://127.0.0.1:{port}", format: homeassistant, user: fleet}}]')
    await bench.start_home_assistant("mqtt", {"broker": "127.0.0.1", "port": port})
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
    bench.check_log("mqtt")


def show(bench):
    for state in sorted(bench.hass.states.async_all(), key=lambda state: state.entity_id):
        if "van1" in state.entity_id:
            print(f"        {state.entity_id} = {state.state} {state.attributes.get('unit_of_measurement') or ''}")


sys.exit(1 if run(drive) else 0)
