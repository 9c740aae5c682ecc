import Configuration
import Quantities

extension Check {
    package static let configuration = Check("configuration", isVital: true) { facts in
        switch facts.configuration {
        case nil: return []
        case .wrong(let problems)?:
            return problems.map { .fault($0.description, "Correct the file, then run the doctor again.") }
        case .right(let path, 0, let notes)?:
            let remedy = "Add a target under `targets`, or export the records from this computer."
            return notes.map(note) + [.warning("\(path) contains no target, so trackerd uploads no records.", remedy)]
        case .right(let path, let targets, let notes)?:
            return notes.map(note) + [.ok("\(path) is valid, with \(targets) \(targets == 1 ? "target" : "targets").")]
        }
    }

    private static func note(_ note: ConfigurationError.Problem) -> Finding {
        .warning(note.description, note.mayBeIntended ? "If you intend this setting, ignore the warning." : nil)
    }
}

extension Check {
    package static let user = Check("user") { facts in
        guard let user = facts.user else { return [] }
        if user.isRoot {
            let remedy = "Run `sudo -u trackerd trackerd doctor` to check the daemon's permissions."
            return .warning("You are root, so permission checks prove nothing about the daemon.", remedy)
        }
        guard user.isInGroup else {
            let remedy = "Run `sudo adduser \(user.name) trackerd` and log in again."
            return .warning(
                "\(user.name) is not in the group trackerd, so this user's commands cannot control the daemon.", remedy)
        }
        return .ok("\(user.name) is in the group trackerd.")
    }
}

extension Check {
    package static let database = Check("database", isVital: true) { facts in
        switch facts.store {
        case nil: return []
        case .unusable(let words)?:
            return .fault(
                words,
                "If the daemon's user cannot use the file either, the daemon records only in memory until you correct the fault. If a newer version wrote the file, the daemon does not start."
            )
        case .damaged(let words)?:
            return .fault(
                words,
                "When the daemon finds the damage, at the latest at its next start, it sets the file aside. It then copies the readable records into a new file."
            )
        case .working(let path, let free_bytes)? where free_bytes < leastFree_bytes:
            return .fault(
                "\(path) is writable; the disk has \(free_bytes / 1_000_000) MB left.",
                "Free some space, for example with `sudo journalctl --vacuum-size=50M` and `sudo apt-get clean`.")
        case .working(let path, let free_bytes)?:
            return .ok("\(path) is writable; the disk has \(free_bytes / 1_000_000) MB left.")
        }
    }

    /// Room for SQLite's journal and for the records of a day, each smaller than a kilobyte.
    private static let leastFree_bytes = 20_000_000
}

extension Check {
    package static let clock = Check("clock") { facts in
        guard let clock = facts.clock else { return [] }
        let command = "To set the computer's clock from the receiver, run `sudo trackerd-clock on`."
        switch (clock.isSynchronised, clock.hasTimeOfFix, clock.isSetByReceiver) {
        case (true, _, _): return .ok("a time server or GPS has set the clock.")
        case (false, true, false):
            return .ok("the clock is not set, but the receiver provides the time. \(command)")
        case (false, true, true):
            return .ok("the clock is not set yet; chrony sets it once the receiver has had a fix for some seconds.")
        case (false, false, let isSetByReceiver):
            return .warning(
                "the clock is not set, and no fix has provided the time; at the first fix, trackerd corrects the times of earlier records.",
                "Connect to a network, or wait for a fix.\(isSetByReceiver ? "" : " \(command)")")
        }
    }
}
