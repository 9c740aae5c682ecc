package import Compatibility
import Tracking
package import TrackingOptions
package import Upload

/// The orders that the targets' servers may send, and limits that apply even to permitted orders.
package struct RemoteControl: Sendable {
    /// The environment, live or test; trackerd applies the options that a server sends for this environment.
    package let environment: RemoteOptions.Environment
    /// The permissions of each target.
    let permissions: [String: Set<RemotePermission>]
    private let limits: ServerLimits

    /// Makes a value that permits no orders.
    package init() { self.init([:]) }

    package init(
        _ permissions: [String: Set<RemotePermission>], limits: ServerLimits = ServerLimits(),
        environment: RemoteOptions.Environment = .live
    ) {
        (self.environment, self.permissions, self.limits) = (environment, permissions, limits)
    }

    /// Returns whether a target's server has a permission.
    package func permits(_ permission: RemotePermission, to target: String) -> Bool {
        permissions[target]?.contains(permission) == true
    }

    /// What the servers may reduce.
    var rights: ServerRights {
        func targets(_ permission: RemotePermission) -> Set<String> {
            Set(permissions.filter { $0.value.contains(permission) }.keys)
        }
        return ServerRights(limits: limits, silence: targets(.silence), mode: targets(.mode))
    }
}
