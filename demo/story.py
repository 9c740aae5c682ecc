"""The tracker's account of the drive, read from its events file."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from processes import DemoError
from receiver import JSON


@dataclass(frozen=True)
class Story:
    """The events in their order, and the length of the drive in seconds."""

    events: list[JSON]
    seconds: float

    @property
    def records(self) -> list[JSON]:
        """What the tracker wrote to its database."""
        return list(self._named("record"))

    @property
    def summary(self) -> JSON:
        """The tracker's own account, its last event."""
        for event in self._named("summary"):
            return event
        raise DemoError("trackerd: ended without a summary; demo-out/trackerd.log may show why")

    def _named(self, name: str) -> Iterator[JSON]:
        return (event for event in self.events if event["event"] == name)


def read(path: Path) -> list[JSON]:
    """The events in a file that may still be written to; none when it is not there yet."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]
