"""The service in the virtual Pi, under the real systemd, udev, polkit and journald."""

import json
import time

from virtual_pi_package import write

#: The exposure that install.md names is 1.9.
LARGEST_EXPOSURE = 2.0
#: The service's own 5 minutes would make the check long.
WATCHDOG_S = 30
#: Asks the page for the doctor's findings, as a browser does.
ASK_PAGE = ("python3 -c 'import urllib.request as r; print(r.urlopen(\"http://127.0.0.1:8080/api/doctor\", "
            "timeout=90).read().decode())'")
CAN_HALT = "busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager CanPowerOff"


def properties(machine, *names: str) -> dict[str, str]:
    """Returns properties of the service."""
    text = machine.output(f"systemctl show trackerd -p {','.join(names)}")
    return dict(line.split("=", 1) for line in text.splitlines())


def check(machine, transcript) -> None:
    """Checks rights, devices, status and journal of the running service."""
    transcript.part("The service under systemd, udev and polkit")
    check_devices(machine, transcript)
    check_rights(machine, transcript)
    check_status(machine, transcript)
    check_reload(machine, transcript)
    check_page(machine, transcript)


def check_devices(machine, transcript) -> None:
    """Checks the device nodes, and that the doctor is content with them."""
    machine.run("until [ -e /dev/gps0 ]; do sleep 1; done; udevadm settle", 60)
    _, text = machine.run("ls -l /dev/gps0; getfacl -cp /dev/gps0; systemctl status 'gpsdctl@*' gpsd --no-pager -n 5")
    transcript.check("user:trackerd:rw-" in text, "udev names the receiver /dev/gps0 and lets the daemon's user open it", text)
    _, text = machine.run("stat -c '%a %U' /run/gpsd.sock")
    transcript.check(text == "600 trackerd", "only the daemon's user may give orders to gpsd", text)
    status, text = machine.run("runuser -u trackerd -- head -c 1 /dev/gpiochip0")
    transcript.check(status != 0 and "Permission denied" in text,
                     "the daemon's user may not open a GPIO chip that is not the header's", text)
    # The receiver needs its first fix.
    for _ in range(12):
        status, text = machine.run("runuser -u trackerd -- trackerd doctor --board bare")
        if status == 0 and "FAULT" not in text:
            break
        time.sleep(5)
    transcript.check(status == 0 and "FAULT" not in text, "the doctor, as the daemon's user, finds no fault", text)
    transcript.show(text)


def check_rights(machine, transcript) -> None:
    """Checks what the daemon and the groups may do."""
    status, text = machine.run("systemd-analyze security --no-pager trackerd | tail -n 1")
    exposure = float(text.split(":")[1].split()[0]) if ":" in text else 10.0
    transcript.check(exposure < LARGEST_EXPOSURE, f"`systemd-analyze security` gives the running service {exposure}", text)
    _, text = machine.run("cat /proc/$(systemctl show -P MainPID trackerd)/status")
    zero = all(f"{name}:\t0000000000000000" in text for name in ("CapEff", "CapBnd"))
    transcript.check(zero and "NoNewPrivs:\t1" in text and "Seccomp:\t2" in text,
                     "the daemon has no capability, and a filter of system calls", text)
    machine.output("for user in ada commander reader; do id $user >/dev/null 2>&1 || useradd $user; done; "
                   "usermod -aG trackerd commander; usermod -aG trackerd-read reader")
    trips = "trackerd trips --database /var/lib/trackerd/trackerd.sqlite"
    for user, command, is_allowed in (
            ("commander", "trackerd status", True), ("ada", "trackerd status", False), ("reader", "trackerd status", True),
            ("reader", "trackerd odometer set 5", False),
            ("reader", trips, True), ("ada", trips, False), ("commander", "cat /etc/trackerd/config.yaml", False)):
        status, text = machine.run(f"cd /; runuser -u {user} -- {command}")
        name = {"ada": "a user without groups", "commander": "a member of trackerd", "reader": "a member of trackerd-read"}[user]
        title = f"{name} {'may' if is_allowed else 'may not'} use `{command.split(' --')[0]}`"
        transcript.check((status == 0) == is_allowed, title, text)
    for user, answer in (("trackerd", 's "yes"'), ("ada", None)):
        _, text = machine.run(f"cd /; runuser -u {user} -- {CAN_HALT}")
        title = "polkit lets the daemon's user halt the computer" if answer else "polkit does not let another user halt it"
        transcript.check((text == answer) if answer else 's "yes"' not in text, title, text)


def check_page(machine, transcript) -> None:
    """Asks the page of its own service for the doctor, which the daemon starts in its sandbox."""
    machine.output("systemctl start trackerd-page")
    for _ in range(12):
        status, text = machine.run(ASK_PAGE, 100)
        if status == 0:
            break
        time.sleep(5)
    found = json.loads(text) if status == 0 and text.startswith("{") else {}
    result = found.get("result", found)
    transcript.check(result.get("can_track") is True, "the page shows the doctor's findings from within the sandboxes", text)
    machine.output("systemctl stop trackerd-page")


def check_status(machine, transcript) -> None:
    """Checks the status line and the fields of the journal."""
    found = properties(machine, "StatusText", "WatchdogUSec", "NRestarts")
    transcript.check(bool(found["StatusText"]), f"the status line reads: {found['StatusText']}")
    transcript.check(found["WatchdogUSec"] == "5min" and found["NRestarts"] == "0",
                     "the watchdog is set, and systemd has restarted nothing", str(found))
    text = machine.output("journalctl -b -u trackerd -o json --no-pager")
    entries = [json.loads(line) for line in text.splitlines()]
    own = [entry for entry in entries if entry.get("_COMM") == "trackerd"]
    levels = sorted({entry["PRIORITY"] for entry in own})
    title = f"journald knows the levels of the daemon's lines: {' '.join(levels)}"
    transcript.check({"6", "7"} <= set(levels), title, text[-1000:])
    names = {(entry.get("SYSLOG_IDENTIFIER"), entry.get("_SYSTEMD_UNIT")) for entry in own}
    transcript.check(names == {("trackerd", "trackerd.service")}, "journald knows their program and unit", str(names))
    wrong = [entry["MESSAGE"] for entry in own if entry["PRIORITY"] in "0123"]
    transcript.check(not wrong, "the daemon has logged no error", "\n".join(wrong))


def check_reload(machine, transcript) -> None:
    """Changes the configuration of the running service, rightly and wrongly."""
    process = properties(machine, "MainPID")["MainPID"]
    file = "/etc/trackerd/config.yaml"
    status, text = machine.run(f"sed -i 's/distanceFilter: 10/distanceFilter: 12/' {file}; systemctl reload trackerd; "
                               "trackerd config show | grep ^distanceFilter")
    transcript.check(status == 0 and text.startswith("distanceFilter: 12 "),
                     "`systemctl reload` makes the daemon adopt a changed configuration", text)
    status, text = machine.run(f"sed -i 's/distanceFilter: 12/distanceFiltre: 10/' {file}; systemctl reload trackerd; echo status $?; "
                               "journalctl -b -u trackerd --no-pager -n 12 -o cat; trackerd config show | grep ^distanceFilter")
    is_refused = "status 0" not in text and f"{file}:4:" in text and "distanceFilter: 12 " in text
    transcript.check(is_refused, "it refuses a file with an error, and the journal states the line", text)
    machine.output(f"sed -i 's/distanceFiltre: 10/distanceFilter: 10/' {file}; systemctl reload trackerd")
    transcript.check(properties(machine, "MainPID")["MainPID"] == process, "the same process continues")
    status, text = machine.run(f"mkdir -p /boot/firmware && sed 's/van1/van2/' {file} >/boot/firmware/trackerd.yaml && "
                               f"systemctl restart trackerd && grep ^device {file} && stat -c '%a %U' {file} && ls /boot/firmware; "
                               "systemctl status trackerd-adopt --no-pager -n 5")
    is_adopted = "device: van2\n600 trackerd" in text and "trackerd.yaml\n" not in text.split("trackerd-adopt")[0]
    transcript.check(status in (0, 3) and is_adopted, "the service adopts a configuration from the boot partition", text)
    machine.output(f"sed -i 's/van2/van1/' {file}; systemctl restart trackerd")


def wait_for_restart(machine, process: str, limit_s: float) -> float | None:
    """Waits until the service runs with another process; returns the time that this took."""
    began = time.monotonic()
    while time.monotonic() - began < limit_s:
        found = properties(machine, "MainPID", "ActiveState", "SubState")
        if found["MainPID"] not in (process, "0") and found["SubState"] == "running" and found["ActiveState"] == "active":
            return time.monotonic() - began
        time.sleep(1)
    return None


def check_restarts(machine, transcript) -> None:
    """Kills the daemon, and stops it so that the watchdog must act."""
    transcript.part("Restarts")
    machine.run("systemctl restart trackerd")
    pauses = []
    for _ in range(3):
        process = properties(machine, "MainPID")["MainPID"]
        machine.output(f"kill -KILL {process}")
        pauses.append(wait_for_restart(machine, process, 120) or 999)
    text = " ".join(f"{pause:.0f} s" for pause in pauses)
    transcript.check(pauses[0] < pauses[1] < pauses[2] < 60, f"after a kill systemd starts it again, after growing pauses: {text}")
    machine.output(write("/run/systemd/system/trackerd.service.d/watchdog.conf", f"[Service]\nWatchdogSec={WATCHDOG_S}\n")
                   + "systemctl daemon-reload; systemctl restart trackerd")
    time.sleep(WATCHDOG_S * 1.5)
    process = properties(machine, "MainPID", "NRestarts")
    transcript.check(process["NRestarts"] == "0", f"with a watchdog of {WATCHDOG_S} s it runs on", str(process))
    machine.output(f"kill -STOP {process['MainPID']}")
    pause = wait_for_restart(machine, process["MainPID"], 240)
    _, text = machine.run("journalctl -b --no-pager -u trackerd _PID=1 -n 12 -o cat")
    transcript.check(pause is not None and "watchdog" in text.lower(),
                     f"a daemon that stands still is started again after {pause or 240:.0f} s", text)
    transcript.show("\n".join(line for line in text.splitlines() if "atchdog" in line or "restart job" in line))
    machine.output("rm /run/systemd/system/trackerd.service.d/watchdog.conf; systemctl daemon-reload; systemctl restart trackerd")
    check_safe_mode(machine, transcript)


def check_safe_mode(machine, transcript) -> None:
    """Kills the daemon until it starts in safe mode."""
    drop_in = "/run/systemd/system/trackerd.service.d/pause.conf"
    machine.output(write(drop_in, "[Service]\nRestartSec=1\nRestartSteps=0\n") + "systemctl daemon-reload; systemctl restart trackerd")
    for _ in range(5):
        process = properties(machine, "MainPID")["MainPID"]
        machine.output(f"kill -KILL {process}")
        wait_for_restart(machine, process, 120)
    time.sleep(2)
    text = properties(machine, "StatusText")["StatusText"]
    transcript.check("safe mode" in text, "after five kills it runs in safe mode, and the status line states it", text)
    transcript.show(text)
    status, text = machine.run("trackerd status")
    transcript.check(status == 0 and "safe mode" in text, "`trackerd status` states it too", text)
    machine.output(f"rm {drop_in}; systemctl daemon-reload; systemctl restart trackerd")
    text = properties(machine, "StatusText")["StatusText"]
    transcript.check("safe mode" not in text, "a restart of the service ends safe mode", text)


def check_halt(machine, transcript) -> None:
    """Halts the machine as the daemon does: as its user, in the sandbox of its service."""
    transcript.part("Halt")
    machine.output("sed -E -e 's/^Type=.*/Type=oneshot/; s/^ExecStart=.*/ExecStart=systemctl poweroff/' "
                   "-e '/^(Restart|Watchdog|RuntimeDirectory)/d' "
                   "/usr/lib/systemd/system/trackerd.service >/run/systemd/system/halt-test.service")
    machine.run("systemctl daemon-reload; systemctl --no-block start halt-test")
    is_off = machine.wait_for_halt(120)
    text = "" if is_off else machine.run("systemctl status halt-test --no-pager")[1]
    transcript.check(is_off, "the daemon's user halts the machine from within the sandbox", text)
    if is_off:
        machine.start()
        machine.output("until systemctl is-active --quiet trackerd; do sleep 1; done", 300)
        _, text = machine.run("journalctl -b -1 -u trackerd --no-pager -n 5 -o cat")
        transcript.show(text)
