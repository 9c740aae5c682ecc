"""Geometry: known distances, and a polyline whose needed points are known."""

import unittest

from geometry import Plane, cross_track, distance_from_line, distance_on_earth, douglas_peucker


class GeometryTests(unittest.TestCase):
    """Distances and the points of a line that count."""

    def test_a_degree_of_latitude_and_of_longitude_have_their_length(self) -> None:
        self.assertAlmostEqual(distance_on_earth(49.5, 7.0, 50.5, 7.0), 111_229, delta=5)
        self.assertAlmostEqual(Plane.touching(50.0, 7.0).metres_per_lon, 71_696, delta=2)

    def test_beyond_the_end_of_a_line_its_end_is_nearest(self) -> None:
        self.assertEqual(distance_from_line((5, 3), (0, 0), (10, 0)), 3)
        self.assertEqual(distance_from_line((13, 4), (0, 0), (10, 0)), 5)
        self.assertEqual(distance_from_line((3, 4), (0, 0), (0, 0)), 5)

    def test_douglas_peucker_keeps_the_corners(self) -> None:
        corner = [(0, 0), (50, 2), (100, 0), (101, 50), (100, 100)]
        self.assertEqual(douglas_peucker(corner, 10), [0, 2, 4])
        self.assertEqual(douglas_peucker(corner, 1.5), [0, 1, 2, 4])
        self.assertEqual(douglas_peucker(corner, 0.5), [0, 1, 2, 3, 4])
        self.assertEqual(douglas_peucker(corner[:2], 10), [0, 1])

    def test_a_point_is_compared_with_the_line_of_its_time(self) -> None:
        # There and back on parallel ways: the way back is not near the way there.
        line = [(0.0, (0.0, 0.0)), (10.0, (100.0, 0.0)), (20.0, (100.0, 30.0)), (30.0, (0.0, 30.0))]
        track = [(5.0, (50.0, 4.0)), (25.0, (50.0, 4.0)), (31.0, (0.0, 0.0))]
        self.assertEqual(cross_track(track, line), [(5.0, 4.0), (25.0, 26.0)])
