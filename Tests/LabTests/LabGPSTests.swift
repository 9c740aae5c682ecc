import Contracts
import Devices
import Foundation
import Glibc
import Hardware
import Peers
import Quantities
import Testing
import Tracking

extension InTheLab {
    @Suite("The lab's receiver", .enabled(if: LabGPS.missing.isEmpty, "not installed: \(LabGPS.missing)"))
    struct LabGPSTests {
        private static let drive = Lab.root.appendingPathComponent("Tests/DevicesTests/Fixtures/drive.nmea")

        @Test("The lab's receiver delivers the recorded drive at the present time.")
        func fixes() throws {
            let gps = try LabGPS(repeating: Self.drive, interval: .milliseconds(200))
            let fix = try #require(Self.fix(from: gps, within: .seconds(20)))
            let place = try #require(fix.coordinate)
            // This is the first position of the drive, which lasts a minute.
            let start = try #require(Coordinate(latitude: 41.66132, longitude: -91.53454))
            #expect(place.distance(to: start) < Metres(1500))
            let time = try #require(fix.time)
            let now = Timestamp(year: 1970, month: 1, day: 1) + .seconds(Int(Date().timeIntervalSince1970))
            #expect(now - time < .seconds(10))
        }

        @Test("The lab's receiver is silent without power.")
        func power() throws {
            try LabLines.pull(27, up: false)
            let gps = try LabGPS(repeating: Self.drive, power: 27, interval: .milliseconds(100))
            usleep(500_000)
            #expect(gps.epochs == 0)
            try LabLines.pull(27, up: true)
            #expect(eventually { gps.epochs > 0 })
            #expect(Self.fix(from: gps, within: .seconds(20)) != nil)
            try LabLines.pull(27, up: false)
        }

        /// Returns the first fix with a position that the daemon's own receiver gets from `gps`; nil if none arrives in time.
        private static func fix(from gps: LabGPS, within patience: Duration) -> Fix? {
            let clock = BootClock()
            let receiver = GpsdReceiver(GpsdAddress(host: "127.0.0.1", port: gps.port))
            let end = clock.now() + patience
            receiver.start(at: clock.now())
            while clock.now() < end {
                if case .read(let descriptor) = receiver.wait.interest {
                    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    poll(&entry, 1, 100)
                } else {
                    usleep(20_000)
                }
                let fixes = receiver.advance(at: clock.now()).compactMap(\.fix)
                if let fix = fixes.first(where: { $0.coordinate != nil && $0.time != nil }) { return fix }
            }
            return nil
        }
    }
}
