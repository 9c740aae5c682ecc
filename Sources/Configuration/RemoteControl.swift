package import Compatibility
package import Tracking
package import TrackingOptions

/// What servers may order, and limits even for permitted orders.
package struct RemoteControl: Sendable {
    package let environment: RemoteOptions.Environment
    let permissions: [String: Set<RemotePermission>]
    private let limits: ServerLimits

    package init() { self.init([:]) }

    package init(
        _ permissions: [String: Set<RemotePermission>], limits: ServerLimits = ServerLimits(),
        environment: RemoteOptions.Environment = .live
    ) {
        (self.environment, self.permissions, self.limits) = (environment, permissions, limits)
    }

    package func permits(_ permission: RemotePermission, to target: String) -> Bool {
        permissions[target]?.contains(permission) == true
    }

    var rights: ServerRights {
        func targets(_ permission: RemotePermission) -> Set<String> {
            Set(permissions.filter { $0.value.contains(permission) }.keys)
        }
        return ServerRights(limits: limits, silence: targets(.silence), mode: targets(.mode))
    }
}
