//  Readings of a chip that is installed in a car. `examples/data/full_drive_1768835157882579625` of
//  <https://github.com/TaeZStkyoht/vehicle-imu-frame-alignment>, MIT License, Copyright (c) 2026 Oğuzhan Türk:
//
//  Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
//  files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
//  modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
//  Software is furnished to do so, subject to the following conditions:
//
//  The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
//  Software.
//
//  THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
//  WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
//  COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
//  ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

import Motion
import Quantities

/// Four seconds at 10 Hz in a car that stands with its engine on, with one knock on the chip.
enum RecordedKnock {
    static var samples: [(sample: AccelerationSample, at: Instant)] {
        table.map { (AccelerationSample(x: $0.x, y: $0.y, z: $0.z), Instant(seconds: $0.second)) }
    }

    private static let table: [(second: Double, x: Double, y: Double, z: Double)] = [
        (0.000, -0.1293, 0.091, -9.8832),
        (0.101, -0.1437, 0.1293, -9.8593),
        (0.203, -0.1437, 0.0814, -9.8593),
        (0.308, -0.1101, 0.1006, -9.8832),
        (0.407, -0.1437, 0.1245, -9.8402),
        (0.504, -0.1149, 0.1006, -9.8641),
        (0.603, -0.1293, 0.067, -9.8784),
        (0.708, -0.1484, 0.1197, -9.8354),
        (0.802, -0.1772, 0.0575, -9.888),
        (0.904, -0.249, 0.0766, -9.8689),
        (1.003, -0.1101, 0.1101, -9.8977),
        (1.104, -0.0862, 0.1101, -9.8115),
        (1.205, -0.2251, 0.0814, -9.8784),
        (1.306, -0.1676, 0.1006, -9.8784),
        (1.408, 0.0048, 0.0575, -9.7731),
        (1.508, -0.2586, 0.0958, -9.9168),
        (1.609, -0.0766, 0.0622, -9.8115),
        (1.700, -0.1437, 0.0814, -9.8641),
        (1.800, -0.1484, 0.0766, -9.8929),
        (1.907, -0.1676, 0.1101, -9.8258),
        (2.001, -0.182, 0.1197, -9.9168),
        (2.102, -0.1628, 0.0766, -9.845),
        (2.207, 13.7715, 1.4126, -6.9623),
        (2.306, 6.5601, 1.6424, -8.7963),
        (2.410, 0.1101, 0.2777, -9.8163),
        (2.511, -0.3496, 0.3112, -9.8354),
        (2.603, -0.1101, 0.3591, -9.8402),
        (2.702, -0.1915, 0.3256, -9.8929),
        (2.810, -0.158, 0.249, -9.8593),
        (2.904, -0.1724, 0.2538, -9.8354),
        (3.010, -0.182, 0.316, -9.8354),
        (3.111, -0.2155, 0.2921, -9.8737),
        (3.212, -0.2203, 0.2107, -9.8545),
        (3.303, -0.2059, 0.2969, -9.9025),
        (3.404, -0.2107, 0.34, -9.8593),
        (3.504, -0.2155, 0.249, -9.8689),
        (3.601, -0.2203, 0.2634, -9.8737),
        (3.709, -0.1915, 0.3304, -9.8641),
    ]
}
