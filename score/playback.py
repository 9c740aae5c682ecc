"""Runs `trackerd replay` on a drive, and reads what it writes."""

import json
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from geometry import Point
from recording import Drive

#: CSV drives begin at this moment (docs/replay.md).
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


class ReplayError(Exception):
    """A replay that ended with an error; the text is what it said."""


@dataclass(frozen=True)
class Record:
    """A record: when it was written, which moment it describes, where that is; `lat` is None without a place."""

    written: float
    t: float
    kind: str
    lat: float | None
    lon: float | None
    at: Point | None
    odometer: float


@dataclass(frozen=True)
class Stay:
    """A stretch of time in one state, and why it began."""

    begin: float
    end: float
    reason: str
    #: The record that was written at the change of state, and whether the stretch ends with the recording.
    record: Record | None
    is_open: bool = False


@dataclass
class Run:
    """What trackerd did with a drive."""

    drive: Drive
    records: list[Record] = field(default_factory=list)
    moving: list[Stay] = field(default_factory=list)
    #: From the confirmation of each stop; the first stretch, before any trip, is not among them.
    stationary: list[Stay] = field(default_factory=list)
    receiver: list[tuple[float, float]] = field(default_factory=list)
    #: When a fix was refused, and why.
    refused: list[tuple[float, str]] = field(default_factory=list)
    summary: dict[str, Any] = field(default_factory=dict)

    @property
    def receiver_seconds(self) -> float:
        """How long the receiver was on."""
        return sum(end - begin for begin, end in self.receiver)


def play(trackerd: Path, drive: Drive, *options: str) -> Run:
    """Replays the drive with the profile `vehicle`, unless the options differ."""
    command = [str(trackerd), "replay", str(drive.path), *(options or ("--profile", "vehicle"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ReplayError(f"{drive.name}: trackerd replay ended with {done.returncode}: {done.stderr.strip()}")
    return read(drive, [json.loads(line) for line in done.stdout.splitlines()])


def read(drive: Drive, events: list[dict[str, Any]]) -> Run:
    """Puts the events of a replay in order."""
    run = Run(drive)
    state: tuple[str, float] | None = None
    reason, receiver_from = "", None

    def close(t: float, *, is_open: bool) -> None:
        if state:
            (name, begin), changes = state, [r for r in run.records if r.kind == "motionchange"]
            record = next((r for r in changes if r.written == begin), None)
            if name == "moving":
                # A trip after an unseen move begins where the vehicle was found.
                record = next((r for r in reversed(changes) if begin <= r.written < t), record)
            (run.moving if name == "moving" else run.stationary).append(Stay(begin, t, reason, record, is_open))

    for event in events:
        t = event.get("t", drive.seconds)
        match event["event"]:
            case "record":
                run.records.append(_record(drive, event))
            case "state":
                close(t, is_open=False)
                state, reason = (event["state"], t), ""
            case "decision" if event["subject"] in ("start", "stop") and not reason:
                reason = event["text"]
            case "receiver" if event["power"] == "on":
                receiver_from = t if receiver_from is None else receiver_from
            case "receiver":
                run.receiver.append((receiver_from or 0.0, t))
                receiver_from = None
            case "refused":
                run.refused.append((t, event["reason"]))
            case "summary":
                run.summary = event
    close(drive.seconds, is_open=True)
    if receiver_from is not None:
        run.receiver.append((receiver_from, drive.seconds))
    return run


def _record(drive: Drive, event: dict[str, Any]) -> Record:
    lat, lon = event.get("lat"), event.get("lon")
    at = drive.plane.point(lat, lon) if drive.plane and lat is not None and lon is not None else None
    t = (datetime.fromisoformat(event["time"]) - EPOCH).total_seconds()
    return Record(event["t"], t, event["kind"], lat, lon, at, event["odometer_m"])
