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
            status = try ControlClient(path: socket).ask(StatusRequest.self)
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

    /// Contains no coordinate if `trackLastKnownLocation` is off.
    private static func place(_ status: Status) -> String {
        guard let location = status.location else {
            let accuracy = status.fix?.accuracy_m.map { " ±\(Int($0.rounded(.up))) m" } ?? ""
            return "Position known\(accuracy)"
        }
        let accuracy = location.accuracy_m.map { " (±\(Int($0.rounded(.up))) m)" } ?? ""
        return "Position \(location.lat), \(location.lon)\(accuracy)"
    }
}

enum SystemService {
    /// True if systemd runs and the service is installed.
    static var isThere: Bool {
        access("/run/systemd/system", F_OK) == 0 && run(["cat", "trackerd.service"], quietly: true) == 0
    }

    /// Starts the service now and at each start of the computer.
    static func start() -> Bool {
        run(["enable", "trackerd.service"], quietly: true) == 0 && run(["restart", "trackerd.service"]) == 0
    }

    /// Returns the exit status of systemctl; -1 if it cannot be run, or if a signal ends it.
    private static func run(_ arguments: [String], quietly: Bool = false) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if quietly {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        let words = (["systemctl"] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        guard posix_spawnp(&child, "systemctl", &actions, nil, words + [nil], environ) == 0 else { return -1 }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? status >> 8 & 0xff : -1
    }
}
