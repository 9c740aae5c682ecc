import Control
import Glibc
import Quantities

struct FirstPosition {
    let socket: String
    let patience: Duration

    private static let pause_us: UInt32 = 2_000_000

    func wait(clock: () -> Instant, report: (String) -> Void) -> Bool {
        let end = clock() + patience
        var last = ""
        while clock() < end {
            let (line, isDone) = progress()
            if line != last { report(line) }
            if isDone { return true }
            last = line
            usleep(Self.pause_us)
        }
        report(
            "trackerd has not recorded and delivered a position within \(Int(patience.inSeconds)) s. Run `sudo trackerd status` and `sudo -u trackerd trackerd doctor`."
        )
        return false
    }

    private func progress() -> (line: String, isDone: Bool) {
        let status: Status
        do {
            status = try ControlClient(path: socket).ask(
                StatusRequest.manual.name, [], waits: false, as: Status.self)
        } catch ControlClientError.noDaemon {
            return ("The daemon is starting …", false)
        } catch {
            return ("\(error)", false)
        }
        guard status.fix != nil else {
            let state = status.receiver.on ? "the receiver is on and has no fix yet" : "the receiver is off"
            return (
                status.deviceFaults.first ?? "No position yet: \(state). The antenna needs a view of the sky.", false
            )
        }
        let place = Self.place(status)
        if let fault = status.queue.fault { return ("\(place). \(fault)", false) }
        if let target = status.queue.targets.first(where: { $0.set_aside > 0 }) {
            return ("\(place). \(target.name): records are set aside; `trackerd queue` shows the reason.", false)
        }
        let late = status.queue.targets.filter { $0.waiting != 0 || status.queue.in_memory > 0 }
        guard let first = late.first else {
            let names = status.queue.targets.map(\.name)
            return (
                names.isEmpty ? "\(place): recorded." : "\(place): received by \(names.joined(separator: ", ")).", true
            )
        }
        return (first.fault.map { "\(place). \(first.name): \($0)" } ?? "\(place); waiting for \(first.name).", false)
    }

    /// None if `trackLastKnownLocation` is off.
    private static func place(_ status: Status) -> String {
        guard let location = status.location else {
            let accuracy = status.fix?.accuracy_m.map { " ±\(Int($0.rounded(.up))) m" } ?? ""
            return "Position known\(accuracy)"
        }
        let accuracy = location.accuracy_m.map { " (±\(Int($0.rounded(.up))) m)" } ?? ""
        return "Position \(location.lat), \(location.lon)\(accuracy)"
    }
}
