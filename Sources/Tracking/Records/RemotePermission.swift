/// What a target's server may order, as in `control: [locate, mode]`; by default, nothing. No permission lets a server
/// run a program, halt the board, or set a path, an address or a secret.
package enum RemotePermission: String, Sendable, Hashable, CaseIterable {
    case locate, status, move, mode, trip, tag, waypoints, regions, options, odometer, restart, stayAwake, silence

    /// The requests that the permission allows, by their names in docs/control.md.
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

    package var summary: String {
        switch self {
        case .locate: "request the vehicle's position, except in a private period and in the modes `quiet` and `manual`"
        case .status:
            "request the state of the tracker, except in a private period; in the modes `quiet` and `manual` without the position"
        case .move: "mark the vehicle as moving or parked"
        case .mode:
            "switch to the mode `significant` or `move`, or back to the configured profile, except in the modes `quiet` and `manual`"
        case .trip: "begin trips, except in a private period, and end trips"
        case .tag: "tag records"
        case .waypoints: "list, set and remove waypoints"
        case .regions: "set the regions that the tracker watches with `syncGeofences`"
        case .options: "set tracking options, but not the values that need `silence`: see below"
        case .odometer: "set the odometer"
        case .restart: "end trackerd in order and start it again, at the earliest an hour after its last start"
        case .stayAwake: "keep the board of a parked vehicle awake, for at most a day"
        case .silence:
            "stop or reduce what servers receive: with `tracking stop` and `private on`; together with `mode`, also with the modes `quiet` and `manual`, which it may then also end; together with `options`, also with the options below"
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
