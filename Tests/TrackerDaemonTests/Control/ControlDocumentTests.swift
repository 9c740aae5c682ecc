@testable import Control
import Foundation
import Testing
import Tracking

@Suite("The table of requests in docs/control.md")
struct ControlDocumentTests {
    private static let mark = "<!-- table of requests -->\n"

    /// If the environment contains `TRACKERD_WRITE_DOCS`, the test corrects the document instead of comparing it.
    @Test("The table in docs/control.md agrees with the table of requests in the code.")
    func document() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("docs/control.md")
        var parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: Self.mark)
        try #require(parts.count == 3)
        if ProcessInfo.processInfo.environment["TRACKERD_WRITE_DOCS"] != nil {
            parts[1] = ControlDocument.table
            try parts.joined(separator: Self.mark).write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(parts[1] == ControlDocument.table, "Run this test with TRACKERD_WRITE_DOCS=1 to correct the document.")
    }

    @Test("Each request reads the keys that it documents, and no others.", arguments: ControlRequests.all.indices)
    func keys(index: Int) {
        let request = ControlRequests.all[index]
        var reader = RequestReader([:])
        _ = request.reading(&reader)
        #expect(Set(reader.readKeys) == Set(request.manual.keys.map(\.name)), "\(request.manual.name)")
    }

    @Test("Each name of a request occurs once in the table of requests.")
    func names() {
        let names = ControlRequests.all.map { $0.manual.name }
        #expect(names.count == 37 && Set(names).count == 37)
    }

    @Test("Each request that a server may send states its permission, and no other request has one.")
    func permissions() {
        let remote = RemoteRequests.all
        for request in ControlRequests.all + remote {
            let name = request.manual.name
            #expect(request.permission == RemotePermission.needed(forRequest: name), "\(name)")
            #expect((request.permission != nil) == remote.contains { $0 == request }, "\(name)")
        }
        #expect(remote.count == RemotePermission.allCases.flatMap(\.requests).count)
    }
}

/// Writes the table of requests as Markdown; the document states what an empty command and reply mean.
enum ControlDocument {
    static var table: String {
        let head = ["| request | keys | command | reply in `result` |", "| --- | --- | --- | --- |"]
        return (head + ControlRequests.all.map(row)).joined(separator: "\n") + "\n"
    }

    static func row(of request: any ControlRequest.Type) -> String {
        let manual = request.manual
        let keys = manual.keys.map { "`\($0.name)`: \($0.help)" }.joined(separator: "; ")
        let command = manual.command == "`trackerd \(manual.name)`" ? "" : manual.command
        let response = manual.response == "an outcome" ? "" : manual.response
        let cells = ["`\(manual.name)`", keys, command, response]
        return "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
    }
}
