import Foundation

/// A file in `Tests/Golden`; a test produces the lines again and compares each line with the file.
///
/// With `TRACKERD_WRITE_DOCS=1` in the environment, the test writes the file instead.
package struct GoldenLines {
    private let path: String
    private let before: [String]
    private var now: [String] = []
    private let isWriting = ProcessInfo.processInfo.environment["TRACKERD_WRITE_DOCS"] != nil

    package init(_ file: String) throws {
        path = String(#filePath.dropLast("TestSupport/Lives/GoldenLines.swift".count)) + "Golden/" + file
        before =
            isWriting ? [] : try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Adds a line, and compares the line with the file's line.
    ///
    /// Returns nil if both are equal or if the test writes the file. Otherwise, returns the file's line, or an empty text
    /// if the file has no more lines.
    package mutating func difference(of line: String) -> String? {
        now.append(line)
        if isWriting { return nil }
        let old = now.count <= before.count ? before[now.count - 1] : ""
        return old == line ? nil : old
    }

    /// Writes the file if requested; returns whether the test has produced the same number of lines as the file contains.
    package func finish() throws -> Bool {
        guard isWriting else { return now.count == before.count }
        try (now.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        return true
    }
}
