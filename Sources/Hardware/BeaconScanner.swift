package import Quantities
package import Tracking

/// A Bluetooth adapter that listens: reports `.beacon` and `.beaconScanner(isListening:)`.
package protocol BeaconScanner: EventSource {
    /// Listens that much from now on; does nothing when it does so already.
    func scan(_ duty: ScanDuty, at now: Instant)
}
