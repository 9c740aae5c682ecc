internal import Formats

extension UploadTarget {
    /// Makes the transport of the target.
    func makeTransport(_ clocks: UploadClocks, _ timeouts: TransportTimeouts) -> any Transport {
        switch transport.kind {
        case .http: HTTP(self, timeouts)
        case .mqtt: MQTT(self, clocks, timeouts)
        }
    }
}
