import Foundation
import Testing

extension InTheLab {
    @Suite("The lab's GPIO lines")
    struct LabLinesTests {
        @Test("The lab's lines have the level to which they are pulled.")
        func levels() throws {
            try LabLines.pull(17, up: true)
            #expect(try LabLines.isHigh(17))
            try LabLines.pull(17, up: false)
            #expect(try !LabLines.isHigh(17))
        }

        @Test("The lab's lines report edges to their user.")
        func edges() throws {
            try LabLines.pull(17, up: false)
            #expect(try LabLines.holder(of: 17) == nil)
            let line = try HeldLine(17, consumer: "lab")
            #expect(try LabLines.holder(of: 17) == "lab")
            #expect(try !LabLines.isDriven(17))
            try LabLines.pull(17, up: true)
            let first = try #require(line.edge())
            try LabLines.pull(17, up: false)
            let second = try #require(line.edge())
            #expect(first.isRising && !second.isRising)
            #expect(first.nanoseconds < second.nanoseconds)
        }

        @Test("Only one program at a time can request a line of the lab.")
        func taken() throws {
            let line = try HeldLine(27, consumer: "lab")
            let refusal = #expect(throws: POSIXError.self) { try HeldLine(27, consumer: "another") }
            #expect(refusal?.code == .EBUSY)
            withExtendedLifetime(line) {}
        }
    }
}
