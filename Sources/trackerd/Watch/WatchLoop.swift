import Control
import CLinux
import Devices
import Glibc
import Quantities

struct WatchLoop {
    private let options: ControlOptions
    private let output: any WatchOutput
    private var client: ControlClient?
    private var pauses = Backoff(first: .seconds(1), longest: .seconds(10))
    /// When to connect again; nil while connected.
    private var retryAt: Instant?
    private var readsKeys: Bool
    private let clock = BootClock()

    init(_ options: ControlOptions, to output: any WatchOutput, readsKeys: Bool) {
        self.options = options
        self.output = output
        self.readsKeys = readsKeys
    }

    /// Shows events, and connects again if necessary, until a signal or a key ends the command. Throws if the daemon
    /// does not answer at the start, or if the output fails.
    mutating func run() throws {
        let (first, header) = try connect()
        client = first
        let signals = clinux_signals_open()
        output.begin()
        defer {
            output.end()
            close(signals)
        }
        output.connect(header, again: false)
        while output.failure == nil {
            for line in client?.takeLines() ?? [] { output.take(line, at: clock.now()) }
            output.turn(at: clock.now())
            guard wait(signals) else { return }
            if let retryAt, clock.now() >= retryAt { reconnect() }
        }
        if let failure = output.failure { throw failure }
    }

    private func connect() throws(ControlClientError) -> (ControlClient, WatchHeader) {
        let client = try options.connect(for: WatchRequest.self)
        return (client, try client.ask(WatchRequest.self))
    }

    private mutating func reconnect() {
        do throws(ControlClientError) {
            let (client, header) = try connect()
            (self.client, retryAt) = (client, nil)
            pauses = Backoff(first: pauses.first, longest: pauses.longest)
            output.connect(header, again: true)
        } catch {
            retryAt = clock.now() + pauses.next()
        }
    }

    /// False if the command must end.
    private mutating func wait(_ signals: Int32) -> Bool {
        let descriptors: [Int32] = [signals, client?.descriptor ?? -1, readsKeys ? STDIN_FILENO : -1]
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let deadline = Instant.earliest(output.deadline, retryAt)
        let rest = deadline.map { max(.zero, $0 - clock.now()) }
        // Round the wait up to milliseconds, so that the deadline has passed when the wait ends.
        let timeout = rest.map { Int32(clamping: ($0.nanoseconds + 999_999) / 1_000_000) } ?? -1
        // The signal about a new size of the terminal also ends the wait.
        guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return true }
        if polled[0].revents != 0 { return false }
        if polled[1].revents != 0, client?.receiveMore() == false { disconnect() }
        return polled[2].revents == 0 || readKeys()
    }

    private mutating func disconnect() {
        for line in client?.takeLines() ?? [] { output.take(line, at: clock.now()) }
        client = nil
        retryAt = clock.now() + pauses.next()
        output.disconnect("the daemon has closed the connection")
    }

    private mutating func readKeys() -> Bool {
        var keys = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &keys, keys.count)
        if count <= 0 { readsKeys = false }
        return !keys.prefix(max(0, count)).contains(UInt8(ascii: "q"))
    }
}
