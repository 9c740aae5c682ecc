import Compatibility
import Tracking
import TrackingOptions
import Upload

/// The orders that the targets' servers may send, and limits that apply even to permitted orders.
package struct RemoteControl: Sendable {
    /// The environment, live or test; trackerd applies the options that a server sends for this environment.
    let environment: RemoteOptions.Environment
    /// The permissions of each target.
    let permissions: [String: Set<RemotePermission>]
    private let limits: ServerLimits

    /// Makes a value that permits no orders.
    package init() { self.init([:]) }

    /// Makes a value with these permissions in the live environment.
    init(_ permissions: [String: Set<RemotePermission>], limits: ServerLimits = ServerLimits()) {
        (environment, self.permissions, self.limits) = (.live, permissions, limits)
    }

    /// Makes a value with the permissions in a configuration.
    package init(_ configuration: Configuration) {
        environment = configuration.environment
        limits = configuration.serverLimits
        permissions = Dictionary(configuration.targets.map { ($0.name, $0.control) }) { first, _ in first }
    }

    /// Returns whether a target's server has a permission.
    func permits(_ permission: RemotePermission, to target: String) -> Bool {
        permissions[target]?.contains(permission) == true
    }

    /// What the servers may reduce.
    var rights: ServerRights {
        func targets(_ permission: RemotePermission) -> Set<String> {
            Set(permissions.filter { $0.value.contains(permission) }.keys)
        }
        return ServerRights(limits: limits, silence: targets(.silence), mode: targets(.mode))
    }

    /// Checks that a target's server may send a request with these values.
    func check(_ request: any ControlRequest, from target: String) throws(ControlError) {
        guard let permission = RemotePermission.needed(forRequest: type(of: request).manual.name),
            permits(permission, to: target)
        else { throw ControlError("the target no longer permits this request.") }
        // These options would replace the owner's whole section `tracking`, without limits and without a trial.
        if let start = request as? StartTrackingRequest, start.layer != nil {
            throw ControlError("a server cannot start tracking with options. Send the request `options`.")
        }
        guard let mode = (request as? ModeRequest)?.mode, !Self.reportingModes.contains(mode) else { return }
        guard permits(.silence, to: target) else {
            throw ControlError(
                "the mode \(mode.name) would silence the tracker. Add `silence` to the target's `control`.")
        }
    }

    /// The modes in which the tracker reports without a request; a server needs the permission `silence` for the other modes.
    static let reportingModes: Set<MonitoringMode> = [.significant, .move]
}
