import ArgumentParser
import Calendar
import Compatibility
import Configuration
import Control
import Glibc
import Quantities
import Store

struct TripsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips", abstract: "Lists the recorded trips, shows or names one of them, or deletes its records.",
        discussion:
            "`list` and `show` read the database, even while the daemon is running. `trackerd trip` starts and ends a trip by hand.",
        subcommands: [List.self, Show.self, NameTripCommand.self, PurgeTripCommand.self], defaultSubcommand: List.self)

    struct PrintOptions: ParsableArguments {
        @Flag(help: "Write one JSON object.")
        var json = false

        @Flag(help: "Show times in UTC.")
        var utc = false

        func clock(_ zone: TimeZoneRules) -> ZoneClock { ZoneClock(zone: utc ? .utc : zone) }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the trips, the newest last.")

        @OptionGroup var limits: SpanOptions

        @OptionGroup var printing: PrintOptions

        @OptionGroup var store: DatabaseOptions

        func run() throws {
            let source = try store.source()
            let span = try limits.span(in: source.zone)
            let trips = try History(path: source.path).trips().filter { trip in
                (span.from.map { trip.began >= $0 } ?? true) && (span.to.map { trip.began <= $0 } ?? true)
            }
            let clock = printing.clock(source.zone)
            try LineWriter.write(
                ControlTrips(trips), asJSON: printing.json, orLines: TripsText(clock: clock).list(trips))
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows one trip.")

        @Argument(help: "The number of the trip, its name, or the ID that you set with `trackerd trip start`.")
        var trip: String

        @OptionGroup var printing: PrintOptions

        @OptionGroup var store: DatabaseOptions

        func run() throws {
            let source = try store.source()
            guard let found = try History(path: source.path).trip(trip) else { throw CommandError.unknownTrip(trip) }
            let clock = printing.clock(source.zone)
            try LineWriter.write(
                TripAnswer(found), asJSON: printing.json, orLines: TripsText(clock: clock).show(found))
        }
    }
}

struct NameTripCommand: ParsableCommand {
    static let configuration = CommandConfiguration(for: NameTripRequest.self)

    @Argument(help: .key(NameTripRequest.tripKey))
    var trip: Int

    @Argument(help: .key(NameTripRequest.nameKey))
    var name: String

    @OptionGroup var control: ControlOptions

    func validate() throws {
        if let fault = name.nameFault {
            throw ValidationError("The name \(fault). Write one short line of plain text.")
        }
    }

    func run() throws {
        let values: KeyValuePairs<ControlKey, (any CustomStringConvertible)?> = [
            NameTripRequest.tripKey: trip, NameTripRequest.nameKey: name,
        ]
        try control.report(NameTripRequest.self, .given(values), lines: { [$0.text] }) { configuration in
            try configuration.withTripDesk { try $0.name(trip, name) }
        }
    }
}

struct PurgeTripCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        for: PurgeTripRequest.self,
        discussion: """
            The command deletes the records that `trackerd export --trip` exports. Servers, backups and exported files keep \
            their copies, and the odometer does not change.
            """)

    /// Leaves the daemon time for its devices between two requests.
    private static let pause_us: UInt32 = 25_000

    @Argument(help: .key(PurgeTripRequest.tripKey))
    var trip: Int

    @Flag(help: "Confirm that the command may delete the records permanently.")
    var yes = false

    @Flag(help: "Also delete records that wait for a target.")
    var undelivered = false

    @OptionGroup var control: ControlOptions

    func validate() throws {
        guard yes else {
            throw ValidationError(
                "This command deletes the records of trip \(trip) permanently. `trackerd trips show \(trip)` shows the trip; to delete it, add --yes."
            )
        }
    }

    func run() throws {
        var removed = 0
        var after: Int64?
        repeat {
            if after != nil { usleep(Self.pause_us) }
            let step = try purge(after: after)
            removed += step.removed
            after = step.after
        } while after != nil
        let result = ControlPurge(removed: removed, after: nil)
        try control.report(result) { ["Trip \(trip) is deleted. Number of deleted records: \($0.removed)."] }
    }

    private func purge(after: Int64?) throws -> ControlPurge {
        let values: KeyValuePairs<ControlKey, (any CustomStringConvertible)?> = [
            PurgeTripRequest.tripKey: trip, PurgeTripRequest.undeliveredKey: undelivered,
            PurgeTripRequest.afterKey: after,
        ]
        return try control.ask(PurgeTripRequest.self, .given(values)) { configuration in
            try configuration.withTripDesk { try $0.purge(trip, undelivered, after) }
        }
    }
}

extension Configuration {
    /// Throws if a daemon uses the database.
    fileprivate func withTripDesk<Answer>(_ body: (TripDesk) throws -> Answer) throws -> Answer {
        let lock = try QueueLock(path: storePath)
        defer { withExtendedLifetime(lock) {} }
        let table = try TripTable(path: storePath)
        defer { table.close() }
        return try body(TripDesk(table, targets: targetNames))
    }
}
