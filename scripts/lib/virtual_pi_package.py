"""The package in the virtual Pi: apt installs, upgrades, removes and purges it."""

import time

from virtual_pi_database import Database

APT = "DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes"
CONFIGURATION = """device: van1
targets:
  - {{name: host, url: "http://10.0.2.2:{port}/", format: geojson, allowInsecure: true}}
tracking: {{distanceFilter: 10, desiredSyncInterval: 2s}}
"""
#: The log reports each commit, so the host knows what is promised.
DEBUG = "[Service]\nExecStart=\nExecStart=/usr/bin/trackerd run $OPTIONS --log-level debug\n"
#: QEMU's receiver has an FTDI chip. Debian's rules leave this one out, because other devices have it too, so its owner adds it.
RULE = 'SUBSYSTEM=="tty", ATTRS{idVendor}=="0403", ATTRS{idProduct}=="6001", SYMLINK+="gps%n"\n'


def write(path: str, text: str) -> str:
    """Returns the command that writes a file in the machine."""
    return f"mkdir -p $(dirname {path}) && cat >{path} <<'TEXT'\n{text}TEXT\n"


def install(machine, transcript, server) -> None:
    """Installs the package as install.md describes it, and starts the service."""
    transcript.part("Installation")
    system = machine.output(". /etc/os-release; echo \"$PRETTY_NAME, Linux $(uname -r), $(systemctl --version | head -n 1), "
                            "$(free -m | awk '/^Mem/ {print $2}') MB of memory\"", 300)
    transcript.figure("machine", system)
    transcript.figure("power-on to commands", f"{machine.age_s:.0f} s")
    status, text = machine.run(f"{APT} install /packages/first.deb", 600)
    transcript.check(status == 0, "apt installs the package, and needs nothing else", text)
    transcript.show("\n".join(line for line in text.splitlines() if line.startswith("trackerd:")))
    status, _ = machine.run("systemctl is-enabled --quiet trackerd || systemctl is-active --quiet trackerd")
    transcript.check(status != 0, "the service is neither enabled nor started without a configuration")
    status, text = machine.run("systemctl start trackerd; systemctl status trackerd --no-pager")
    transcript.check("ConditionPathExists=/etc/trackerd/config.yaml" in text, "`systemctl status` names the missing file", text)
    machine.output(write("/root/config.yaml", CONFIGURATION.format(port=server.server_port))
                   + write("/etc/systemd/system/trackerd.service.d/debug.conf", DEBUG)
                   + write("/etc/udev/rules.d/90-receiver.rules", RULE))
    machine.output("install -m 600 -o trackerd /root/config.yaml /etc/trackerd/config.yaml; systemctl daemon-reload")
    # install.md asks for this restart: gpsd and the buses then use the new rules.
    machine.run("systemctl enable --quiet trackerd; systemctl --no-block reboot")
    transcript.check(machine.wait_for_halt(180), "the machine restarts, as install.md asks", machine.console())
    machine.start()
    status, text = machine.run("systemctl is-system-running --wait", 300)
    transcript.check(status == 0, "no unit has failed after the restart", machine.run("systemctl --failed --no-pager")[1])
    status, text = machine.run("systemctl is-active trackerd; systemctl status trackerd --no-pager")
    transcript.check(text.startswith("active\n"), "the service has started by itself", text)
    transcript.show(text)


def upgrade_and_remove(machine, transcript, server) -> None:
    """Upgrades with a queue, then removes and purges."""
    transcript.part("Upgrade, removal, purge")
    server.is_open = False
    database = Database(machine)
    before = database.rows()
    end = time.monotonic() + 180
    while time.monotonic() < end and len(database.rows()) - len(server.records) < 10:
        time.sleep(5)
    before = database.rows()
    waiting = sum(uuid not in server.records for _, uuid in before)
    transcript.check(waiting > 0, f"the server is out of reach, and {waiting} records wait")
    process = machine.output("systemctl show -P MainPID trackerd")
    status, text = machine.run(f"{APT} install /packages/second.deb", 600)
    transcript.check(status == 0, "apt upgrades the package", text)
    status, text = machine.run("dpkg-query -W -f '${Version}\\n' trackerd; systemctl is-active trackerd; "
                               "systemctl show -P MainPID trackerd")
    lines = text.splitlines()
    transcript.check(lines[0].endswith("+next"), "the new version is installed", text)
    transcript.check(lines[1] == "active" and lines[2] not in (process, "0"), "the upgrade has restarted the service", text)
    after = database.rows()
    transcript.check(after[: len(before)] == before, f"the upgrade keeps all {len(before)} records", "")
    server.is_open = True
    machine.run("runuser -u trackerd -- trackerd queue retry")
    transcript.check(database.wait_for_delivery(server, 180), "the server gets the whole queue from the new version", "")
    status, text = machine.run("systemctl is-enabled trackerd; cat /etc/trackerd/config.yaml")
    transcript.check(text.startswith("enabled\ndevice: van1"), "the service is still enabled, with its configuration", text)

    status, text = machine.run(f"{APT} remove trackerd", 300)
    transcript.check(status == 0, "apt removes the package", text)
    status, text = machine.run("pgrep -x trackerd; ls /usr/bin/trackerd")
    transcript.check(status != 0 and not text.split()[0].isdigit(), "daemon and program are gone", text)
    status, text = machine.run("ls -l /var/lib/trackerd/trackerd.sqlite /etc/trackerd/config.yaml")
    transcript.check(status == 0, "a removal keeps records and configuration", text)
    status, text = machine.run(f"{APT} purge trackerd", 300)
    transcript.check(status == 0, "apt purges the package", text)
    status, text = machine.run("ls -d /var/lib/trackerd /etc/trackerd /etc/default/trackerd /run/trackerd")
    transcript.check(text.count("No such file") == 4, "a purge deletes records, configuration and settings", text)
    status, text = machine.run("getent passwd trackerd; systemctl is-system-running; systemctl --failed --no-pager")
    transcript.check("trackerd:" in text, "the user remains, as Debian's system users do", text)
    transcript.check("0 loaded units" in text, "no unit has failed", text)
