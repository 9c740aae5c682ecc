"""A real mosquitto, and a real subscriber that writes down what the tracker publishes."""

import json
from contextlib import ExitStack
from pathlib import Path

from processes import Program, accepts_connections, free_port, start, wait_until
from receiver import JSON

CONFIGURATION = """\
listener {port} 127.0.0.1
allow_anonymous true
persistence false
"""

SUBSCRIBER = "demo-archive"


class Broker:
    """A mosquitto on a free port of the loopback interface, with a mosquitto_sub on owntracks/#."""

    def __init__(self, stack: ExitStack, scratch: Path, folder: Path) -> None:
        self.port = free_port()
        configuration = scratch / "mosquitto.conf"
        configuration.write_text(CONFIGURATION.format(port=self.port), encoding="ascii")
        self.received = folder / "received-owntracks-mqtt.ndjson"
        broker = start(stack, "mosquitto", ["mosquitto", "-c", str(configuration)], folder / "mosquitto.log")
        self._await_port(broker)
        server = ["-h", "127.0.0.1", "-p", str(self.port), "-i", SUBSCRIBER]
        subscribe = ["mosquitto_sub", *server, "-q", "1", "-t", "owntracks/#", "-F", "%p"]
        subscriber = start(stack, "mosquitto_sub", subscribe, self.received)
        self._await_subscription(broker, subscriber)

    def messages(self) -> list[JSON]:
        """What has arrived so far."""
        lines = self.received.read_text(encoding="utf-8").splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def _await_port(self, broker: Program) -> None:
        def listens() -> bool:
            broker.check()
            return accepts_connections(self.port)

        wait_until(listens, 10, "mosquitto on its port")

    def _await_subscription(self, broker: Program, subscriber: Program) -> None:
        def subscribed() -> bool:
            subscriber.check()
            return f" as {SUBSCRIBER} " in broker.output.read_text(errors="replace")

        wait_until(subscribed, 10, "the subscription at mosquitto")
