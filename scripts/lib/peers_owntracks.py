"""Sends a drive to the owntracks integration of a real Home Assistant over HTTP: in the open, and encrypted.

The integration reads each location, transition and waypoint with its own code. scripts/peers runs this.
"""
# pip: homeassistant==2024.3.3 aiohttp_cors==0.7.0 aiohttp-fast-url-dispatcher==0.3.0 aiohttp-zlib-ng==0.3.1 janus==1.0.0
# The integration imports those of MQTT and of the cloud, and these import further parts of Home Assistant.
# pip: pynacl==1.5.0 paho-mqtt==1.6.1 acme==2.8.0 josepy==1.14.0 numpy==1.26.0 hassil==1.6.1 home-assistant-intents==2024.3.6
# pip: mutagen==1.47.0 ha-ffmpeg==3.2.0 pillow==10.2.0 psutil-home-assistant==0.0.1 home-assistant-frontend==20240307.0
# pip: sqlalchemy==2.0.28 fnv-hash-fast==0.5.0

import subprocess
import sys

from home_assistant import run

PLACE = "device_tracker.fleet_van1"
#: The owner's zone, and the region of the tracker with the same name.
ZONE = "zone: [{name: Depot, latitude: 41.6625, longitude: -91.5379, radius: 150}]\n"


def drive(key):
    """Returns the test with an encryption key, or in the open if the key is None."""

    async def follow(bench):
        secret = f", owntracks: {{encryptionKey: {key}}}" if key else ""
        bench.configure(f"""
targets: [{{name: ha, url: "http://127.0.0.1:{bench.port}/api/webhook/van", format: owntracks, user: fleet{secret}}}]
regions: [{{name: Depot, latitude: 41.6625, longitude: -91.5379, radius: 150}}]
""")
        await bench.start_home_assistant("owntracks", {"webhook_id": "van", "secret": key, "cloudhook": False}, ZONE)
        tracker = bench.start_tracker()
        try:
            await check(bench)
        finally:
            tracker.kill()
        await bench.hass.async_stop()
        bench.check_log("owntracks")

    return follow


async def check(bench):
    """Checks what Home Assistant makes of the messages."""
    await bench.wait("the vehicle has a position", lambda: bench.attribute(PLACE, "latitude") is not None)
    for arguments in [["Yard", "--at", "41.66,-91.53", "--radius", "120"], ["Gate", "--at", "41.67,-91.54"],
                      ["Trailer", "--uuid", "AC7F0E2B-4C8F-4E1E-9BF5-FD1F0A9E4C11", "--major", "7", "--minor", "1"]]:
        answer = subprocess.run([bench.trackerd, "waypoint", "set", *arguments, "--config", f"{bench.folder}/config.yaml"],
                                capture_output=True, text=True)
        bench.check(answer.returncode == 0, f"trackerd stores the waypoint {arguments[0]}{answer.stderr.rstrip()}")
    await bench.wait("Home Assistant has the waypoint as a zone", lambda: bench.state("zone.fleet_van1_yard") is not None)
    await bench.wait("the vehicle enters and leaves the region",
                     lambda: {"Depot", "not_home"} <= set(bench.seen.get(PLACE, [])))
    print("        states:", *bench.seen.get(PLACE, []))
    await bench.wait("its speed is there", lambda: (bench.attribute(PLACE, "velocity") or 0) > 5)
    await bench.hass.async_block_till_done()
    state = bench.hass.states.get(PLACE)
    print(f"        {PLACE} = {state.state} " + ", ".join(f"{name} {state.attributes[name]}" for name in sorted(state.attributes)))
    bench.check(state.attributes.get("source_type") == "gps", "the source of the position is GPS")


failed = []
for secret in (None, "correct-horse"):
    print("encrypted" if secret else "in the open")
    failed += run(drive(secret))
sys.exit(1 if failed else 0)
