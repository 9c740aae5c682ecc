import Devices
import Hardware
import Quantities
import Testing

@Suite("The wait for the command that halts the board")
struct HaltWaitTests {
    @Test("The command is checked once a second while it runs, so that the loop does not spin.")
    func interval() {
        let halter = SystemHalter(command: ["sleep", "5"])
        halter.halt(wakeAfter: nil, at: .boot)
        for second in 1...3 {
            let due = Instant.boot + .seconds(second)
            #expect(halter.wait == Wait(deadline: due))
            #expect(halter.advance(at: due).isEmpty)
        }
        #expect(halter.wait == Wait(deadline: .boot + .seconds(4)))
    }
}
