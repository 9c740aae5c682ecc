internal import Quantities
internal import Tracking

/// Fetches the regions of a target's server: at an interval, and when the vehicle has left the area of the last regions.
///
/// Without a network, the poll sends requests only to a server on this computer. While the daemon requests no regions, the
/// poll sends none.
final class RegionPoll {
    private let source: RegionSource
    private let file: FilePoll
    /// Whether the server is on this computer, so that trackerd needs no network.
    private let staysHere: Bool
    private var isOnline = true
    /// The hash of the last list, because a server may not state the version of a list.
    private var last: Int?

    init(_ source: RegionSource, _ target: UploadTarget, _ timeouts: TransportTimeouts) {
        self.source = source
        file = FilePoll(
            "regions", at: nil, every: source.interval, target.regionAccess, target.proxy, timeouts)
        staysHere = (try? ServerAddress(source.url))?.staysHere(through: target.proxy) ?? false
    }

    var watches: [Watch] { file.watches }

    /// When the poll needs the next turn; nil if it waits for the network or for a request of the daemon.
    var deadline: Instant? { isOnline || file.isAsking ? file.deadline : nil }

    func follow(_ query: RegionQuery?, at now: Instant) { file.fetch(query.flatMap(source.url), at: now) }

    /// Waits while there is no network; when the network is back, ends the pause after a failure.
    func follow(isOnline: Bool, at now: Instant) {
        let isBack = (isOnline || staysHere) && !self.isOnline
        self.isOnline = isOnline || staysHere
        if isBack { file.endPause(at: now) }
    }

    func fetchNow(at now: Instant) { file.fetchNow(at: now) }

    /// Continues the request, or starts the next one if it is due; returns the result when a request is over.
    ///
    /// A list that equals the last one is unchanged, even if the server does not state its version.
    func turn(at now: Instant) -> FilePoll.Result? {
        guard isOnline || file.isAsking, let result = file.turn(at: now) else { return nil }
        guard case .changed(let body) = result else { return result }
        let isKnown = body.hashValue == last
        last = body.hashValue
        return isKnown ? .unchanged : result
    }

    func breakOff(at now: Instant) { file.breakOff(at: now) }

    /// Fetches the regions once more after the interval even if they have not changed, because trackerd could not store them.
    func forgetVersion() {
        last = nil
        file.forgetVersion()
    }

    func close() { file.close() }
}
