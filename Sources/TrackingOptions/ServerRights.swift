package import Quantities

/// What the servers of the targets may reduce, as the configuration in force permits it.
///
/// What a server has set remains after the owner has changed these rights. Each effect of a server therefore depends on the
/// rights of the moment.
package struct ServerRights: Sendable, Hashable {
    /// The limits for the servers without the permission `silence`.
    package var limits: ServerLimits
    /// The targets whose servers have the permission `silence`.
    private let silence: Set<String>
    /// The targets whose servers have the permission `mode`.
    private let mode: Set<String>

    /// Makes rights; by default, no server has a permission.
    package init(limits: ServerLimits = ServerLimits(), silence: Set<String> = [], mode: Set<String> = []) {
        (self.limits, self.silence, self.mode) = (limits, silence, mode)
    }

    /// Returns whether a target's server may silence the tracker.
    package func permitSilence(to target: String) -> Bool { silence.contains(target) }

    /// Returns whether a target's server may switch from one mode to another; to begin or end `quiet` or `manual`, it needs
    /// the permission `silence` too.
    package func permitMode(_ next: MonitoringMode, after present: MonitoringMode, to target: String) -> Bool {
        mode.contains(target) && (silence.contains(target) || next.recordsUnasked && present.recordsUnasked)
    }
}

/// How far a server may reduce what the tracker records and sends, without the permission `silence`.
///
/// A server may always set a value that reduces no more than the owner's value does.
package struct ServerLimits: Sendable, Hashable {
    /// The longest interval between records or uploads that a server may set.
    package var interval = Duration.seconds(3600)
    /// The longest `distanceFilter` that a server may set.
    package var distance = Metres(10_000)
    /// The smallest `accuracyLimit` that a server may set; a smaller limit would reject too many fixes.
    package var accuracy = Metres(50)

    package init() {}
}
