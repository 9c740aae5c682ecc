import Foundation
import Peers
import Testing

@Suite("Determinism of a replay")
struct DeterminismTests {
    /// Swift seeds its hash tables differently in each process. With this number of processes, output that depends on the
    /// order in a hash table almost certainly differs at least once.
    private static let processes = 1000

    @Test("A replay of the same drive produces the same bytes in a thousand processes.")
    func sameBytes() throws {
        let scratch = try Scratch()
        try scratch.write(Self.drive, to: "drive.csv")
        let arguments = ["replay", scratch.path + "/drive.csv"]
        let (first, errors, status) = try Daemon.output(arguments)
        #expect(status == 0 && errors.isEmpty)
        #expect(first.contains(#""state":"moving""#))
        #expect(first.contains(#""refused":{"inaccurate":1,"jump":1,"unconfirmed":1}"#))
        // A process mostly waits for the kernel to map the program, so the test runs two processes at once, on two
        // cores.
        for _ in 0..<(Self.processes / 2) {
            let (one, other) = (try Replay(arguments), try Replay(arguments))
            for replay in [one, other] {
                let (text, status) = try replay.result()
                #expect(text == first, "status \(status), \(text.utf8.count) of \(first.utf8.count) bytes")
            }
        }
    }

    /// A drive of half a minute round a corner, with the accelerometer's measurements.
    private static let drive: String = {
        var lines = ["t_s,ax,ay,az,lat,lon,speed_mps,course_deg,hacc_m"]
        for tick in 0..<200 {
            let second = tick / 5
            let isMoving = (6..<36).contains(second)
            let shake = isMoving ? Double(tick * 7 % 13) / 4 : 0
            let fix = tick.isMultiple(of: 5) ? place(at: second, isMoving: isMoving) : ",,,,"
            lines.append("\(Double(tick) / 5),0,0,\(9.8 + shake),\(fix)")
        }
        return lines.joined(separator: "\n") + "\n"
    }()

    private static func place(at second: Int, isMoving: Bool) -> String {
        let driven = min(30, max(0, second - 6))
        let (east, north) = (min(driven, 15), max(0, driven - 15))
        let (latitude, longitude) = (52.374 + Double(north) * 0.000135, 4.8897 + Double(east) * 0.00022)
        // The program counts refused fixes by reason; this drive has one jump and one fix whose error is too large.
        let (stray, error) = (second == 30 ? 1.0 : 0, second == 20 ? 500 : 4)
        return "\(latitude + stray),\(longitude),\(isMoving ? 15 : 0),\(north > 0 ? 0 : 90),\(error)"
    }
}

private struct Replay {
    private let process = Process()
    private let output = Pipe()

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: Daemon.program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func result() throws -> (text: String, status: Int32) {
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try output.fileHandleForReading.close()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }
}
