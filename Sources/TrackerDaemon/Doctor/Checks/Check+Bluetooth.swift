import Hardware

extension Check {
    /// Whether beacons can be heard.
    static let bluetooth = Check("bluetooth") { facts in
        guard let number = facts.board?.bluetooth else { return [] }
        let name = "hci\(number)"
        switch facts.adapter {
        case nil: return []
        case .absent(let others)?:
            let list =
                others.isEmpty ? "there is none" : "there is \(others.map { "hci\($0)" }.joined(separator: ", "))"
            let mend =
                "Take `dtoverlay=disable-bt` out of config.txt, plug an adapter in, or write `board: {bluetooth: none}`."
            return [.fault("\(name) does not exist; \(list).", mend)]
        case .blocked(isHard: true)?:
            return [.fault("\(name) is switched off by a switch of the computer.", "Switch it on there.")]
        case .blocked(isHard: false)?:
            return [.fault("\(name) is switched off by rfkill.", "Run `sudo rfkill unblock bluetooth`.")]
        case .down?:
            return [
                .warning(
                    "\(name) is down; the daemon switches it on when it listens.",
                    "If it goes down again, see `journalctl -u bluetooth`.")
            ]
        case .taken?:
            return [.fault("\(name) is taken by another program, for itself alone.", "End that program.")]
        case .noLowEnergy?:
            return [
                .fault(
                    "\(name) knows no Bluetooth Low Energy, and hears no beacons.",
                    "Use an adapter of Bluetooth 4.0 or later.")
            ]
        case .failing?: return [.fault("\(name) cannot be looked at.", "See what `dmesg` says about it.")]
        case .forbidden(let capabilities)?:
            return [
                .fault(
                    "\(name) may not be listened to without \(capabilities.joined(separator: " and ")).",
                    "The unit file gives it to the daemon; here run `sudo trackerd doctor`.")
            ]
        case .ready?: return [.ok("\(name) can listen for beacons.")]
        }
    }
}
