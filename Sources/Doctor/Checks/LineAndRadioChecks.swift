import Configuration
import TrackingOptions
import Hardware
import Tracking

extension Check {
    package static let bluetooth = Check("bluetooth") { facts in
        guard let board = facts.board, let number = board.bluetooth else { return [] }
        let name = "hci\(number)"
        switch facts.adapter {
        case nil: return []
        case .absent(let others)?:
            let list =
                others.isEmpty
                ? "this computer has no Bluetooth adapter"
                : "this computer has only \(others.map { "hci\($0)" }.joined(separator: ", "))"
            let remedy =
                "Remove `dtoverlay=disable-bt` from config.txt, plug an adapter in, or write `\(facts.section(BoardChange("bluetooth", "none")))`."
            return .fault("\(name) does not exist; \(list).", remedy)
        case .blocked(isHard: true)?:
            return .fault("\(name) is switched off by a hardware switch.", "Turn that switch on.")
        case .blocked(isHard: false)?:
            return .fault("\(name) is switched off by rfkill.", "Run `sudo rfkill unblock bluetooth`.")
        case .down?:
            return .warning(
                "\(name) is down.",
                "Run `sudo systemctl start trackerd-bluetooth@\(name)`; the drop-in `bluetooth.conf` makes the daemon do this too. If the adapter goes down again, see `journalctl -u bluetooth`."
            )
        case .taken?:
            return .fault("another program uses \(name) exclusively.", "End that program.")
        case .noLowEnergy?:
            return .fault(
                "\(name) does not support Bluetooth Low Energy, which beacons need.",
                "Use an adapter of Bluetooth 4.0 or later.")
        case .failing?:
            return .fault("the doctor cannot examine \(name).", "Check `sudo dmesg` for messages about the adapter.")
        case .forbidden(let capabilities)?:
            return .fault(
                "the doctor cannot use \(name) without \(capabilities.joined(separator: " and ")).",
                "The drop-in `bluetooth.conf` grants this permission to the daemon (docs/install.md). For this check, run `sudo trackerd doctor`."
            )
        case .ready?: return .ok("\(name) can scan for beacons.")
        }
    }
}

extension Check {
    package static let lines = Check("lines") { facts in
        facts.lines.map { judge($0, user: facts.user?.name ?? "this user", facts.daemonFaults) }
    }

    /// The name by which the kernel shows that the daemon uses a line.
    static let consumer = "trackerd"

    private static func judge(_ examined: ExaminedLine, user: String, _ daemonFaults: [String]) -> Finding {
        let line = examined.line
        let subject = "`\(examined.key)`, \(line),"
        switch examined.facts {
        case .noChip(let labels):
            let list =
                labels.isEmpty ? "this computer has none" : "this computer has only \(labels.joined(separator: ", "))"
            return .fault(
                "`\(examined.key)`: no GPIO chip has the name \(line.chip); \(list).",
                "Choose the right board (`board` in the configuration, or `--board`), or correct the chip in the board's file."
            )
        case .forbidden: return .fault("\(subject) is not accessible to \(user).", access)
        case .noLine(let names):
            let name = if case .name(let name) = line.line { name } else { "" }
            let hint = Spelling.nearest(to: name, among: names).map { " Did you mean `\($0)`?" } ?? ""
            return .fault("\(subject) does not exist.\(hint)", "Run `gpioinfo` to list the names and numbers.")
        case .held(by: consumer, _):
            guard let fault = daemonFaults.first(where: { $0.hasPrefix("GPIO \(line):") }) else {
                return .ok("\(subject) is in use by the daemon.")
            }
            let end = fault.firstRange(of: ". ")
            return .fault(
                "`\(examined.key)`: \(end.map { "\(fault[..<$0.lowerBound])." } ?? fault)",
                end.map { String(fault[$0.upperBound...]) } ?? "Run `trackerd status`.")
        case .held(let holder, let program):
            let name = holder.isEmpty ? "an unnamed consumer" : "`\(holder)`"
            return .fault(
                "\(subject) is in use by \(program.map { "\(name), the program \($0)" } ?? name).",
                "End that program, remove the line's overlay from config.txt, or use another line.")
        case .free where examined.isWronglyActive:
            return .fault(
                "\(subject) is active, but the supply does not fail.",
                "Check the comparator, its wire and `activeLow`, or write `\(examined.key): none` if nothing is connected."
            )
        case .free: return .ok("\(subject) is free.")
        }
    }
}
