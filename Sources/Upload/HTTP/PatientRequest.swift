internal import Formats
internal import Glibc
internal import Quantities

/// For commands, which may wait.
extension HTTPClient {
    /// Performs a request, and waits for the answer for at most `limit`; `now` returns the time since boot.
    func answer(
        to request: Request, within limit: Duration, _ now: () -> Instant
    ) throws(SecretError) -> Result<Reply, Failure> {
        let began = now()
        guard try start(request) else { return .failure(.broken("libcurl rejects the address")) }
        while !advance() {
            guard now() - began <= limit else { return .failure(.timedOut) }
            wait()
        }
        return reply()
    }

    private func wait() {
        var polls = watches.map { socket in
            pollfd(
                fd: socket.descriptor, events: Int16((socket.reads ? POLLIN : 0) | (socket.writes ? POLLOUT : 0)),
                revents: 0)
        }
        // If libcurl has no socket, it resolves a name on its own thread; its manual recommends another call soon.
        poll(&polls, nfds_t(polls.count), 50)
    }
}
