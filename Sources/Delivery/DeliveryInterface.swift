//  What goes into `Delivery`, and what comes out of it.

package import Quantities
package import Tracking
package import TrackingOptions

extension Delivery {
    package enum Order: String, Sendable, CaseIterable {
        /// After an outage and at the start, the newest record goes first, and then the backlog in order.
        case liveFirst
        case oldestFirst
    }

    package struct Policy: Sendable, Hashable {
        package var order: Order
        package var replay: ReplayRule
        package var syncInterval: Duration
        /// The most records in a batch.
        package var batch: Int
        package var window: Int

        package init(order: Order, replay: ReplayRule = .all, syncInterval: Duration = .zero, batch: Int, window: Int) {
            self.order = order
            self.replay = replay
            self.syncInterval = syncInterval
            self.batch = batch
            self.window = window
        }
    }

    package enum Event: Sendable, Hashable {
        /// Also comes at the start.
        case recordsCommitted
        /// The network is back or has changed, a secret has changed, uploads may continue, or the owner has asked for an
        /// attempt.
        case networkReturned
        case networkLost
        /// The answer to `fetch`: the newest record with a position, if the target needs it, and the oldest records that the
        /// target has not received.
        case found(newest: StoredRecord?, oldest: [StoredRecord])
        case marked
        case passedOver(count: Int)
        case queueFailed(reason: String)
        case settled([BatchOutcome])
        case timer
        case rules(UploadRules)
    }

    package enum Effect: Sendable, Hashable {
        case fetch(limit: Int, excluding: [Int64])
        case send(InFlightBatch)
        case markDelivered([Int64])
        case setAside(Int64, reason: String)
        case passOver(through: Int64, keepingStops: Bool)
        /// Replaces an earlier `arm`.
        case arm(at: Instant)
        case report(UploadReport.Event)
    }
}

/// The rules for every target. A command, a mode, a trip or a server can change them. A target's own `replay` overrides
/// the one here.
package struct UploadRules: Sendable, Hashable {
    /// The shortest time between the beginnings of two rounds of uploads (`SyncGate`), in whole milliseconds.
    package let syncInterval: Duration
    package let replay: ReplayRule

    package init(syncInterval: Duration, replay: ReplayRule) {
        self.syncInterval = syncInterval
        self.replay = replay
    }

    /// Nil if the number is 0, which means that no rules are stored.
    package init?(stored word: UInt64) {
        guard word > 0 else { return nil }
        let (milliseconds, rule) = (word - 1).quotientAndRemainder(dividingBy: Self.ruleCount)
        syncInterval = .milliseconds(Int64(clamping: milliseconds))
        replay = ReplayRule.allCases[Int(rule)]
    }

    /// The rules as one number above 0, which a thread can replace without a lock.
    package var stored: UInt64 {
        let milliseconds = UInt64(max(0, syncInterval / .milliseconds(1)))
        return milliseconds * Self.ruleCount + UInt64(ReplayRule.allCases.firstIndex(of: replay) ?? 0) + 1
    }

    private static let ruleCount = UInt64(ReplayRule.allCases.count)
}
