import Devices
import Hardware
import Quantities
import Testing
import Tracking

@Suite("A scan session")
final class ScanSessionTests {
    private var session = ScanSession()
    private var now = Instant(seconds: 1000)

    private static let disallowed: UInt8 = 0x0C
    private static let plain: ArraySlice<UInt8> = [0, 0, 0, 0, 0, 0, 0, 0]
    private static let extended: ArraySlice<UInt8> = [0, 0x10, 0, 0, 0, 0, 0, 0]

    @Test("A controller without extended advertising scans with legacy commands.")
    func legacy() throws {
        #expect(want(.full) == [.send(.readFeatures)])
        #expect(try answer(.readFeatures, Self.plain) == [settings(.legacy, .full)])
        #expect(answer(.setParameters) == [.send(.setEnable(.legacy, isOn: true))])
        #expect(!session.isScanning)
        #expect(answer(.setEnable).isEmpty)
        #expect(session.isScanning)
        #expect(session.deadline == nil)
    }

    @Test("A controller with extended advertising scans with extended commands.")
    func new() throws {
        _ = want(.low)
        #expect(try answer(.readFeatures, Self.extended) == [settings(.extended, .low)])
        #expect(answer(.setExtendedParameters) == [.send(.setEnable(.extended, isOn: true))])
        #expect(answer(.setExtendedEnable).isEmpty)
        #expect(session.isScanning)
    }

    @Test("A controller with unknown features scans with legacy commands.")
    func unsaid() throws {
        _ = want(.full)
        #expect(try answer(.readFeatures, status: 0x01) == [settings(.legacy, .full)])
    }

    @Test("The session stops the scan before it sets another duty.")
    func change() throws {
        begin(.full)
        #expect(want(.low) == [.send(.setEnable(.legacy, isOn: false))])
        #expect(!session.isScanning)
        #expect(try answer(.setEnable) == [settings(.legacy, .low)])
        #expect(answer(.setParameters) == [.send(.setEnable(.legacy, isOn: true))])
        #expect(answer(.setEnable).isEmpty)
        #expect(session.isScanning)
    }

    @Test("The session does nothing for an unchanged duty.")
    func same() {
        begin(.full)
        #expect(want(.full).isEmpty)
        #expect(session.isScanning)
    }

    @Test("A session that is switched off stops its scan first.")
    func off() {
        begin(.full)
        #expect(want(.off) == [.send(.setEnable(.legacy, isOn: false))])
        #expect(answer(.setEnable) == [.rest])
        #expect(session.deadline == nil)
    }

    @Test("A session that is switched off during a command waits for the pending answer first.")
    func offBetween() throws {
        _ = want(.full)
        #expect(want(.off).isEmpty)
        #expect(answer(.readFeatures, Self.plain) == [.rest])
        _ = want(.full)
        #expect(want(.off).isEmpty)
        #expect(answer(.setParameters) == [.rest])
        _ = want(.full)
        _ = answer(.setParameters)
        #expect(want(.off).isEmpty)
        #expect(answer(.setEnable) == [.send(.setEnable(.legacy, isOn: false))])
        #expect(want(.full).isEmpty)
        #expect(try answer(.setEnable) == [settings(.legacy, .full)])
    }

    @Test("The session leaves another program's scan alone and tries again with growing pauses.")
    func refused() throws {
        _ = want(.full)
        _ = answer(.readFeatures, Self.plain)
        #expect(session.error == nil)
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(answer(.setParameters, status: Self.disallowed).isEmpty)
            #expect(session.error == .shared)
            #expect(session.deadline == now + .seconds(pause))
            now = now + .seconds(pause)
            #expect(try timer() == [settings(.legacy, .full)])
        }
        _ = answer(.setParameters)
        _ = answer(.setEnable)
        #expect(session.error == nil)
    }

    @Test("A session whose scan was refused sends no command to stop a scan.")
    func refusedAndOff() {
        _ = want(.full)
        _ = answer(.readFeatures, Self.plain)
        _ = answer(.setParameters, status: Self.disallowed)
        #expect(session.finalCommand == nil)
        #expect(want(.off) == [.rest])
        #expect(session.error == nil)
    }

    @Test("The session tries legacy commands at once if extended commands are refused.")
    func otherWay() throws {
        _ = want(.full)
        _ = answer(.readFeatures, Self.extended)
        #expect(try answer(.setExtendedParameters, status: Self.disallowed) == [settings(.legacy, .full)])
        #expect(session.error == nil)
        #expect(answer(.setParameters, status: Self.disallowed).isEmpty)
        #expect(session.error == .shared)
        now = now + .seconds(1)
        #expect(try timer() == [settings(.extended, .full)])
        _ = answer(.setExtendedParameters, status: Self.disallowed)
        _ = answer(.setParameters)
        _ = answer(.setEnable)
        #expect(session.isScanning)
    }

    @Test("The error contains the status of a controller that refuses to scan.")
    func unable() {
        _ = want(.full)
        _ = answer(.readFeatures, Self.plain)
        #expect(answer(.setParameters, status: 0x11).isEmpty)
        #expect(session.error == .refused(status: 17))
        #expect(session.deadline == now + .seconds(1))
    }

    @Test("The session sets its scan again after another program has switched the scan.")
    func displaced() throws {
        begin(.full)
        #expect(answer(.setEnable).isEmpty)
        #expect(!session.isScanning)
        #expect(session.finalCommand == nil)
        now = now + .seconds(1)
        #expect(try timer() == [settings(.legacy, .full)])
    }

    @Test("A refused switch by another program changes nothing.")
    func harmless() {
        begin(.full)
        #expect(answer(.setEnable, status: Self.disallowed).isEmpty)
        #expect(answer(HCIOpcode(rawValue: 0x2005)).isEmpty)
        #expect(session.isScanning)
    }

    @Test("A switch by another program shortens a long pause.")
    func hint() throws {
        _ = want(.full)
        _ = answer(.readFeatures, Self.plain)
        for _ in 0..<6 {
            _ = answer(.setParameters, status: Self.disallowed)
            now = session.deadline ?? now
            _ = timer()
        }
        _ = answer(.setParameters, status: Self.disallowed)
        #expect(session.deadline == now + .seconds(60))
        now = now + .seconds(10)
        #expect(answer(.setEnable).isEmpty)
        #expect(session.deadline == now + .seconds(1))
        _ = answer(.setEnable)
        #expect(session.deadline == now + .seconds(1))
    }

    @Test("The session starts again with a controller that was reset.")
    func reset() {
        begin(.full)
        #expect(answer(.reset).isEmpty)
        #expect(!session.isScanning)
        now = now + .seconds(1)
        #expect(timer() == [.send(.readFeatures)])
        _ = want(.off)
        #expect(answer(.reset) == [.rest])
    }

    @Test("The session opens the adapter again if a command is not answered for two seconds.", arguments: 0..<4)
    func silent(answered: Int) {
        _ = want(.full)
        let opcodes: [HCIOpcode] = [.readFeatures, .setParameters, .setEnable]
        for opcode in opcodes.prefix(answered) { _ = answer(opcode, Self.plain) }
        if answered == 3 { _ = want(.off) }
        #expect(session.deadline == now + .seconds(2))
        now = now + .milliseconds(1999)
        #expect(timer().isEmpty)
        now = now + .milliseconds(1)
        #expect(timer() == [.reopen])
        #expect(session.error == .silent)
        #expect(session.deadline == nil)
    }

    @Test("The final command exists from the request of a scan until the scan's end.")
    func parting() {
        #expect(session.finalCommand == nil)
        _ = want(.full)
        _ = answer(.readFeatures, Self.plain)
        #expect(session.finalCommand == nil)
        _ = answer(.setParameters)
        #expect(session.finalCommand == .setEnable(.legacy, isOn: false))
        _ = answer(.setEnable)
        #expect(session.finalCommand == .setEnable(.legacy, isOn: false))
        _ = want(.off)
        #expect(session.finalCommand == .setEnable(.legacy, isOn: false))
        _ = answer(.setEnable)
        #expect(session.finalCommand == nil)
    }

    @Test("The session first stops a scan that was left on, with either set of commands.")
    func leftOn() throws {
        session = ScanSession(mayScan: true)
        _ = want(.full)
        #expect(answer(.readFeatures, Self.extended) == [.send(.setEnable(.extended, isOn: false))])
        #expect(answer(.setExtendedEnable, status: Self.disallowed) == [.send(.setEnable(.legacy, isOn: false))])
        #expect(try answer(.setEnable) == [settings(.extended, .full)])
    }

    @Test("The session stops a scan that was left on even if no scan is requested.")
    func leftOnForNothing() {
        session = ScanSession(mayScan: true)
        #expect(want(.off) == [.send(.readFeatures)])
        #expect(answer(.readFeatures, Self.plain) == [.send(.setEnable(.legacy, isOn: false))])
        #expect(answer(.setEnable) == [.rest])
        #expect(!session.mayScan)
    }

    private func want(_ duty: ScanDuty) -> [ScanSession.Effect] { session.handle(.want(duty), at: now) }

    private func timer() -> [ScanSession.Effect] { session.handle(.timer, at: now) }

    private func answer(
        _ opcode: HCIOpcode, _ parameters: ArraySlice<UInt8> = [], status: UInt8 = 0
    ) -> [ScanSession.Effect] {
        session.handle(.completed(opcode, status: status, parameters: parameters), at: now)
    }

    /// Scans with legacy commands.
    private func begin(_ duty: ScanDuty) {
        _ = want(duty)
        _ = answer(.readFeatures, Self.plain)
        _ = answer(.setParameters)
        _ = answer(.setEnable)
        #expect(session.isScanning)
    }

    private func settings(_ kind: ScanKind, _ duty: ScanDuty) throws -> ScanSession.Effect {
        .send(.setParameters(kind, try #require(ScanTiming(duty))))
    }
}
