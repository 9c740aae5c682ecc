package import Quantities

/// A family of transports, as far as formats care.
package enum TransportKind: String, Sendable, Hashable, CaseIterable {
    case http
    case mqtt
}

/// A socket to wait for, and whether until it can be written to as well.
package struct Watch: Sendable, Hashable {
    /// The socket.
    package let descriptor: Int32
    /// Whether to wait until something can be read.
    package let reads: Bool
    /// Whether to wait until something can be written.
    package let writes: Bool

    /// Names a socket.
    package init(descriptor: Int32, reads: Bool, writes: Bool) {
        self.descriptor = descriptor
        self.reads = reads
        self.writes = writes
    }
}

/// Brings parcels to a server; never blocks.
///
/// Each parcel that was given to `send` gets exactly one verdict from `advance`. The owner waits until a socket of
/// `watches` is ready or `deadline` has come, and then calls `advance`, which may also be called at any other time.
package protocol Transport: AnyObject {
    /// The sockets to wait for now.
    var watches: [Watch] { get }

    /// When to call `advance` even if no socket is ready; nothing when there is no such time.
    var deadline: Instant? { get }

    /// Takes a parcel; `id` comes back with the verdict. Never more than the catalogue's `window` are under way.
    func send(_ parcel: Parcel, as id: Int, at now: Instant)

    /// Goes on as far as possible without waiting; tells what became of parcels.
    func advance(at now: Instant) -> [ShipmentOutcome]

    /// Ends it, politely if that needs no waiting; what is under way gets no verdict.
    func close()
}

/// What became of one shipment.
package struct ShipmentOutcome: Sendable, Hashable {
    /// The number that it was sent under.
    package let id: Int
    /// What the answer means.
    package let verdict: Verdict

    /// Tells what became of a shipment.
    package init(id: Int, verdict: Verdict) {
        self.id = id
        self.verdict = verdict
    }
}

/// How long a transport waits for the other side.
package struct TransportPatience: Sendable, Hashable {
    /// Until the connection stands, name look-up and TLS included.
    package var connect: Duration
    /// Until a parcel is answered.
    package var answer: Duration
    /// On an idle MQTT connection, until it is tried with a ping; long, so that it hardly wakes anybody.
    package var keepAlive: Duration

    /// Chooses how long to wait; the defaults suit a mobile network.
    package init(
        connect: Duration = .seconds(20), answer: Duration = .seconds(60), keepAlive: Duration = .seconds(300)
    ) {
        self.connect = connect
        self.answer = answer
        self.keepAlive = keepAlive
    }
}
