"""Geometry of tracks: a flat earth in metres, distances from lines, and how few points draw a track."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

#: East and north, metres.
Point = tuple[float, float]

#: WGS84.
EQUATORIAL_RADIUS_M = 6_378_137.0
FLATTENING = 1 / 298.257223563


@dataclass(frozen=True)
class Plane:
    """The plane that touches the ellipsoid at one place; 100 km away its lengths are off by a hundredth."""

    lat: float
    lon: float
    metres_per_lat: float
    metres_per_lon: float

    @classmethod
    def touching(cls, lat: float, lon: float) -> "Plane":
        """The plane at that place."""
        squared = FLATTENING * (2 - FLATTENING)
        sine = math.sin(math.radians(lat))
        vertical = EQUATORIAL_RADIUS_M / math.sqrt(1 - squared * sine**2)
        meridian = vertical * (1 - squared) / (1 - squared * sine**2)
        degree = math.pi / 180
        return cls(lat, lon, meridian * degree, vertical * math.cos(math.radians(lat)) * degree)

    def point(self, lat: float, lon: float) -> Point:
        """East and north of the place where the plane touches."""
        return (lon - self.lon) * self.metres_per_lon, (lat - self.lat) * self.metres_per_lat


def distance_on_earth(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Metres between two places that are less than some tens of kilometres apart."""
    plane = Plane.touching((lat1 + lat2) / 2, lon1)
    return math.dist(plane.point(lat1, lon1), plane.point(lat2, lon2))


def distance_from_line(point: Point, start: Point, end: Point) -> float:
    """Metres from a point to the nearest point of the straight line between two others."""
    (px, py), (sx, sy), (ex, ey) = point, start, end
    dx, dy = ex - sx, ey - sy
    squared = dx * dx + dy * dy
    share = 0.0 if squared == 0 else min(1.0, max(0.0, ((px - sx) * dx + (py - sy) * dy) / squared))
    return math.hypot(px - sx - share * dx, py - sy - share * dy)


def douglas_peucker(points: Sequence[Point], tolerance: float) -> list[int]:
    """The indices of the points that are kept so that none lies farther than `tolerance` from the line through them."""
    if len(points) < 3:
        return list(range(len(points)))
    kept = {0, len(points) - 1}
    todo = [(0, len(points) - 1)]
    while todo:
        first, last = todo.pop()
        start, end = points[first], points[last]
        worst, index = tolerance, None
        for i in range(first + 1, last):
            distance = distance_from_line(points[i], start, end)
            if distance > worst:
                worst, index = distance, i
        if index is not None:
            kept.add(index)
            todo += [(first, index), (index, last)]
    return sorted(kept)


def cross_track(track: Sequence[tuple[float, Point]], line: Sequence[tuple[float, Point]]) -> list[tuple[float, float]]:
    """Time of each point of a track, and its distance from the piece of `line` of that time; both in time order.

    Points before the first or after the last of the line have no such piece, and are left out.
    """
    result = []
    index = 0
    for t, point in track:
        while index + 2 < len(line) and line[index + 1][0] < t:
            index += 1
        if len(line) > 1 and line[index][0] <= t <= line[index + 1][0]:
            result.append((t, distance_from_line(point, line[index][1], line[index + 1][1])))
    return result


def distances_from_line(
    track: Sequence[tuple[float, Point]], line: Sequence[tuple[float, Point]]
) -> list[tuple[float, float]]:
    """Like `cross_track`, but no point is left out: those before and after the line count from its end pieces."""
    if len(line) < 2:
        return [(t, math.dist(point, line[0][1])) for t, point in track] if line else []
    (first, second), (last_but_one, last) = line[:2], line[-2:]
    before = [(t, distance_from_line(point, first[1], second[1])) for t, point in track if t < first[0]]
    after = [(t, distance_from_line(point, last_but_one[1], last[1])) for t, point in track if t > last[0]]
    return before + cross_track(track, line) + after
