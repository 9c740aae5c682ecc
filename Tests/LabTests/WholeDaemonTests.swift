import Foundation
import Glibc
import Peers
import Quantities
import Testing
import Tracking

extension InVirtualTime {
    @Suite(
        "The whole daemon on its devices",
        .enabled(if: LabVehicle.missing.isEmpty, "not installed: \(LabVehicle.missing)"))
    struct WholeDaemonTests {
        private static let drive = Lab.root.appendingPathComponent("Tests/DevicesTests/Fixtures/drive.nmea")
        /// The start of the drive in Iowa; the drive lasts a minute.
        private static let start = Coordinate(latitude: 41.66132, longitude: -91.53454)

        @Test("The daemon sleeps, wakes, tracks, identifies its vehicle, arrives, delivers and sleeps again.")
        func life() throws {
            let vehicle = try LabVehicle(
                drive: Self.drive, tracking: "stopTimeout: 60, stopDuration: 0, distanceFilter: 50, beacons: true")
            try settle(vehicle)
            try rest(vehicle)
            try depart(vehicle)
            try drive(vehicle)
            try arrive(vehicle)
            try deliver(vehicle)
            try rest(vehicle)
            #expect(vehicle.daemon.end() == 0)
            #expect(!vehicle.isReceiverOn)
            #expect(try LabLines.holder(of: LabVehicle.powerLine) == nil)
        }

        @Test("While the private switch is on, a drive leaves no position on disk; positions follow when it is off.")
        func privateSwitch() throws {
            let vehicle = try LabVehicle(
                drive: Self.drive, tracking: "stopTimeout: 60, stopDuration: 0, distanceFilter: 50",
                hasPrivateSwitch: true)
            try settle(vehicle)
            #expect(try LabLines.holder(of: LabVehicle.switchLine) == "trackerd")
            try LabLines.pull(LabVehicle.switchLine, up: true)
            let began = eventually { vehicle.daemon.logged.contains("private from now on: private switch") }
            try #require(began, "\(vehicle.daemon.logged)")
            let before = try vehicle.stored().count
            vehicle.isDriving(true)
            try #require(eventually { vehicle.states.last == "moving" }, "\(vehicle.daemon.logged)")
            sleep(30)
            #expect(try vehicle.stored().dropFirst(before).allSatisfy { $0.record.position == nil })
            try LabLines.pull(LabVehicle.switchLine, up: false)
            let ended = eventually { vehicle.daemon.logged.contains("no longer private: private switch ended") }
            try #require(ended, "\(vehicle.daemon.logged)")
            let follows = eventually {
                let records = (try? vehicle.stored()) ?? []
                return records.dropFirst(before).contains { $0.record.kind == .location && $0.record.position != nil }
            }
            #expect(follows, "\(vehicle.daemon.logged)")
            #expect(vehicle.daemon.end() == 0)
        }

        /// Waits until the program has checked the position after its start and has switched the receiver off, and then a minute.
        private func settle(_ vehicle: LabVehicle) throws {
            try #require(eventually { vehicle.isReceiverOn }, "\(vehicle.daemon.logged)")
            #expect(try LabLines.holder(of: LabVehicle.powerLine) == "trackerd")
            try #require(eventually { !vehicle.isReceiverOn }, "\(vehicle.daemon.logged)")
            sleep(60)
        }

        /// Checks that the program rarely reads the chip and rarely wakes in ten minutes at rest.
        private func rest(_ vehicle: LabVehicle) throws {
            let (transfers, wakeUps) = (try LabBus.transfers(), try vehicle.daemon.wakeUps())
            vehicle.isAsleep(true)
            sleep(600)
            vehicle.isAsleep(false)
            // The program sets the chip up again every 15 minutes, which needs a few transfers.
            #expect(try LabBus.transfers() - transfers <= 20)
            #expect(try vehicle.daemon.wakeUps() - wakeUps <= 20)
            #expect(!vehicle.isReceiverOn)
        }

        /// Checks that motion wakes the program, which records the departure and supplies the receiver.
        private func depart(_ vehicle: LabVehicle) throws {
            let before = try vehicle.stored().count
            vehicle.isDriving(true)
            try #require(eventually { vehicle.states.last == "moving" }, "\(vehicle.daemon.logged)")
            #expect(vehicle.isReceiverOn)
            #expect(try LabLines.isDriven(LabVehicle.powerLine))
            #expect(try vehicle.stored().count > before)
        }

        /// Checks that the program records the receiver's positions, with the vehicle that the beacon identifies.
        private func drive(_ vehicle: LabVehicle) throws {
            try vehicle.meetBeacon()
            let named = eventually {
                let records = (try? vehicle.stored()) ?? []
                return records.contains { $0.record.kind == .location && $0.record.vehicle == "van1" }
            }
            try #require(named, "\(vehicle.daemon.logged)")
            let places = try vehicle.stored().compactMap { $0.record.position?.coordinate }
            let start = try #require(Self.start)
            #expect(places.count >= 3)
            #expect(places.allSatisfy { $0.distance(to: start) < Metres(1500) })
        }

        /// Checks that the arrival is on disk before the receiver loses its power.
        ///
        /// The receiver remains on while the database is locked for less than 5 s.
        private func arrive(_ vehicle: LabVehicle) throws {
            vehicle.isDriving(false)
            sleep(50)
            #expect(vehicle.isReceiverOn)
            #expect(vehicle.states.last == "moving")
            for _ in 0..<30 where vehicle.isReceiverOn {
                try vehicle.withoutWriting {
                    for _ in 0..<300 {
                        #expect(vehicle.isReceiverOn, "off before the arrival could be on disk")
                        usleep(10_000)
                    }
                }
                // The database is unlocked for 200 ms, which is enough for a program that retries every 100 ms.
                for _ in 0..<200 where vehicle.isReceiverOn { usleep(1000) }
            }
            #expect(!vehicle.isReceiverOn)
            #expect(try vehicle.hasArrived())
            try #require(eventually { vehicle.states.last == "stationary" }, "\(vehicle.daemon.logged)")
            let orders = vehicle.events
            let arrival = orders.lastIndex { $0["kind"] as? String == "motionchange" && $0["moving"] as? Bool == false }
            let off = orders.lastIndex { $0["power"] as? String == "off" }
            #expect(try #require(arrival) < #require(off))
        }

        private func deliver(_ vehicle: LabVehicle) throws {
            let recorded = Set(try vehicle.stored().map(\.uuid))
            #expect(eventually { vehicle.delivered.isSuperset(of: recorded) })
        }
    }
}
