internal import CMosquitto

struct Listening {
    /// The library has acknowledged these messages, so the broker does not send them again.
    private var rescued: [[UInt8]] = []
    private var refusals: [OrderError] = []

    /// Keeps the messages of a connection that is about to be closed.
    mutating func rescue(from session: OpaquePointer) { rescued = messages(from: session) }

    /// One error for each message that was dropped since the last call.
    mutating func takeRefusals(from session: OpaquePointer?) -> [OrderError] {
        if let session { noteDropped(session) }
        defer { refusals = [] }
        return refusals
    }

    private mutating func noteDropped(_ session: OpaquePointer) {
        let (oversized, dropped) = (cmosquitto_take_oversized(session), cmosquitto_take_dropped(session))
        refusals += Array(repeating: .malformed("is longer than 256 KiB"), count: Int(oversized))
        refusals += Array(repeating: .dropped, count: Int(dropped))
    }

    mutating func messages(from session: OpaquePointer?) -> [[UInt8]] {
        var messages = rescued
        rescued = []
        guard let session else { return messages }
        noteDropped(session)
        while case let length = Int(cmosquitto_next_order(session)), length >= 0 {
            var message = [UInt8](repeating: 0, count: length)
            cmosquitto_take_order(session, &message)
            messages.append(message)
        }
        return messages
    }
}
