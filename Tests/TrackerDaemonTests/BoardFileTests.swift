import Foundation
import Hardware
import Testing
import Configuration

@Suite("A board")
struct BoardFileTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("boards").path

    @Test("Each board file in boards/ can be read.", arguments: BoardFile.names(in: [folder]))
    func shipped(name: String) throws {
        let board = try BoardFile.read(named: name, in: [Self.folder])
        #expect(board.name == name)
        #expect(!board.text.isEmpty)
    }

    @Test("The names of known boards contain each shipped board.")
    func known() {
        #expect(
            BoardFile.names(in: [Self.folder]) == ["bare", "cm4", "pi3", "pi4", "pi5", "sim", "zero2w"])
    }

    @Test(
        "The boards of a Raspberry Pi name its GPIO chip as the kernel does.",
        arguments: [
            ("pi3", "pinctrl-bcm2835"), ("zero2w", "pinctrl-bcm2835"), ("pi4", "pinctrl-bcm2711"),
            ("cm4", "pinctrl-bcm2711"), ("pi5", "pinctrl-rp1"),
        ])
    func chips(name: String, label: String) throws {
        let board = try BoardFile.read(named: name, in: [Self.folder])
        let lines = [board.accelerometer?.interrupt, board.supply.ignition, board.supply.powerFail, board.rail]
        #expect(lines.map { $0?.chip } == [label, label, label, label])
        #expect(board.header?.chip == label)
    }

    @Test(
        "Each board uses a means to wake up that the board has.",
        arguments: [
            ("pi3", WakeUp.line), ("zero2w", .line), ("pi4", .line), ("cm4", .line), ("pi5", .clock),
        ])
    func wakeUp(name: String, wakeUp: WakeUp) throws {
        let board = try BoardFile.read(named: name, in: [Self.folder])
        #expect(board.wakeUp == wakeUp)
        // Only GPIO3 boots a halted board. GPIO3 is also a pin of the first I²C bus, so with `wakeUp: line` the bus needs other
        // pins.
        if wakeUp == .line {
            #expect(board.accelerometer?.interrupt?.number == 3)
            #expect(board.header?.data == 4)
        }
    }

    @Test(
        "Each board states its currents, from which trackerd estimates the charge.",
        arguments: ["pi3", "pi4", "pi5", "zero2w", "cm4"])
    func currents(name: String) throws {
        let currents = try BoardFile.read(named: name, in: [Self.folder]).currents
        #expect(currents.board_mA > 0)
        #expect(try #require(currents.halted_mA) < currents.board_mA)
        #expect(try #require(currents.searching_mA) >= currents.tracking_mA)
    }

    @Test("An unknown board is an error that lists the known boards.")
    func unknown() {
        let error = #expect(throws: ConfigurationError.self) { try BoardFile.read(named: "bar", in: [Self.folder]) }
        #expect(
            error?.description == """
                --board: `bar` is not a known board. Did you mean `bare`? Choose one of: bare, cm4, pi3, pi4, pi5, sim, \
                zero2w.
                """)
    }

    @Test("The example of a board in docs/configuration.md can be read.")
    func example() throws {
        let document = try String(contentsOfFile: Self.folder + "/../docs/configuration.md", encoding: .utf8)
        let chapter = try #require(document.components(separatedBy: "\n## Boards\n").last)
        let blocks = chapter.components(separatedBy: "```yaml\n").dropFirst()
        let texts = blocks.compactMap { $0.components(separatedBy: "```").first }
        try #require(texts.count == 2)
        let board = try BoardReaderTests.read(texts[0], changes: texts[1])
        #expect(board.text == "A van with every device")
        #expect(board.accelerometer?.address == 0x19)
        #expect(board.supply.ignition == nil)
        #expect(board.receiverPower.transmit?.line == .offset(14))
    }

    @Test("Board files are searched for beside the program and in each folder above it.")
    func folders() {
        let folders = BoardFile.folders(executable: "/usr/bin/trackerd")
        #expect(folders.first == "/etc/trackerd/boards")
        #expect(folders.contains("/usr/share/trackerd/boards"))
    }
}

extension BoardDescription {
    fileprivate var rail: LineReference? {
        if case .rail(let line) = receiverPower.kind { line } else { nil }
    }
}
