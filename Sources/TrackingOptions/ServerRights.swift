package import Quantities

/// What servers may reduce under the configuration in force. What a server has set outlives a change of these rights, so each
/// effect asks for those of the moment.
package struct ServerRights: Sendable, Hashable {
    package var limits: ServerLimits
    private let silence: Set<String>
    private let mode: Set<String>

    package init(limits: ServerLimits = ServerLimits(), silence: Set<String> = [], mode: Set<String> = []) {
        (self.limits, self.silence, self.mode) = (limits, silence, mode)
    }

    package func permitSilence(to target: String) -> Bool { silence.contains(target) }

    /// To begin or end `quiet` or `manual`, it needs `silence` too.
    package func permitMode(_ next: MonitoringMode, after present: MonitoringMode, to target: String) -> Bool {
        mode.contains(target) && (silence.contains(target) || next.recordsUnasked && present.recordsUnasked)
    }
}

/// How far a server without `silence` may reduce what is recorded and sent; a value that reduces no more than the owner's is
/// always allowed.
package struct ServerLimits: Sendable, Hashable {
    package var interval = Duration.seconds(3600)
    package var distance = Metres(10_000)
    /// The smallest `accuracyLimit`; a smaller one would reject too many fixes.
    package var accuracy = Metres(50)

    package init() {}
}
