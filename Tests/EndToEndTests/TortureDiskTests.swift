import Foundation
import Peers
import Testing

@Suite("Operations on the disk that fail")
struct TortureDiskTests {
    private static let missing = ["cc", "python3"].filter { Child.find($0) == nil }

    @Test(
        "No failed disk operation loses a record on disk or stores a record twice.",
        .enabled(if: missing.isEmpty, "not installed: \(missing)"))
    func sampled() throws {
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Daemon.root.path + "/scripts/torture-disk")
        process.arguments = ["--sample", "3", "--jobs", "2"]
        process.environment = ProcessInfo.processInfo.environment.merging(["TRACKERD": Daemon.program]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        #expect(text.contains("0 runs failed"), "\(text)")
    }
}
