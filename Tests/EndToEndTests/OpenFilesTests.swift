import Foundation
import Peers
import Testing

@Suite("A low limit for open files", .enabled(if: Child.find("prlimit") != nil, "not installed: util-linux"))
struct OpenFilesTests {
    @Test("The program raises a low limit for open files as far as the system allows, and tracks.")
    func raised() throws {
        let vehicle = try Vehicle()
        let daemon = try vehicle.start(prefix: [try #require(Child.find("prlimit")), "--nofile=12:4096"])
        #expect(try vehicle.isTracking(), "\(daemon.logged)")
        #expect(daemon.end() == 0)
    }

    @Test("If the system does not allow a higher limit for open files, the program ends at once and names the reason.")
    func refused() throws {
        let vehicle = try Vehicle()
        let daemon = try vehicle.start(prefix: [try #require(Child.find("prlimit")), "--nofile=40:40"])
        #expect(daemon.wait() != 0)
        #expect(daemon.logged.contains("the limit for open files is 40, and trackerd needs 128."), "\(daemon.logged)")
    }
}
