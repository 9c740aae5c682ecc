import Devices
import Foundation
import Glibc
import Hardware
import Quantities
import Testing
import Tracking

extension InTheLab {
    @Suite(
        "A receiver with a switched supply", .enabled(if: LabGPS.missing.isEmpty, "not installed: \(LabGPS.missing)"))
    struct GPSPowerTests {
        private static let drive = Lab.root.appendingPathComponent("Tests/DevicesTests/Fixtures/drive.nmea")
        private let clock = BootClock()

        private static func line(_ number: Int) -> LineReference {
            LineReference(chip: LabLines.chip, line: .name("GPIO\(number)"))
        }

        private func make(_ gps: LabGPS) -> PoweredReceiver {
            let wiring = ReceiverPowerWiring(
                kind: .rail(Self.line(27)), powerUpTime: .milliseconds(300), transmit: Self.line(14),
                gpsdControl: gps.control)
            let address = GpsdAddress(host: "127.0.0.1", port: gps.port, device: gps.device)
            return PoweredReceiver(GpsdReceiver(address), wiring, device: gps.device, on: GPIOLines())
        }

        @Test("A receiver delivers fixes while it is on; while off, it has no supply, and gpsd does not use it.")
        func cycle() throws {
            try LabLines.pull(27, up: false)
            let gps = try LabGPS(repeating: Self.drive, power: 27, interval: .milliseconds(200))
            let receiver = make(gps)
            run(receiver, for: .seconds(3)) { _ in receiver.isAtRest }
            #expect(try !LabLines.isHigh(27))
            #expect(try LabLines.isDriven(27))
            #expect(try LabLines.holder(of: 14) == "trackerd" && !LabLines.isDriven(14))

            for _ in 1...3 {
                receiver.start(at: clock.now())
                #expect(try LabLines.isHigh(27))
                #expect(run(receiver, for: .seconds(20)) { $0.contains { $0.isFixWithPlace } })
                #expect(try LabLines.holder(of: 14) == nil)
                #expect(receiver.fault == nil)
                receiver.stop(at: clock.now())
                #expect(run(receiver, for: .seconds(3)) { _ in receiver.isAtRest })
                #expect(try !LabLines.isHigh(27))
                #expect(try LabLines.holder(of: 14) == "trackerd" && !LabLines.isDriven(14))
                #expect(!isOpenElsewhere(gps.device))
            }
        }

        @Test("A closed receiver is off, and its lines are inputs.")
        func end() throws {
            let gps = try LabGPS(repeating: Self.drive, power: 27, interval: .milliseconds(200))
            let receiver = make(gps)
            receiver.start(at: clock.now())
            #expect(run(receiver, for: .seconds(20)) { $0.contains { $0.isFixWithPlace } })
            try LabLines.pull(27, up: false)
            let before = clock.now()
            receiver.close(at: before, by: before + .seconds(1))
            #expect(clock.now() - before < .seconds(2))
            #expect(try LabLines.holder(of: 27) == nil && LabLines.holder(of: 14) == nil)
            #expect(try !LabLines.isHigh(27))
            #expect(!isOpenElsewhere(gps.device))
        }

        /// Waits as the daemon's loop does; returns whether the condition became true for the events so far.
        @discardableResult
        private func run(_ source: any EventSource, for span: Duration, until isSo: ([Event]) -> Bool) -> Bool {
            var events: [Event] = []
            let end = clock.now() + span
            while clock.now() < end {
                let wait = source.wait
                let left = min(wait.deadline ?? end, end) - clock.now()
                var entry = pollfd(fd: -1, events: Int16(POLLIN), revents: 0)
                if case .read(let descriptor) = wait.interest { entry.fd = descriptor }
                poll(&entry, 1, Int32(min(100, max(0, left.inSeconds * 1000).rounded(.up))))
                events += source.advance(at: clock.now())
                if isSo(events) { return true }
            }
            return false
        }

        /// Returns whether a process other than this one has the device open; that process is gpsd.
        ///
        /// This process always has the device open, because it runs the receiver's feeder.
        private func isOpenElsewhere(_ device: String) -> Bool {
            let own = "/proc/\(getpid())"
            let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return processes.filter { Int($0) != nil }.map { "/proc/\($0)" }.contains { process in
                guard process != own else { return false }
                let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "\(process)/fd")) ?? []
                return descriptors.contains {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/fd/\($0)")) == device
                }
            }
        }
    }
}

extension Event {
    fileprivate var isFixWithPlace: Bool {
        guard case .fix(let fix) = self else { return false }
        return fix.coordinate != nil
    }
}
