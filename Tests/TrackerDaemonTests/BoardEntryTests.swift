@testable import Configuration
@testable import Control
import Foundation
import Hardware
import Testing
@testable import TrackerDaemon
@testable import Upload

@Suite("The board in the configuration")
struct BoardEntryTests {
    private static let folders = [BoardFileTests.folder]

    private func board(
        _ text: String, named name: String? = nil, model: String? = nil
    ) throws(ConfigurationError) -> BoardDescription {
        let configuration = try Configuration.parse("device: van1\n\(text)", file: "config.yaml")
        return try BoardFile.read(
            named: name, in: Self.folders, entry: configuration.board, on: model.map(ComputerModel.init))
    }

    @Test("The key `board` sets the board, and the argument `--board` overrides the key.")
    func name() throws {
        #expect(try board("board: pi4").name == "pi4")
        #expect(try board("board: pi4", named: "pi5").name == "pi5")
        #expect(try board("").name == "bare")
    }

    @Test("A section `board` selects the board by `base`, and changes the board's parts.")
    func base() throws {
        let changed = try board("board: {base: pi4, accelerometer: {address: 0x19}, ignition: none}")
        #expect(changed.name == "pi4")
        #expect(changed.accelerometer?.address == 0x19)
        #expect(changed.supply.ignition == nil)
        #expect(try board("board: {base: pi4, ignition: none}", named: "pi5").supply.ignition == nil)
    }

    @Test(
        "`auto` recognises the computer by its device tree.",
        arguments: [
            ("Raspberry Pi 3 Model B Rev 1.2", "pi3"), ("Raspberry Pi 4 Model B Rev 1.5", "pi4"),
            ("Raspberry Pi 5 Model B Rev 1.0", "pi5"), ("Raspberry Pi Zero 2 W Rev 1.0", "zero2w"),
            ("Raspberry Pi Compute Module 4 Rev 1.1", "cm4"),
        ])
    func automatic(model: String, name: String) throws {
        #expect(try board("board: auto", model: model).name == name)
        #expect(try board("board: {base: auto, bluetooth: none}", model: model).name == name)
        #expect(try board("", named: "auto", model: model).name == name)
    }

    @Test(
        "A board that does not exist is an error with the line of its name.",
        arguments: [
            (
                "board: pi44", nil,
                "config.yaml:2: `pi44` is not a known board. Did you mean `pi4`? Choose one of: bare, cm4, pi3, pi4, pi5, sim, zero2w."
            ),
            (
                "store: {path: /x}\nboard:\n  ignition: none\n  base: auto", "BeagleBone Black",
                """
                config.yaml:5: `auto` cannot choose a board, because no board file describes this computer (BeagleBone Black). \
                Set `board: bare` for gpsd only, or write a board file.
                """
            ),
            (
                "board: auto", nil,
                """
                config.yaml:2: `auto` cannot choose a board, because this computer has no device tree. Set `board: bare` for \
                gpsd only, or write a board file.
                """
            ),
        ] as [(String, String?, String)])
    func unknown(text: String, model: String?, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try board(text, model: model) }
        #expect(error?.description == message)
    }

    @Test("The name of the tracker may contain the hostname and the serial number.")
    func device() throws {
        #expect(DeviceName.expand("van", hostname: "pi", serialNumber: nil) == "van")
        #expect(DeviceName.expand("a-{hostname}", hostname: "pi", serialNumber: nil) == "a-pi")
        #expect(DeviceName.expand("a-{serial}", hostname: "pi", serialNumber: "1000af") == "a-1000af")
        #expect(DeviceName.expand("a-{serial}", hostname: "pi", serialNumber: nil) == nil)
    }

    @Test("The answers to `setup` become a configuration with the same values.")
    func answers() throws {
        var answers = SetupAnswers(board: "pi4", device: #"O"Neil's \ van"#)
        let board = try BoardFile.read(named: "pi4", in: Self.folders)
        answers.changes = ["accelerometer", "receiverPower", "ignition", "powerFail"].flatMap {
            BoardChange.removal(of: $0, from: board)
        }
        answers.server = .init(url: "https://track.example.net/pub", format: "owntracks")
        answers.server?.username = "yes"
        answers.server?.password = "p: #\\ \"x"
        let configuration = try Configuration.parse(answers.text(passwordFile: nil), file: "config.yaml")
        #expect(configuration.device == answers.device)
        #expect(configuration.board?.base == "pi4")
        let target = try #require(configuration.targets.first)
        #expect(target.access.username == "yes")
        #expect(try target.access.password?.read().revealed == "p: #\\ \"x")
        let changed = try BoardFile.read(named: nil, in: Self.folders, entry: configuration.board)
        #expect(changed.accelerometer == nil && changed.supply.ignition == nil && changed.supply.powerFail == nil)
        #expect(changed.receiverPower.kind == .none && changed.wakeUp != .line)
        #expect(!answers.text(passwordFile: "/etc/trackerd/server.password").contains("p: #"))
    }
}
