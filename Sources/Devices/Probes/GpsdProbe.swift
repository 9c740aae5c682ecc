import CLinux
import Glibc
package import Hardware
import Quantities

/// Listens to the receiver until it is known how it is, or patience ends.
package struct GpsdProbe: ReceiverProbe {
    /// How long to listen: a receiver speaks once a second, and gpsd takes some to find its speed.
    static let patience: Duration = .seconds(8)

    private let clock = BootClock()

    /// Makes a probe.
    package init() {}

    package func receiver(at address: GpsdAddress) -> ReceiverFacts {
        let listening = GpsdListening(to: address)
        let end = clock.now() + Self.patience
        while true {
            if let facts = listening.advance() { return facts }
            let left = end - clock.now()
            guard left > .zero else { return listening.facts(after: Self.patience) }
            var waiting = pollfd(fd: listening.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, Int32((left.inSeconds * 1000).rounded(.up)))
        }
    }
}
