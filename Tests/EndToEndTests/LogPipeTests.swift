import Foundation
import Glibc
import Peers
import Testing

@Suite("Readers of the log")
struct LogPipeTests {
    /// A pipe whose ends are not inherited by programs that other tests start at the same time.
    private struct Ends {
        let read: Int32
        let write: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (read, write) = (ends[0], ends[1])
        }

        var writer: FileHandle { FileHandle(fileDescriptor: write, closeOnDealloc: false) }

        /// Also works after the end for writing was closed.
        func fill() throws {
            // The system opens either end of the pipe by this name.
            let own = open("/proc/self/fd/\(read)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            try #require(own >= 0)
            let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
            while Glibc.write(own, bytes, bytes.count) > 0 {}
            while Glibc.write(own, bytes, 1) > 0 {}
            close(own)
        }

        func drained() -> String {
            let own = open("/proc/self/fd/\(read)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            defer { close(own) }
            var text: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = Glibc.read(own, &bytes, bytes.count)
                guard count > 0 else { break }
                text += bytes.prefix(count)
            }
            return String(decoding: text, as: UTF8.self)
        }
    }

    @Test("A full log pipe does not stop the tracker, and the log later contains the number of lost lines.")
    func full() throws {
        let ends = try Ends()
        try ends.fill()
        let vehicle = try Vehicle()
        let daemon = try vehicle.start(["--log-level", "debug"], errors: ends.writer)
        close(ends.write)
        #expect(try vehicle.isTracking())
        _ = ends.drained()
        #expect(try vehicle.isTracking())
        let text = ends.drained()
        let first = text.split(separator: "\n").first ?? ""
        #expect(first.contains("log lines were lost, because writing to standard error failed."))
        #expect(text.components(separatedBy: "writing to standard error failed").count == 2)
        try ends.fill()
        #expect(daemon.endInTime() == 0)
        close(ends.read)
    }

    @Test("The tracker continues when the reader closes the log pipe.")
    func closed() throws {
        let ends = try Ends()
        let vehicle = try Vehicle()
        let daemon = try vehicle.start(["--log-level", "debug"], errors: ends.writer)
        close(ends.write)
        var text = ""
        let isStarted = eventually {
            text += ends.drained()
            return text.contains("Started")
        }
        #expect(isStarted, "\(text)")
        close(ends.read)
        #expect(try vehicle.isTracking())
        #expect(daemon.endInTime() == 0)
    }

    @Test("Writing the log does not change a descriptor that is shared with other programs.")
    func shared() throws {
        let ends = try Ends()
        let vehicle = try Vehicle()
        let daemon = try vehicle.start(errors: ends.writer)
        var text = ""
        let isStarted = eventually {
            text += ends.drained()
            return text.contains("Started")
        }
        #expect(isStarted, "\(text)")
        #expect(fcntl(ends.write, F_GETFL) & O_NONBLOCK == 0)
        #expect(daemon.endInTime() == 0)
        close(ends.write)
        close(ends.read)
    }
}
