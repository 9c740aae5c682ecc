"""Bluetooth in the virtual Pi: an adapter appears, the package's second service switches it on, and the daemon hears a beacon."""

import json
import time

from virtual_pi_package import write
from virtual_pi_service import properties

UUID = "6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f"
#: The virtual board has no entry for an adapter, as a Pi has.
REGION = (f"board: {{base: bare, bluetooth: 0}}\nregions:\n"
          f"  - {{name: Trailer, beacon: {{uuid: {UUID}, major: 1, minor: 7}}}}\n")
CONFIGURATION = "/etc/trackerd/config.yaml"
DROP_IN = "/etc/systemd/system/trackerd.service.d"
SWITCH = "trackerd-bluetooth@hci0"
#: CAP_NET_RAW (include/uapi/linux/capability.h) as /proc prints it.
NET_RAW = f"{1 << 13:016x}"
#: The exposures that install.md names.
LARGEST_EXPOSURES = {"trackerd": 2.3, SWITCH: 1.5}
#: Without BlueZ's own daemon, only the package's service can switch the adapter on.
PREPARE = "systemctl mask --quiet --runtime --now bluetooth && modprobe hci_uart"
PLUG_IN = "systemd-run --quiet --collect --unit=adapter /usr/bin/python3 -IS /packages/vm-beacons /run/beacons /run/adapter"
PULL_OUT = "systemctl stop adapter; rm /run/adapter"
#: Counts the runs of the second service that ended well, in the words of systemd.
ENDS = f"journalctl -b -u {SWITCH} -o cat | grep -c ^Finished"
#: The kernel itself switches a new adapter on, and off again after two seconds (HCI_AUTO_OFF_TIMEOUT in net/bluetooth).
AUTO_OFF_S = 4


def check(machine, transcript, server) -> None:
    """Plugs an adapter in, and pulls it out, while the daemon wants beacons."""
    transcript.part("Bluetooth, with an adapter that hears a beacon")
    machine.output(f"{PREPARE} && cp {CONFIGURATION} /root/without-beacon && printf '%s' '{REGION}' >>{CONFIGURATION} && "
                   f"install -Dm644 /usr/share/doc/trackerd/examples/bluetooth.conf -t {DROP_IN} && "
                   "systemctl daemon-reload && systemctl restart trackerd")
    transcript.check(is_active(machine), "the service runs without an adapter, too", journal(machine))
    for title in ("the adapter appears", "it appears again"):
        before = switched_on(machine)
        machine.output(write("/run/beacons", f"{UUID} 1 7 -60\n") + PLUG_IN)
        text = wait(machine, ENDS, str(before + 1))
        time.sleep(AUTO_OFF_S)
        adapter = machine.run("hciconfig hci0")[1]
        transcript.check(switched_on(machine) == before + 1 and "UP RUNNING" in adapter, f"{title}, and {SWITCH} switches it on",
                         text + adapter + journal(machine))
        asked = wait(machine, "cat /run/adapter", "scan=1")
        transcript.check("scan=1" in asked, f"the daemon scans: {asked}", journal(machine))
        machine.output(PULL_OUT)
        text = wait(machine, "hciconfig hci0 2>&1; true", "No such device")
        transcript.check("No such device" in text and is_active(machine), "the adapter is pulled out, and the daemon runs on",
                         text + journal(machine))
    check_rights(machine, transcript)
    check_records(machine, transcript, server)
    machine.output(f"rm {DROP_IN}/bluetooth.conf; install -m 600 -o trackerd /root/without-beacon {CONFIGURATION}; "
                   "systemctl daemon-reload; systemctl restart trackerd")


def check_rights(machine, transcript) -> None:
    """Checks what the two services may do."""
    for unit, largest in LARGEST_EXPOSURES.items():
        text = machine.run(f"systemd-analyze security --no-pager {unit} | tail -n 1")[1]
        exposure = float(text.split(":")[1].split()[0]) if ":" in text else 10.0
        transcript.check(exposure <= largest, f"`systemd-analyze security` gives {unit} {exposure}", text)
    text = machine.output("cat /proc/$(systemctl show -P MainPID trackerd)/status")
    transcript.check(all(f"{name}:\t{NET_RAW}" in text for name in ("CapEff", "CapBnd")),
                     "with the drop-in, the daemon has the capability CAP_NET_RAW alone", text)


def check_records(machine, transcript, server) -> None:
    """Waits until the server has the entry into the region of the beacon."""
    def transitions() -> list[str]:
        features = [json.loads(text)["properties"] for text in list(server.records.values())]
        return [feature["payload"]["direction"] for feature in features
                if feature["kind"] == "transition" and "Trailer" in json.dumps(feature)]

    end = time.monotonic() + 120
    while not transitions() and time.monotonic() < end:
        time.sleep(1)
    found = transitions()
    transcript.check("enter" in found, f"the server has the records of the beacon: {' '.join(found)}", journal(machine))


def wait(machine, command: str, text: str, limit_s: float = 60) -> str:
    """Repeats a command until its output contains a text, or until the time is over; returns the output."""
    end = time.monotonic() + limit_s
    while True:
        output = machine.run(command)[1]
        if text in output or time.monotonic() > end:
            return output
        time.sleep(1)


def is_active(machine) -> bool:
    """Returns whether the daemon runs, and has not been restarted."""
    found = properties(machine, "ActiveState", "NRestarts")
    return found == {"ActiveState": "active", "NRestarts": "0"}


def switched_on(machine) -> int:
    """Returns how often the second service has switched an adapter on."""
    return int(machine.run(ENDS)[1])


def journal(machine) -> str:
    """Returns the last lines of both services."""
    return machine.run(f"journalctl -b -u trackerd -u '{SWITCH}' -u adapter --no-pager -n 25 -o cat")[1]
