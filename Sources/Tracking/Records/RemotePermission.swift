/// What a target's server may order, as in `control: [locate, mode]`; by default, nothing. No permission lets a server
/// run a program, halt the board, or set a path, an address or a secret.
package enum RemotePermission: String, Sendable, Hashable, CaseIterable {
    case locate, status, move, mode, trip, tag, waypoints, regions, options, odometer, restart, stayAwake, silence

    /// The names are those in docs/control.md.
    package var requests: [String] {
        switch self {
        case .locate: ["locate"]
        case .status: ["status"]
        case .move: ["move", "stay"]
        case .mode: ["mode"]
        case .trip: ["trip start", "trip end"]
        case .tag: ["tag"]
        case .waypoints: ["waypoint list", "waypoint set", "waypoint remove", "waypoint clear"]
        case .regions: ["regions"]
        case .options: ["options"]
        case .odometer: ["odometer set"]
        case .restart: ["restart"]
        case .stayAwake: ["awake on", "awake off"]
        case .silence: ["tracking stop", "tracking start", "private on"]
        }
    }

    /// The actions of OwnTracks' `cmd` messages (booklet: tech/json).
    package var actions: [String] {
        switch self {
        case .locate: ["reportLocation"]
        case .status: ["status", "dump"]
        case .waypoints: ["waypoints", "setWaypoints", "clearWaypoints"]
        case .options: ["setConfiguration"]
        case .restart: ["restart"]
        case .move, .mode, .trip, .tag, .regions, .odometer, .stayAwake, .silence: []
        }
    }

    /// Nil if no server may send the request.
    package static func needed(forRequest name: String) -> RemotePermission? {
        allCases.first { $0.requests.contains(name) }
    }

    /// Nil if no server may send the action.
    package static func needed(forAction name: String) -> RemotePermission? {
        allCases.first { $0.actions.contains(name) }
    }
}
