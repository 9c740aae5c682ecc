import Foundation
import Glibc
import Peers
import Testing

@Suite("Readers of the event feed")
struct EventFeedTests {
    private let vehicle: Vehicle
    private let path: String

    init() throws {
        vehicle = try Vehicle()
        path = vehicle.scratch.path + "/events"
    }

    @Test("A FIFO without a reader does not stop the tracker; a later reader gets whole lines.")
    func fifo() throws {
        try #require(mkfifo(path, 0o600) == 0)
        let daemon = try vehicle.start(["--events", path])
        #expect(try vehicle.isTracking())
        #expect(
            daemon.logged.components(separatedBy: "events are lost (no process reads the pipe). Recording continues.")
                .count
                == 2)
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        var text = ""
        #expect(
            eventually {
                var bytes = [UInt8](repeating: 0, count: 65536)
                let count = read(reader, &bytes, bytes.count)
                if count > 0 { text += String(decoding: bytes.prefix(count), as: UTF8.self) }
                return daemon.logged.contains("trackerd writes the events again; ") && text.hasSuffix("\n")
            })
        for line in text.split(separator: "\n") {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
        // The reader closes the pipe while the program is writing.
        close(reader)
        #expect(try vehicle.isTracking())
        #expect(daemon.endInTime() == 0)
    }

    @Test("A full pipe does not stop the tracker.")
    func full() throws {
        try #require(mkfifo(path, 0o600) == 0)
        let end = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
        while write(end, bytes, bytes.count) > 0 {}
        let daemon = try vehicle.start(["--events", path])
        #expect(try vehicle.isTracking())
        #expect(
            daemon.logged.contains(
                "events are lost (the pipe is full, because its reader is too slow or has stopped reading). Recording continues."
            ))
        #expect(daemon.endInTime() == 0)
        close(end)
    }

    @Test("A full disk does not stop the tracker.")
    func disk() throws {
        let daemon = try vehicle.start(["--events", "/dev/full"])
        #expect(try vehicle.isTracking())
        #expect(daemon.logged.contains("/dev/full: events are lost (No space left on device). Recording continues."))
        #expect(daemon.endInTime() == 0)
    }
}
