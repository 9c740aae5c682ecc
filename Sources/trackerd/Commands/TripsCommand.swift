import Control
import ArgumentParser
import Calendar
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

        func print(_ answer: some Encodable, lines: [String]) throws {
            let writer = try LineWriter(nil)
            if json { writer.write(answer) } else { writer.write(foreign: lines) }
            try writer.finish()
        }

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
            try printing.print(ControlTrips(trips), lines: TripsText(clock: clock).list(trips))
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
            guard let found = try History(path: source.path).trip(trip) else { throw TripError(name: trip) }
            let clock = printing.clock(source.zone)
            try printing.print(TripAnswer(found), lines: TripsText(clock: clock).show(found))
        }
    }
}
