"""The clock in the virtual Pi: chrony sets it from the receiver, because the machine has no clock chip and no time server."""

import time

#: The time server of Debian's configuration would also set the clock, if the host's network allows this.
NO_SERVERS = "sed -i 's/^pool /#&/' /etc/chrony/chrony.conf"
SOURCES = "chronyc -n sources | tail -n +3"
#: The clock may be wrong by the delay of the emulated serial adapter.
LARGEST_ERROR_S = 2.0
#: The owner's installation of chrony starts its service; the machine has chrony, but not started.
INSTALL = f"{NO_SERVERS}; systemctl enable --quiet --now chrony"


def error_s(machine) -> float:
    """Returns by how much the machine's clock differs from the host's."""
    before = time.time()
    text = machine.output("date +%s.%N")
    return float(text) - (before + time.time()) / 2


def check(machine, transcript) -> None:
    """Makes the receiver set the clock, and ends this."""
    transcript.part("The clock, from the receiver")
    wrong = error_s(machine)
    transcript.check(abs(wrong) > 3600, f"without a network, the clock is wrong by {abs(wrong) / 86400:.0f} days")
    machine.output(INSTALL)
    began = time.monotonic()
    status, text = machine.run("trackerd-clock on")
    transcript.check(status == 0, "`trackerd-clock on` makes the receiver a source of chrony", text)
    text = ""
    while time.monotonic() - began < 300 and "#*" not in text:
        time.sleep(2)
        text = machine.run(SOURCES)[1]
    transcript.check("#* GPS" in text, "chrony uses the receiver", text + machine.run("journalctl -b -u chrony -u gpsd -n 30")[1])
    transcript.show(text)
    error = error_s(machine)
    transcript.check(abs(error) < LARGEST_ERROR_S, f"the clock is right, to {abs(error):.1f} s", machine.run(SOURCES)[1])
    transcript.figure("command to the right clock", f"{time.monotonic() - began:.0f} s")
    transcript.show("\n".join(line for line in machine.output("journalctl -b -u chrony --no-pager -o cat").splitlines()
                              if line.startswith("System clock was stepped")))
    _, text = machine.run("runuser -u trackerd -- trackerd doctor --board bare | grep ' clock '")
    transcript.check("has set the clock" in text, "the doctor knows that the clock is set", text)
    status, text = machine.run(f"trackerd-clock off; {SOURCES}; ps -C gpsd -o args=")
    transcript.check(status == 0 and "GPS " not in text and " -n" not in text, "`trackerd-clock off` ends this", text)
    machine.output("systemctl disable --quiet --now chrony")
