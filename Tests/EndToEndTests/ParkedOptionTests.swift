import Foundation
import Peers
import Quantities
import Testing
import Tracking

@Suite("Options of a parked vehicle, in the running program")
struct ParkedOptionTests {
    /// A vehicle that stands for two hours; `isVisible` means that its receiver reports fixes.
    private static func standing(isVisible: Bool = true, at metres: Double = 0) -> SyntheticDrive {
        var drive = SyntheticDrive()
        drive.move(metres: metres)
        drive.accuracy_m = isVisible ? 4 : nil
        drive.stand(7200)
        return drive
    }

    @Test(
        "The status reports the last known location without the receiver, also after a restart, unless that is forbidden.",
        arguments: [
            ("{}", true), ("{trackLastKnownLocation: false}", false),
            ("{geoManager: {shouldTrackLastKnownLocation: false, timeInterval: 1800}}", false),
        ])
    func lastKnownLocation(tracking: String, isReported: Bool) throws {
        let vehicle = try Vehicle(tracking: tracking, drive: Self.standing())
        var daemon = try vehicle.start(speed: 20)
        #expect(eventually { hasLocated(vehicle) }, "\(daemon.logged)")
        try expectLocation(of: vehicle, isReported)
        daemon.kill()
        // After the restart, the receiver reports nothing.
        try vehicle.change(to: Self.standing(isVisible: false))
        daemon = try vehicle.start(speed: 20)
        #expect(eventually { daemon.logged.components(separatedBy: "Started; ").count == 3 })
        try expectLocation(of: vehicle, isReported)
        #expect(daemon.endInTime() == 0)
    }

    private func expectLocation(of vehicle: Vehicle, _ isReported: Bool) throws {
        let location = try vehicle.status()["location"] as? [String: Any]
        #expect(location?["lat"] as? Double == (isReported ? 52.52 : nil))
        #expect(try vehicle.run("status").text.contains("52.52") == isReported)
    }

    @Test("A request fails after `fixTimeout` with a reason, and the failure is recorded with the action.")
    func failedRequest() throws {
        let vehicle = try Vehicle(tracking: "{fixTimeout: 20}", drive: Self.standing(isVisible: false))
        let daemon = try vehicle.start(speed: 20)
        #expect(eventually { daemon.logged.contains("Started; ") })
        let (text, errors, status) = try vehicle.run("locate", "--action-type", "ButtonClick", "--action-id", "123")
        #expect(text.isEmpty && status != 0)
        #expect(errors.contains("no fix in time. Give the antenna a clear view of the sky, or raise `fixTimeout`."))
        #expect(daemon.endInTime() == 0)
        let answers = vehicle.stored.compactMap { stored -> RequestAnswer? in
            if case .request(let answer) = stored.record.content { answer } else { nil }
        }
        #expect(answers.map(\.action) == [ActionParameters(actionType: "ButtonClick", actionId: "123")])
        #expect(answers.map(\.failure) == ["no fix in time"])
        #expect(answers.allSatisfy { $0.took >= .seconds(20) })
    }

    @Test(
        "A fix of a request is also a track point, at most once in `fastestStoppedUpdateInterval`.",
        arguments: [
            ("{fastestStoppedUpdateInterval: 1}", true), ("{fastestStoppedUpdateInterval: 2h}", false), ("{}", false),
            ("{usePassiveFixes: true}", true),
            ("{radar: {platform: android, fastestStoppedUpdateInterval: 1}}", true),
            ("{radar: {platform: android, fastestStoppedUpdateInterval: 7200}}", false),
            ("{ownTracks: {platform: android, monitoring: 1}}", true),
        ])
    func passiveFixes(tracking: String, isPoint: Bool) throws {
        let vehicle = try Vehicle(tracking: tracking, drive: Self.standing())
        let daemon = try vehicle.start(speed: 20)
        #expect(eventually { hasLocated(vehicle) }, "\(daemon.logged)")
        for _ in 0..<2 {
            #expect(try vehicle.run("locate").status == 0)
            #expect(eventually { hasLocated(vehicle) })
        }
        #expect(daemon.endInTime() == 0)
        let records = vehicle.everything.map(\.record)
        #expect(records.count { $0.kind == .request } == 2)
        let times = records.filter { $0.kind == .location }.map(\.time)
        // The receiver stays on for a moment after its fix. On a busy computer it may then deliver further fixes.
        #expect(isPoint ? times.count >= 2 : times.isEmpty, "\(times)")
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(900) }, "\(times)")
    }

    @Test(
        "The status reports whether the schedule allows tracking now, and always yes without a schedule.",
        arguments: [
            ("{}", true), ("{trckr: {}}", true), ("{trckr: {trackingSchedule: \"* 10-20 * * *\"}}", false),
            ("{trckr: {trackingSchedule: \"* 0-9 * * *\"}}", true),
        ])
    func withinSchedule(tracking: String, isWithin: Bool) throws {
        // The simulation begins at midnight.
        let vehicle = try Vehicle(tracking: tracking, more: ["timeZone: UTC"], drive: Self.standing())
        let daemon = try vehicle.start(speed: 1)
        #expect(eventually { daemon.logged.contains("Started; ") })
        let status = try vehicle.status()
        #expect((status["schedule"] as? [String: Any])?["isWithinSchedule"] as? Bool == isWithin)
        #expect(status["tracking"] as? String == (isWithin ? "on" : "outside schedule"))
        #expect(daemon.endInTime() == 0)
    }

    @Test(
        "A vehicle that was moved while trackerd did not run departs at the start if it is beyond `stationaryRadius`.",
        arguments: [("{stationaryRadius: 150}", true), ("{transistor: {stationaryRadius: 250}}", false)])
    func movedMeanwhile(tracking: String, departs: Bool) throws {
        let vehicle = try Vehicle(tracking: tracking, drive: Self.standing())
        let began = ["--began", "\(Date().timeIntervalSince1970)"]
        var daemon = try vehicle.start(speed: 20, began)
        #expect(eventually { hasLocated(vehicle) })
        daemon.kill()
        let before = vehicle.stored.count
        try vehicle.change(to: Self.standing(at: 200))
        daemon = try vehicle.start(speed: 20, began)
        #expect(eventually { daemon.logged.components(separatedBy: "Started; ").count == 3 })
        if departs {
            #expect(eventually { daemon.logged.contains("Departed: ") }, "\(daemon.logged)")
        } else {
            #expect(eventually { hasLocated(vehicle) })
        }
        #expect(daemon.endInTime() == 0)
        let changes = vehicle.stored.dropFirst(before).filter { $0.record.kind == .motionchange }
        #expect(changes.contains { $0.record.isMoving } == departs)
    }

    /// Returns whether the program has accepted a fix and has switched the receiver off.
    private func hasLocated(_ vehicle: Vehicle) -> Bool {
        guard let status = try? vehicle.status(), let receiver = status["receiver"] as? [String: Any] else {
            return false
        }
        return status["fix"] != nil && receiver["on"] as? Bool == false
    }
}
