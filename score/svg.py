"""Pieces of a picture: axes with units, lines, marks, bands; light ground, so that it looks the same on every page."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

INK, FAINT, GRID, PAPER, GROUND = "#22262b", "#6b727a", "#d9dad6", "#ffffff", "#f6f5f1"
BLUE, ORANGE, GREEN, RED, VIOLET = "#2563a8", "#c2610c", "#2e8b57", "#b91c1c", "#6d4aa8"

Pair = tuple[float, float]


@dataclass(frozen=True)
class Axes:
    """A rectangle of the picture and what its edges mean."""

    left: float
    top: float
    width: float
    height: float
    x: Pair
    y: Pair

    def at(self, x: float, y: float) -> Pair:
        """Where a value lies in the picture."""
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return self.left + across * self.width, self.top + (1 - up) * self.height

    def frame(self, x_label: str, y_label: str, *, x_numbers: bool = True) -> list[str]:
        """Ground, grid, numbers and labels."""
        bottom = self.top + self.height
        parts = [f'<rect x="{self.left}" y="{self.top}" width="{self.width}" height="{self.height}" fill="{GROUND}"/>']
        for value in ticks(*self.x, self.width / 90):
            x = self.at(value, self.y[0])[0]
            parts.append(f'<path d="M{x:.1f} {self.top}V{bottom}" stroke="{GRID}"/>')
            if x_numbers:
                parts.append(text(x, bottom + 16, number(value), size=11, colour=FAINT, anchor="middle"))
        for value in ticks(*self.y, self.height / 45):
            y = self.at(self.x[0], value)[1]
            parts.append(f'<path d="M{self.left} {y:.1f}h{self.width}" stroke="{GRID}"/>')
            parts.append(text(self.left - 6, y + 4, number(value), size=11, colour=FAINT, anchor="end"))
        if x_label:
            parts.append(text(self.left + self.width / 2, bottom + 33, x_label, size=12, anchor="middle"))
        middle = self.top + self.height / 2
        turned = f"rotate(-90 {self.left - 62:.1f} {middle:.1f})"
        parts.append(text(self.left - 62, middle, y_label, size=12, anchor="middle", transform=turned))
        return parts

    def line(self, points: Sequence[Pair], colour: str, *, width: float = 1.5, dash: str = "") -> str:
        """A line through the points."""
        if len(points) < 2:
            return ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.at(*point) for point in points))
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashes}/>'

    def dots(self, points: Iterable[Pair], colour: str, radius: float, *, hollow: bool = False) -> str:
        """A dot at each point."""
        paint = f'fill="none" stroke="{colour}" stroke-width="1.6"' if hollow else f'fill="{colour}"'
        places = (self.at(*point) for point in points)
        marks = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/>' for x, y in places)
        return f"<g {paint}>{marks}</g>"

    def band(self, begin: float, end: float, colour: str, opacity: float = 1.0) -> str:
        """A stretch of the x axis, over the whole height."""
        first, last = max(begin, self.x[0]), min(end, self.x[1])
        if last <= first:
            return ""
        x, x2 = self.at(first, 0)[0], self.at(last, 0)[0]
        size = f'x="{x:.1f}" y="{self.top}" width="{max(x2 - x, 0.7):.1f}" height="{self.height}"'
        return f'<rect {size} fill="{colour}" opacity="{opacity}"/>'


def ticks(low: float, high: float, about: float) -> list[float]:
    """Round numbers between two bounds, about so many."""
    rough = (high - low) / max(about, 1)
    power = 10 ** math.floor(math.log10(rough)) if rough > 0 else 1
    step = next(s * power for s in (1, 2, 5, 10) if s * power >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [index * step for index in range(first, math.floor(high / step + 1e-9) + 1)]


def number(value: float) -> str:
    """A number without needless digits."""
    return f"{value:.6g}".replace("-", "−")


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: int = 13,
    colour: str = INK,
    anchor: str = "start",
    weight: int = 400,
    transform: str = "",
) -> str:
    """Words at a place."""
    turned = f' transform="{transform}"' if transform else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" fill="{colour}"'
        f' text-anchor="{anchor}"{turned}>{escape(words)}</text>'
    )


def legend(x: float, y: float, entries: Sequence[tuple[str, str, str]]) -> list[str]:
    """Marks and what they mean, side by side: kind (`line`, `dot`, `ring`, `band`), colour, words."""
    parts = []
    for kind, colour, words in entries:
        match kind:
            case "line":
                parts.append(f'<path d="M{x} {y - 4}h22" stroke="{colour}" stroke-width="2.5"/>')
            case "dot":
                parts.append(f'<circle cx="{x + 11}" cy="{y - 4}" r="3.5" fill="{colour}"/>')
            case "ring":
                parts.append(
                    f'<circle cx="{x + 11}" cy="{y - 4}" r="5" fill="none" stroke="{colour}" stroke-width="2"/>'
                )
            case _:
                parts.append(f'<rect x="{x}" y="{y - 10}" width="22" height="12" fill="{colour}"/>')
        parts.append(text(x + 28, y, words, size=12))
        x += 28 + 6.6 * len(words) + 22
    return parts


def picture(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """The whole file."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' font-family="\'DejaVu Sans\', sans-serif" role="img">'
    )
    ground = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", ground, *filter(None, parts), "</svg>\n"])
