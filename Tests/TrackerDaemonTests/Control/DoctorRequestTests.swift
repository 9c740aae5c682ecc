import Hardware
import Foundation
import Peers
import Quantities
import Testing

@testable import TrackerDaemon
@testable import Control

@Suite("The doctor on request")
struct DoctorRequestTests {
    private let conversation: ControlConversation
    private let scratch: Scratch

    init() throws {
        conversation = try ControlConversation()
        scratch = try Scratch()
    }

    /// Lets a shell script act as the doctor.
    private func use(_ script: String) {
        conversation.tracker.clients.doctor = DoctorDesk(command: [
            "/bin/sh", "-c", "echo run >>\(scratch.path)/runs; \(script)",
        ])
    }

    private var runs: Int { scratch.lines(of: "runs").count }

    private func line(of client: RawClient) -> String? {
        var line: String?
        _ = eventually {
            conversation.turn()
            line = client.lines().first
            return line != nil
        }
        return line
    }

    private static let report = """
        cat <<'END'
        {"check":"clock","grade":"ok","text":"a time server or GPS has set the clock."}
        {"check":"receiver","grade":"fault","text":"gpsd has no device.","remedy":"Check the receiver's supply."}
        {"canTrack":false}
        END
        """

    @Test("A client of the read socket receives each finding with its remedy, and the verdict.")
    func findings() throws {
        use(Self.report)
        let client = try conversation.connectToRead()
        client.send(#"{"request":"doctor","id":"d"}"# + "\n")
        let reply = try #require(line(of: client))
        let answer = try JSONDecoder().decode(ControlAnswer<ControlExamination>.self, from: Data(reply.utf8))
        let result = try #require(answer.result)
        #expect(answer.id == "d" && !result.can_track && result.verdict == "The vehicle cannot be tracked.")
        #expect(result.time == "2026-01-01T00:00:00.000Z")
        #expect(
            result.findings.map(\.check) == ["clock", "receiver"] && result.findings.map(\.grade) == ["ok", "fault"])
        #expect(result.findings.map(\.remedy) == [nil, "Check the receiver's supply."])
    }

    @Test("Clients that ask at the same time or soon afterwards receive the findings of one run.")
    func shared() throws {
        use("sleep 0.3; " + Self.report)
        let clients = [try conversation.connectToRead(), try conversation.connectToRead()]
        for client in clients { client.send(#"{"request":"doctor"}"# + "\n") }
        for client in clients { #expect(line(of: client)?.contains("gpsd has no device") == true) }
        clients[0].send(#"{"request":"doctor"}"# + "\n")
        #expect(line(of: clients[0])?.contains("gpsd has no device") == true)
        #expect(runs == 1)
        conversation.wait(.seconds(16))
        clients[1].send(#"{"request":"doctor"}"# + "\n")
        #expect(line(of: clients[1])?.contains("gpsd has no device") == true)
        #expect(runs == 2)
    }

    @Test("If the checks do not end, the client receives an error after a minute, and the process ends.")
    func late() throws {
        use("echo $$ >\(scratch.path)/process; exec sleep 1000")
        let client = try conversation.connectToRead()
        client.send(#"{"request":"doctor"}"# + "\n")
        #expect(
            eventually {
                conversation.turn(); return !scratch.lines(of: "process").isEmpty
            })
        let process = try #require(scratch.lines(of: "process").first.flatMap { pid_t($0) })
        conversation.wait(.seconds(61))
        #expect(line(of: client)?.contains("did not complete its checks within a minute") == true)
        #expect(
            eventually {
                conversation.turn(); return kill(process, 0) != 0
            })
    }

    @Test(
        "A doctor that ends without a verdict or does not start is an error with a remedy, and the next run may succeed."
    )
    func broken() throws {
        use("exit 3")
        let client = try conversation.connectToRead()
        client.send(#"{"request":"doctor"}"# + "\n")
        #expect(line(of: client)?.contains(#""ok":false"#) == true)
        conversation.tracker.clients.doctor = DoctorDesk(command: ["/nonexistent/trackerd", "doctor"])
        client.send(#"{"request":"doctor"}"# + "\n")
        #expect(line(of: client)?.contains("the system did not start the doctor (No such file or directory)") == true)
        use(Self.report)
        client.send(#"{"request":"doctor"}"# + "\n")
        #expect(line(of: client)?.contains(#""ok":true"#) == true)
    }
}
