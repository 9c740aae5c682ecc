import Quantities
import Testing
import Tracking

@Suite("The distance that a weaker signal means")
struct PathLossTests {
    @Test(
        "The distance of a beacon follows the logarithm of the path loss.",
        arguments: [
            (decibels: -9.0, exponent: 2.0, metres: 0.35), (0, 2, 1), (6, 2, 2.00), (16, 2, 6.31), (31, 2, 35.5),
            (-9, 2.5, 0.44), (0, 2.5, 1), (11, 2.5, 2.75), (16, 2.5, 4.37), (31, 2.5, 17.4), (-9, 3, 0.50),
            (21, 3, 5.01), (31, 3, 10.8),
        ])
    func table(decibels: Double, exponent: Double, metres: Double) {
        let distance = Metres(pathLoss: decibels, exponent: exponent)
        #expect((distance.value / metres - 1).magnitude < 0.02)
    }
}
