import Foundation
import Peers
import Store
import Testing
import Tracking

@Suite("Options that limit the age of records")
struct RetentionOptionTests {
    @Test(
        "The running program removes records that are older than `maxDaysToPersist`.",
        arguments: [
            ("{maxDaysToPersist: 30}", true), ("{maxDaysToPersist: 100}", false), ("{}", false),
            ("{transistor: {maxDaysToPersist: 30}}", true), ("{transistor: {maxDaysToPersist: -1}}", false),
        ])
    func days(tracking: String, isRemoved: Bool) throws {
        // The records of the database are 67 days old when the drive begins, on the first day of 2026.
        let samples = try TripSamples()
        var drive = SyntheticDrive()
        drive.stand(3600)
        try samples.scratch.write(drive.csv, to: "drive.csv")
        try samples.scratch.write(
            """
            device: van1
            store: {path: "\(samples.database)", commitInterval: 0}
            control: {socket: "\(samples.scratch.path)/control.sock"}
            tracking: \(tracking)
            """, to: "config.yaml")
        let daemon = try Daemon(
            [
                "run", "--board", "sim", "--drive", samples.scratch.path + "/drive.csv", "--speed", "20", "--config",
                samples.config,
            ], log: URL(fileURLWithPath: samples.scratch.path + "/log"))
        #expect(eventually { daemon.logged.contains("Started; ") })
        // A commit removes records, but only after fixes have confirmed the time.
        #expect(
            eventually {
                _ = try? Daemon.output(["locate", "--config", samples.config])
                return isRemoved ? sequences(samples).first ?? 0 > 20 : sequences(samples).count > 25
            }, "\(sequences(samples))")
        #expect(daemon.endInTime() == 0)
        #expect(sequences(samples).contains(1) != isRemoved)
    }

    private func sequences(_ samples: TripSamples) -> [Int64] {
        let table = try? DeliveryTable(path: samples.database)
        return ((try? table?.oldest(awaiting: "nobody", limit: 1000, excluding: [])) ?? []).map(\.sequence)
    }
}
