import CLinux
import Glibc
package import Hardware
package import Quantities

/// Waits until a source is ready, a deadline passes or a signal arrives.
package final class EventLoop {
    package enum Signal: Sendable, Hashable {
        case stop
        case reload
    }

    let clock: any LoopClock
    private let timer: Int32
    private let signals: Int32

    /// Blocks the signals, also in all threads that this one starts; the loop reads them.
    package init(clock: any LoopClock) throws(LoopError) {
        self.clock = clock
        timer = clinux_timer_open()
        guard timer >= 0 else { throw LoopError(operation: "a timer", cause: String(cString: strerror(errno))) }
        signals = clinux_signals_open()
        guard signals >= 0 else {
            throw LoopError(operation: "a signal descriptor", cause: String(cString: strerror(errno)))
        }
    }

    deinit {
        close(timer)
        close(signals)
    }

    package func wait(for sources: [any EventSource], until deadline: Instant?) throws(LoopError) -> (
        ready: [Bool], signal: Signal?
    ) {
        var first = deadline
        var polled = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
        for source in sources {
            let wait = source.wait
            if let due = wait.deadline { first = min(first ?? due, due) }
            polled.append(Self.request(wait.interest))
        }
        let span = first.map { clock.realTime(until: $0) }
        clock.willWait(until: first)
        var timeout: Int32 = -1
        if let span {
            // A deadline that has passed needs no timer. A timer that is set to zero never expires.
            if span <= .zero { timeout = 0 } else { clinux_timer_set(timer, span.nanoseconds) }
            polled.append(pollfd(fd: timer, events: Int16(POLLIN), revents: 0))
        }
        guard poll(&polled, nfds_t(polled.count), timeout) >= 0 || errno == EINTR else {
            throw LoopError(operation: "poll", cause: String(cString: strerror(errno)))
        }
        if span != nil, polled.last?.revents != 0 { clinux_counter_clear(timer) }
        let ready = polled[1...].prefix(sources.count).map { $0.revents != 0 }
        return (ready, polled[0].revents == 0 ? nil : readSignal())
    }

    private static func request(_ interest: Wait.Interest?) -> pollfd {
        switch interest {
        // `poll` ignores a negative descriptor.
        case nil: pollfd(fd: -1, events: 0, revents: 0)
        case .read(let descriptor): pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        case .write(let descriptor): pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // `poll` always reports a hang-up.
        case .hangUp(let descriptor): pollfd(fd: descriptor, events: 0, revents: 0)
        }
    }

    private func readSignal() -> Signal? {
        switch clinux_signals_read(signals) {
        case 0: nil
        case SIGHUP: .reload
        default: .stop
        }
    }
}

package struct LoopError: Error, Sendable, Hashable, CustomStringConvertible {
    let operation: String
    let cause: String

    package var description: String {
        "event loop: the system refused \(operation) (\(cause)). Restart the program."
    }
}
