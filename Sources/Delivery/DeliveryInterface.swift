package import Quantities
package import Tracking
package import TrackingOptions

//  What goes into `Delivery`, and what comes out of it.

extension Delivery {
    /// The order in which trackerd sends waiting records.
    package enum Order: String, Sendable, CaseIterable {
        /// After an outage, and after the start of the program, trackerd sends the newest record first.
        ///
        /// Then it sends the backlog in order.
        case liveFirst
        /// trackerd always sends the records in order.
        case oldestFirst
    }

    /// The options of a target that matter for delivery.
    package struct Policy: Sendable, Hashable {
        package var order: Order
        package var replay: ReplayRule
        package var syncInterval: Duration
        /// The maximum number of records in a batch.
        package var batch: Int
        /// The maximum number of batches in flight at the same time.
        package var window: Int

        package init(
            order: Order, replay: ReplayRule = .all, syncInterval: Duration = .zero, batch: Int,
            window: Int
        ) {
            self.order = order
            self.replay = replay
            self.syncInterval = syncInterval
            self.batch = batch
            self.window = window
        }
    }

    /// An input of `Delivery`.
    package enum Event: Sendable, Hashable {
        /// The queue may have new records; the caller also sends this event at the start.
        case recordsCommitted
        /// An attempt may succeed now.
        ///
        /// The network is back or has changed, a secret has changed, a new budget begins, or the owner requests an
        /// attempt.
        case networkReturned
        /// This computer has no network.
        case networkLost
        /// The answer to `fetch`: the newest record with a position if the target needs it, and the oldest records that
        /// the target has not received.
        case found(newest: StoredRecord?, oldest: [StoredRecord])
        /// The queue has carried out `markDelivered`.
        case marked
        /// The queue has carried out `passOver`.
        case passedOver(count: Int)
        /// The queue failed to carry out an order.
        case queueFailed(reason: String)
        /// The outcomes of batches that were in flight.
        case settled([BatchOutcome])
        case timer
        /// These rules apply from now on.
        case rules(UploadRules)
    }

    /// An order to the caller, or a report to the owner.
    package enum Effect: Sendable, Hashable {
        case fetch(limit: Int, excluding: [Int64])
        case send(InFlightBatch)
        case markDelivered([Int64])
        case setAside(Int64, reason: String)
        case passOver(through: Int64, keepingStops: Bool)
        /// Send `timer` at this time, which replaces the time of an earlier `arm`.
        case arm(at: Instant)
        case report(UploadReport.Event)
    }
}
