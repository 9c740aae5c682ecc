"""Compares what was recorded with what arrived, and puts it into words."""

from dataclasses import dataclass

from receiver import JSON
from story import Story


#: The kinds of records about a part of the tracker.
PARTS = ("providerchange", "health", "optionschange", "order")


@dataclass(frozen=True)
class Arrival:
    """What a target got of what it should get; each record counts once, however often it was sent."""

    target: str
    expected: int
    distinct: int
    repeated: int

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing."""
        return self.distinct == self.expected

    def __str__(self) -> str:
        mark = "✓ all" if self.is_complete else f"✗ {self.expected - self.distinct} missing"
        again = f", {self.repeated} of them more than once" if self.repeated else ""
        return f"{self.distinct:5} of {self.expected}  {mark}{again}"


def arrivals(story: Story, messages: list[JSON], features: list[JSON], published: list[JSON]) -> list[Arrival]:
    """The account of each of the demo's three targets."""
    # That of the end itself is written when nothing is sent any more; it goes with the next start.
    records = [record for record in story.records if record.get("payload") != {"change": "shutdown"}]
    every = {str(record["sequence"]) for record in records}
    # OwnTracks has no location for a record without a place, or about a part of the tracker.
    placed = sum(1 for record in records if record.get("lat") is not None and record["kind"] not in PARTS)
    got = [str(feature["properties"]["sequence"]) for feature in features]
    return [
        _owntracks("OwnTracks over HTTP", placed, messages),
        Arrival("GeoJSON over HTTP", len(every), len(every & set(got)), len(got) - len(set(got))),
        _owntracks("OwnTracks over MQTT", placed, published),
    ]


def _owntracks(target: str, expected: int, messages: list[JSON]) -> Arrival:
    got = [message["_id"] for message in messages if message.get("_type") == "location"]
    return Arrival(target, expected, len(set(got)), len(got) - len(set(got)))


def report(story: Story, results: list[Arrival]) -> str:
    """What the user reads at the end."""
    summary = story.summary
    seconds = story.seconds
    refused = ", ".join(f"{count} × {reason}" for reason, count in summary.get("refused", {}).items())
    lines = [
        ("trips", f"{summary['trips']}"),
        ("stops", f"{summary['stops']}"),
        ("distance", f"{summary['distance_m'] / 1000:.2f} km"),
        ("moving", f"{clock(summary['moving_s'])} of {clock(seconds)}{share(summary['moving_s'], seconds)}"),
        ("receiver on", f"{clock(summary['receiver_on_s'])}{share(summary['receiver_on_s'], seconds)}"),
        ("records written", f"{summary['records']:5}"),
        *((f"  {arrival.target}", str(arrival)) for arrival in results),
        ("fixes refused", refused or "none"),
    ]
    return "\n".join(f"  {name:<24}{value}" for name, value in lines)


def clock(seconds: float) -> str:
    """Minutes and seconds, such as 4:07."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d} min"


def share(part: float, whole: float) -> str:
    """A part in per cent, for the end of a line."""
    return f" ({part / whole:.0%})" if whole else ""
