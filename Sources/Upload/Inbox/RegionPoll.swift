internal import Quantities
internal import Tracking

/// Fetches regions at an interval, and when the vehicle has left the area of the last ones, but only while the daemon
/// asks for them. Without a network, only a server on this computer is asked.
final class RegionPoll {
    private let source: RegionSource
    private let file: FilePoll
    /// True if the server is on this computer, so that no network is needed.
    private let staysHere: Bool
    private var isOnline = true
    /// The hash of the last list, because a server may not state a version.
    private var last: Int?

    init(_ source: RegionSource, _ target: UploadTarget, _ timeouts: TransportTimeouts) {
        self.source = source
        file = FilePoll("regions", at: nil, every: source.interval, target.regionAccess, target.proxy, timeouts)
        staysHere = (try? ServerAddress(source.url))?.staysHere(through: target.proxy) ?? false
    }

    var watches: [Watch] { file.watches }

    /// Nil while it waits for the network or the daemon.
    var deadline: Instant? { isOnline || file.isAsking ? file.deadline : nil }

    func follow(_ query: RegionQuery?, at now: Instant) { file.fetch(query.flatMap(source.url), at: now) }

    /// The return of the network ends the pause after a failure.
    func follow(isOnline: Bool, at now: Instant) {
        let isBack = (isOnline || staysHere) && !self.isOnline
        self.isOnline = isOnline || staysHere
        if isBack { file.endPause(at: now) }
    }

    func fetchNow(at now: Instant) { file.fetchNow(at: now) }

    /// Nil until a request is over; a list that equals the last one is `unchanged`.
    func turn(at now: Instant) -> FilePoll.Result? {
        guard isOnline || file.isAsking, let result = file.turn(at: now) else { return nil }
        guard case .changed(let body) = result else { return result }
        let isKnown = body.hashValue == last
        last = body.hashValue
        return isKnown ? .unchanged : result
    }

    func breakOff(at now: Instant) { file.breakOff(at: now) }

    /// Forgets the version of regions that could not be stored, so that they are fetched again.
    func forgetVersion() {
        last = nil
        file.forgetVersion()
    }

    func close() { file.close() }
}
