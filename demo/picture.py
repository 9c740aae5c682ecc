"""Draws what arrived at the web server as one SVG: the track by speed, the stops, and when the receiver was on.

The picture brings its own background, so that it looks the same on a light and on a dark page.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from html import escape
from itertools import pairwise

from receiver import JSON
from story import Span, Story
from timeline import EPOCH

WIDTH, HEIGHT = 1000, 780
MARGIN = 40
MAP_TOP, MAP_HEIGHT = 100, 470
LEGEND_TOP = MAP_TOP + MAP_HEIGHT + 16
STRIP_TOP = 640
STRIP_LEFT, STRIP_RIGHT = 130, 870

METRES_PER_DEGREE = 111_320
#: Stops nearer than this share one mark.
SAME_PLACE_M = 50
#: From slow to fast: steps of a scale that keeps its order without colours too (viridis, its pale end left out).
COLOURS = ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39"]
INK, FAINT, PAPER, GROUND, STOP = "#22262b", "#737a83", "#ffffff", "#f4f3ef", "#c2410c"
MOVING, RECEIVER = "#1fa187", "#365c8d"


@dataclass(frozen=True)
class Point:
    """A record that arrived: where, when (seconds of the drive), how fast, and what it tells."""

    east: float
    north: float
    t: float
    speed: float
    moving: bool
    kind: str


def draw(features: list[JSON], story: Story) -> str:
    """The whole picture."""
    points = _points(features)
    distance = story.summary["distance_m"] / 1000
    title = "The drive, as it arrived at the web server"
    subtitle = f"{len(points)} locations, {distance:.2f} km, {story.summary['trips']} trips in {_clock(story.seconds)}"
    body = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="14" fill="{PAPER}" stroke="#d5d7da"/>',
        _text(MARGIN, 50, title, size=24, weight=600),
        _text(MARGIN, 76, subtitle, colour=FAINT),
        *_map(points, story),
        *_strips(story, points),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"',
            ' font-family="system-ui, \'DejaVu Sans\', sans-serif" font-size="14" role="img">',
            f"<title>{escape(title)}: {escape(subtitle)}</title>",
            *body,
            "</svg>\n",
        ]
    )


def _points(features: list[JSON]) -> list[Point]:
    """The records that have a place, once each and in their order, in metres around the first."""
    placed = {f["properties"]["sequence"]: f for f in features if f["geometry"]}
    ordered = [placed[sequence] for sequence in sorted(placed)]
    if not ordered:
        return []
    lon0, lat0 = ordered[0]["geometry"]["coordinates"][:2]
    shrink = math.cos(math.radians(lat0))
    points = []
    for feature in ordered:
        lon, lat = feature["geometry"]["coordinates"][:2]
        properties = feature["properties"]
        points.append(
            Point(
                east=(lon - lon0) * METRES_PER_DEGREE * shrink,
                north=(lat - lat0) * METRES_PER_DEGREE,
                t=(datetime.fromisoformat(properties["time"]) - EPOCH).total_seconds(),
                speed=properties.get("speed_mps") or 0.0,
                moving=properties["moving"],
                kind=properties["kind"],
            )
        )
    return points


@dataclass(frozen=True)
class Frame:
    """Metres to picture: the middle of the track is in the middle of the map."""

    east: float
    north: float
    scale: float

    @classmethod
    def around(cls, points: list[Point]) -> "Frame":
        """The largest scale at which all points are on the map, with room for marks."""
        easts = [point.east for point in points] or [0.0]
        norths = [point.north for point in points] or [0.0]
        across = max(max(easts) - min(easts), 50.0)
        up = max(max(norths) - min(norths), 50.0)
        scale = min((WIDTH - 2 * MARGIN - 180) / across, (MAP_HEIGHT - 200) / up)
        return cls((max(easts) + min(easts)) / 2, (max(norths) + min(norths)) / 2, scale)

    def place(self, point: Point) -> tuple[float, float]:
        """Where a point is in the picture."""
        x = WIDTH / 2 + (point.east - self.east) * self.scale
        y = MAP_TOP + MAP_HEIGHT / 2 - (point.north - self.north) * self.scale
        return x, y


def _map(points: list[Point], story: Story) -> Iterator[str]:
    frame = Frame.around(points)
    fastest = max([point.speed for point in points], default=0.0) or 1.0
    width = WIDTH - 2 * MARGIN
    yield f'<rect x="{MARGIN}" y="{MAP_TOP}" width="{width}" height="{MAP_HEIGHT}" rx="8" fill="{GROUND}"/>'
    yield '<g fill="none" stroke-width="5" stroke-linecap="round">'
    for one, two in pairwise(points):
        if one.moving:
            (x1, y1), (x2, y2) = frame.place(one), frame.place(two)
            colour = _colour((one.speed + two.speed) / 2 / fastest)
            yield f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}"/>'
    yield "</g>"
    yield from _stops(points, frame, story)
    yield from _scale_bar(frame.scale)
    yield from _speed_legend(fastest)


def _stops(points: list[Point], frame: Frame, story: Story) -> Iterator[str]:
    """A mark for each place where the vehicle was parked, with the times beside it."""
    places: list[tuple[Point, list[str]]] = []
    for point, begin, end in _parked(points, story.seconds):
        label = f"{_clock(begin)} – {_clock(end)}"
        for other, labels in places:
            if math.hypot(point.east - other.east, point.north - other.north) < SAME_PLACE_M:
                labels.append(label)
                break
        else:
            places.append((point, [label]))
    for point, labels in places:
        x, y = frame.place(point)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="12" fill="{STOP}" stroke="{PAPER}" stroke-width="3"/>'
        yield _text(x, y + 4.5, "P", colour=PAPER, weight=700, anchor="middle", size=13)
        # Away from the track: outwards, and not beyond the map.
        above = y < MAP_TOP + MAP_HEIGHT / 2
        first = max(y - 22 - 18 * len(labels), MAP_TOP + 24) if above else y + 32
        for line, label in enumerate(["parked", *labels]):
            yield _text(x, first + 18 * line, label, anchor="middle", halo=True, weight=600 if line == 0 else 400)


def _parked(points: list[Point], seconds: float) -> Iterator[tuple[Point, float, float]]:
    """Where the vehicle was parked, from when to when."""
    changes = [point for point in points if point.kind == "motionchange"]
    if changes and changes[0].moving:
        yield changes[0], 0.0, changes[0].t
    for change, after in pairwise([*changes, None]):
        if change and not change.moving:
            yield change, change.t, after.t if after else seconds


def _scale_bar(scale: float) -> Iterator[str]:
    length = next(m for m in (10_000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5) if m * scale < 180 or m == 5)
    x, y, width = MARGIN, LEGEND_TOP, length * scale
    yield f'<path d="M{x} {y}v6h{width:.1f}v-6" fill="none" stroke="{INK}" stroke-width="1.5"/>'
    name = f"{length // 1000} km" if length >= 1000 else f"{length} m"
    yield _text(x + width + 10, y + 8, name, size=12)


def _speed_legend(fastest: float) -> Iterator[str]:
    step, y = 26, LEGEND_TOP
    right = WIDTH - MARGIN - 70
    x = right - step * len(COLOURS)
    yield _text(x - 10, y + 8, "speed: 0", size=12, anchor="end")
    for index, colour in enumerate(COLOURS):
        yield f'<rect x="{x + step * index}" y="{y}" width="{step}" height="8" fill="{colour}"/>'
    yield _text(right + 10, y + 8, f"{fastest * 3.6:.0f} km/h", size=12)


def _strips(story: Story, points: list[Point]) -> Iterator[str]:
    """Over the time of the drive: the vehicle's state, the receiver, and each location that arrived."""
    rows = [
        ("vehicle", [span for span in story.states if span.value == "moving"], MOVING, "moving"),
        ("receiver", [span for span in story.receiver if span.value == "on"], RECEIVER, "on"),
    ]
    for row, (name, spans, colour, word) in enumerate(rows):
        y = STRIP_TOP + 34 * row
        yield _text(MARGIN, y + 16, name)
        yield f'<rect x="{STRIP_LEFT}" y="{y}" width="{STRIP_RIGHT - STRIP_LEFT}" height="22" rx="3" fill="#e4e5e2"/>'
        yield from (_bar(span, y, colour, story.seconds) for span in spans)
        part = sum(span.seconds for span in spans) / story.seconds
        yield _text(STRIP_RIGHT + 10, y + 16, f"{word} {part:.0%}", size=12, colour=FAINT)
    y = STRIP_TOP + 68
    yield _text(MARGIN, y + 12, "locations")
    marks = "".join(f"M{_x(point.t, story.seconds):.1f} {y}v14" for point in points)
    yield f'<path d="{marks}" stroke="{FAINT}" stroke-width="1"/>'
    yield from _axis(y + 24, story.seconds)


def _bar(span: Span, y: float, colour: str, seconds: float) -> str:
    x, width = _x(span.begin, seconds), max(_x(span.end, seconds) - _x(span.begin, seconds), 1)
    title = f"<title>{_clock(span.begin)} to {_clock(span.end)}: {span.value}</title>"
    return f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="22" rx="3" fill="{colour}">{title}</rect>'


def _axis(y: float, seconds: float) -> Iterator[str]:
    step = next(s for s in (60, 120, 300, 600, 1800, 3600, 7200) if seconds / s <= 12 or s == 7200)
    yield f'<path d="M{STRIP_LEFT} {y}H{STRIP_RIGHT}" stroke="{FAINT}" stroke-width="1"/>'
    for t in range(0, int(seconds) + 1, step):
        x = _x(t, seconds)
        yield f'<path d="M{x:.1f} {y}v5" stroke="{FAINT}" stroke-width="1"/>'
        yield _text(x, y + 20, _clock(t), anchor="middle", size=12, colour=FAINT)
    yield _text(MARGIN, y + 20, "minutes", size=12, colour=FAINT)


def _x(t: float, seconds: float) -> float:
    return STRIP_LEFT + (STRIP_RIGHT - STRIP_LEFT) * min(max(t / seconds, 0), 1)


def _colour(part: float) -> str:
    return COLOURS[min(int(part * len(COLOURS)), len(COLOURS) - 1)]


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"


def _text(
    x: float,
    y: float,
    text: str,
    *,
    colour: str = INK,
    size: int = 14,
    weight: int = 400,
    anchor: str = "start",
    halo: bool = False,
) -> str:
    edge = f' stroke="{GROUND}" stroke-width="4" paint-order="stroke" stroke-linejoin="round"' if halo else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" fill="{colour}"'
        f' text-anchor="{anchor}"{edge}>{escape(text)}</text>'
    )
