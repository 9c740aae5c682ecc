import Hardware
import Testing

@testable import Configuration
@testable import Doctor

@Suite("The setup's survey of the devices")
struct SetupSurveyTests {
    private func survey(_ bus: BusFacts?) throws -> SetupSurvey {
        var facts = Facts()
        facts.board = try BoardFile.read(named: "pi4", in: [BoardFileTests.folder])
        facts.bus = bus
        return SetupSurvey(facts)
    }

    @Test("A chip at the address in the board file needs no change of the board.")
    func right() throws {
        let survey = try survey(.scanned(answers: [.init(0x18, "LIS3DH", "LIS2DH12")], elsewhere: []))
        #expect(survey.otherAccelerometer == nil)
        #expect(!survey.lacksAccelerometer)
    }

    @Test("A chip at another address or on another bus becomes a change of the board.")
    func elsewhere() throws {
        let near = try survey(.scanned(answers: [.init(0x19, "LIS3DH", "LIS2DH12")], elsewhere: []))
        #expect(
            near.otherAccelerometer?.changes
                == [BoardChange("accelerometer", "{bus: /dev/i2c-3, chip: LIS3DH, address: 0x19}")])
        let far = try survey(.absent(others: [BusFacts.Bus("/dev/i2c-1", answers: [.init(0x53, "ADXL345")])]))
        #expect(far.otherAccelerometer?.text == "ADXL345 at 0x53 on /dev/i2c-1")
        #expect(
            far.otherAccelerometer?.changes
                == [
                    BoardChange("accelerometer", "{bus: /dev/i2c-1, chip: ADXL345, address: 0x53, interrupt: none}"),
                    BoardChange("wakeUp", "none"), BoardChange("header", "{data: 2, clock: 3}"),
                ])
        #expect(!far.lacksAccelerometer)
    }

    @Test("If no chip answers, the setup can remove the accelerometer together with its wake-up.")
    func missing() throws {
        let survey = try survey(.scanned(answers: [.init(0x40)], elsewhere: []))
        #expect(survey.lacksAccelerometer)
        #expect(survey.accelerometerRemoval == [BoardChange("accelerometer", "none"), BoardChange("wakeUp", "none")])
        let parts = survey.unseenParts(after: survey.accelerometerRemoval)
        #expect(parts.map(\.removal.first?.key) == ["receiverPower", "ignition", "powerFail"])
        #expect(survey.unseenParts().first?.removal.map(\.value) == ["{interrupt: none}", "none"])
    }

    @Test("The setup asks whether the private switch of a board file is wired.")
    func privateSwitch() {
        var facts = Facts()
        facts.board = BoardDescription(name: "van")
        facts.board?.privateSwitch = LineReference(chip: "soc", line: .name("GPIO23"))
        let parts = SetupSurvey(facts).unseenParts()
        #expect(parts.map(\.title) == ["the private switch"])
        #expect(parts.map(\.removal) == [[BoardChange("private", "none")]])
    }

    @Test(
        "The changes for a chip on pins 3 and 5 are a valid section for every board.",
        arguments: ["pi3", "pi4", "pi5", "cm4", "zero2w"])
    func valid(name: String) throws {
        let board = try BoardFile.read(named: name, in: [BoardFileTests.folder])
        var changes = board.changes(toUse: "LIS3DH", at: 0x19, on: "/dev/i2c-1")
        changes.merge(BoardChange.removal(of: BoardChange.interrupt, from: board))
        var answers = SetupAnswers(board: name, device: "van")
        answers.changes = changes
        let configuration = try Configuration.parse(answers.text(passwordFile: nil), file: "c.yaml")
        let changed = try BoardFile.read(named: nil, in: [BoardFileTests.folder], entry: configuration.board)
        #expect(changed.accelerometer?.bus == "/dev/i2c-1" && changed.accelerometer?.interrupt == nil)
        #expect(changed.header?.data == 2 && changed.wakeUp != .line)
    }
}
