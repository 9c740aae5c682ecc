/// Tracking options from the server, for environments, operating systems and trip statuses.
///
/// Of the objects that match, the most specific one holds, whole; one for this environment goes before one for this
/// operating system, and that before one for this trip status.
package struct RemoteOptions: Sendable, Hashable {
    /// Which of a server's two worlds the device lives in.
    package enum Environment: String, Sendable, Hashable, Codable, CaseIterable {
        /// The real one.
        case live
        /// The one to try things in.
        case test
    }

    /// One object, and where it holds.
    struct Object: Sendable, Hashable {
        var scope: Scope
        var assignments: [OptionAssignment]
    }

    /// Where an object holds; nothing stands for everywhere.
    struct Scope: Sendable, Hashable {
        var environment: Environment?
        var system: String?
        var onTrip: Bool?

        func matches(_ environment: Environment, isOnTrip: Bool) -> Bool {
            (self.environment ?? environment) == environment && (system ?? Self.ownSystem) == Self.ownSystem
                && (onTrip ?? isOnTrip) == isOnTrip
        }

        var rank: Int { (environment == nil ? 0 : 4) + (system == nil ? 0 : 2) + (onTrip == nil ? 0 : 1) }

        var name: String {
            let words = [environment?.rawValue, system, onTrip.map { $0 ? "onTrip" : "offTrip" }].compactMap { $0 }
            return words.isEmpty ? "all" : words.joined(separator: ".")
        }

        static let ownSystem = "linux"
    }

    var objects: [Object] = []

    /// The layers for a device of that environment: one, or one for trips and one for the time between.
    package func layers(_ environment: Environment) -> [OptionLayer] {
        let (on, off) = (best(environment, isOnTrip: true), best(environment, isOnTrip: false))
        if on == off { return [on].compactMap { $0 }.map { layer($0, onTrip: nil) } }
        return [on.map { layer($0, onTrip: true) }, off.map { layer($0, onTrip: false) }].compactMap { $0 }
    }

    private func best(_ environment: Environment, isOnTrip: Bool) -> Object? {
        objects.filter { $0.scope.matches(environment, isOnTrip: isOnTrip) }.max { $0.scope.rank < $1.scope.rank }
    }

    private func layer(_ object: Object, onTrip: Bool?) -> OptionLayer {
        OptionLayer(.remote, name: object.scope.name, onTrip: onTrip, object.assignments)
    }
}
