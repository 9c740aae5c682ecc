@testable import Configuration
@testable import Control
import Formats
import Quantities
import Testing
@testable import TrackerDaemon
import Tracking

@Suite("The request `restart`")
struct RestartRequestTests {
    private let conversation: ControlConversation
    private let body = #"{"request":"restart"}"#

    init() throws {
        conversation = try ControlConversation()
        conversation.permit(["home": [.restart]])
        conversation.tracker.runner.program = RunningProgram(checkStart: {})
    }

    @Test("A server can restart trackerd only an hour after its start, and the answer is on disk before the end.")
    func hour() throws {
        conversation.wait(.seconds(3599))
        let early = try #require(try conversation.order(body, id: "r1"))
        #expect(!early.isAccepted && early.text.contains("trackerd started 59 min ago"))
        #expect(!conversation.tracker.runner.program.mustRestart)
        conversation.wait(.seconds(1))
        // `order` reads the answer from the disk.
        let due = try #require(try conversation.order(body, id: "r2"))
        #expect(due.isAccepted && due.request == "restart")
        #expect(conversation.tracker.runner.isRestartDue(at: Instant(seconds: 3650)))
    }

    @Test("OwnTracks' command `restart` needs the permission `restart`.")
    func ownTracks() throws {
        let command = #"{"_type":"cmd","action":"restart"}"#
        conversation.wait(.seconds(3600))
        conversation.permit(["home": [.locate, .status, .options, .silence]])
        #expect(try conversation.order(command, id: "r1")?.isAccepted == false)
        #expect(!conversation.tracker.runner.program.mustRestart)
        conversation.permit(["home": [.restart]])
        #expect(try conversation.order(command, id: "r2")?.isAccepted == true)
        #expect(conversation.tracker.runner.program.mustRestart)
    }

    @Test("The owner can restart trackerd at any time.")
    func owner() throws {
        let reply = try #require(conversation.reply(to: body))
        #expect(reply.contains(#""ok":true"#) && reply.contains(#""on_disk":true"#))
        #expect(conversation.tracker.runner.program.mustRestart)
    }

    @Test("With an error in the configuration file, trackerd does not end, and a server does not receive the error.")
    func brokenConfiguration() throws {
        conversation.tracker.runner.program = RunningProgram(checkStart: { () throws(ConfigurationError) in
            throw ConfigurationError(problems: [.init(file: "config.yaml", line: 5, text: "`secret` is not a key.")])
        })
        let reply = try #require(conversation.reply(to: body))
        #expect(reply.contains(#""ok":false"#) && reply.contains("config.yaml:5: `secret` is not a key."))
        conversation.wait(.seconds(3600))
        let report = try #require(try conversation.order(body))
        #expect(!report.isAccepted && report.text.contains("the configuration file has an error"))
        #expect(!report.text.contains("secret"))
        #expect(!conversation.tracker.runner.program.mustRestart)
    }

    @Test("A program that cannot start itself again refuses to end.")
    func noStart() throws {
        conversation.tracker.runner.program = RunningProgram()
        let reply = try #require(conversation.reply(to: body))
        #expect(reply.contains("this program cannot restart itself"))
        #expect(!conversation.tracker.runner.program.mustRestart)
    }
}
