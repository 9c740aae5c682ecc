import Foundation
import Hardware
import Testing
import TrackerDaemon

@Suite("A board")
struct BoardFileTests {
    /// The folder of the files that are shipped.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("boards").path

    @Test("that is shipped can be read", arguments: BoardFile.names(in: [folder]))
    func shipped(name: String) throws {
        let board = try BoardFile.read(named: name, in: [Self.folder])
        #expect(board.name == name)
        #expect(!board.text.isEmpty)
    }

    @Test("is among those that are known")
    func known() {
        #expect(BoardFile.names(in: [Self.folder]) == ["bare", "sim"])
    }

    @Test("that is not known is answered with those that are")
    func unknown() {
        let error = #expect(throws: ConfigurationError.self) { try BoardFile.read(named: "bar", in: [Self.folder]) }
        #expect(error?.description == "--board: `bar` is not a known board. Did you mean `bare`? Known: bare, sim.")
    }

    @Test("is looked for beside the program, in each folder above it")
    func folders() {
        let folders = BoardFile.folders(executable: "/usr/bin/trackerd")
        #expect(folders.first == "/etc/trackerd/boards")
        #expect(folders.contains("/usr/share/trackerd/boards"))
    }
}
