"""The virtual Pi: a QEMU whose power can be cut, commands that it executes, and the journal that it sends."""

import json
import queue
import re
import socket
import subprocess
import threading
import time
from pathlib import Path

ON_DISK = re.compile(r"on disk sequence=(\d+)")
#: A Raspberry Pi 4 has this processor; a Zero 2 W has this memory.
PROCESSOR, MEMORY_MB = "cortex-a72", 512
#: A boot takes a minute at most on an idle PC.
BOOT_LIMIT_S = 600


class MachineError(Exception):
    """The machine did not do what was asked."""


class Machine:
    """One computer with one disk; `start` and `cut` are its power switch."""

    def __init__(self, cache: Path, disk: Path, packages: Path, folder: Path, receiver: Path) -> None:
        self.cache, self.disk, self.packages, self.folder, self.receiver = cache, disk, packages, folder, receiver
        self.process: subprocess.Popen[bytes] | None = None
        self.boots, self.identity = 0, 0

    # The switch

    def start(self) -> None:
        """Switches the power on; returns at once."""
        self.boots += 1
        #: The last record that the journal reports as on disk, and the time from power-on to the first such line.
        self.promised, self.first_record_s = 0, None
        ports = {name: self.folder / f"{name}.{self.boots}" for name in ("commands", "journal")}
        self.process = subprocess.Popen(
            self._command(ports), stdin=subprocess.DEVNULL, stdout=(self.folder / "qemu.log").open("ab"), stderr=subprocess.STDOUT)
        self.started = time.monotonic()
        self.replies: queue.Queue[dict] = queue.Queue()
        self.commands = self._connect(ports["commands"])
        threading.Thread(target=self._read, args=(self.commands, self.replies.put), daemon=True).start()
        threading.Thread(target=self._read, args=(self._connect(ports["journal"]), self._note), daemon=True).start()

    def cut(self) -> None:
        """Cuts the power: what the guest has not written to its disk is lost."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def wait_for_halt(self, limit_s: float) -> bool:
        """Waits until the machine has switched itself off; returns whether it has."""
        assert self.process
        try:
            return self.process.wait(limit_s) == 0
        except subprocess.TimeoutExpired:
            return False

    @property
    def age_s(self) -> float:
        """The time since power-on."""
        return time.monotonic() - self.started

    # Commands

    def run(self, command: str, limit_s: float = 120) -> tuple[int, str]:
        """Runs a shell command as root; returns its exit status and its output."""
        self.identity += 1
        request = {"id": self.identity, "command": command, "limit_s": limit_s}
        self.commands.sendall(json.dumps(request).encode() + b"\n")
        deadline = time.monotonic() + limit_s + (BOOT_LIMIT_S if self.age_s < BOOT_LIMIT_S else 60)
        while True:
            try:
                reply = self.replies.get(timeout=max(0.1, deadline - time.monotonic()))
            except queue.Empty:
                raise MachineError(f"the machine does not answer to: {command}\n{self.console()}") from None
            if reply.get("id") == self.identity:
                return reply["status"], reply["output"].rstrip("\n")
            if "ended" in reply:
                raise MachineError(f"the machine has ended during: {command}\n{self.console()}")

    def output(self, command: str, limit_s: float = 120) -> str:
        """Runs a command that must succeed; returns its output."""
        status, text = self.run(command, limit_s)
        if status != 0:
            raise MachineError(f"exit status {status}: {command}\n{text}")
        return text

    def console(self) -> str:
        """Returns the end of what the machine has printed on its console."""
        return (self.folder / "console.log").read_text(errors="replace")[-2000:]

    # The connections

    def _command(self, ports: dict[str, Path]) -> list[str]:
        command = ["qemu-system-aarch64", "-nodefaults", "-M", "virt", "-cpu", PROCESSOR, "-smp", "2", "-m", str(MEMORY_MB)]
        command += ["-display", "none", "-monitor", "none", "-no-reboot"]
        # The empty ROM file avoids a package for booting from the network.
        command += ["-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net,romfile="]
        command += ["-chardev", f"file,id=console,path={self.folder}/console.log,append=on", "-serial", "chardev:console"]
        command += ["-kernel", f"{self.cache}/virtual-pi.vmlinuz", "-initrd", f"{self.cache}/virtual-pi.initrd"]
        # Without its driver the machine has no clock chip, as a Pi.
        kernel = "root=/dev/vda rw console=ttyAMA0 quiet systemd.show_status=0 initcall_blacklist=pl031_driver_init"
        command += ["-append", kernel]
        command += ["-drive", f"file={self.disk},format=raw,if=virtio,cache=writeback"]
        command += ["-drive", f"file={self.packages},format=raw,if=virtio,readonly=on"]
        command += ["-device", "virtio-serial-pci"]
        for name, path in ports.items():
            command += ["-chardev", f"socket,id={name},path={path},server=on,wait=off"]
            command += ["-device", f"virtserialport,chardev={name},name={name}"]
        # The receiver is on USB, so udev, gpsdctl and gpsd find it as they find a real one.
        command += ["-device", "qemu-xhci", "-chardev", f"socket,id=receiver,path={self.receiver}"]
        return command + ["-device", "usb-serial,chardev=receiver"]

    def _connect(self, path: Path) -> socket.socket:
        assert self.process
        while self.process.poll() is None and self.age_s < 30:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(str(path))
                return connection
            except OSError:
                connection.close()
                time.sleep(0.05)
        raise MachineError(f"QEMU did not start:\n{(self.folder / 'qemu.log').read_text()[-2000:]}")

    def _read(self, connection: socket.socket, take) -> None:
        try:
            for line in connection.makefile("rb"):
                take(json.loads(line))
        except (OSError, ValueError):
            pass  # the power was cut within a line
        take({"ended": True})

    def _note(self, entry: dict) -> None:
        if match := ON_DISK.search(str(entry.get("MESSAGE", ""))):
            self.promised = int(match[1])
            self.first_record_s = self.first_record_s or self.age_s
