import Foundation
import Glibc
import Peers

/// A Bluetooth adapter that hears the given beacons: `Lab/vm-beacons`.
///
/// The adapter is plugged in while the object exists.
final class LabBeacons {
    struct Beacon {
        let uuid: String
        let major: Int
        let minor: Int
        /// The signal strength at the adapter, and at one metre, in dBm.
        var rssi = -60
        var measuredPower = -59
        var interval_s = 0.3
    }

    private let controller: Child

    /// Plugs the adapter in, and waits until the kernel has registered it. As after a boot, the kernel switches it off after
    /// two seconds.
    init(_ beacons: [Beacon] = []) throws {
        try? FileManager.default.removeItem(atPath: Self.state)
        try Self.set(beacons)
        controller = try Child(Lab.root.path + "/Lab/vm-beacons", [])
        guard eventually({ Self.isPluggedIn }) else { throw PeerMissing(name: "the adapter") }
    }

    deinit { unplug() }

    func unplug() { controller.kill() }

    static var isPluggedIn: Bool { access("/sys/class/bluetooth/hci0", F_OK) == 0 }

    static func set(_ beacons: [Beacon]) throws {
        let lines = beacons.map {
            "\($0.uuid) \($0.major) \($0.minor) \($0.rssi) \($0.measuredPower) \($0.interval_s)\n"
        }
        // The adapter reads the file repeatedly, so this function replaces the whole file at once.
        try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: file + ".new"))
        guard rename(file + ".new", file) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// The adapter's settings, such as `scan`, `active`, `window` and `filter_duplicates`, and the number of
    /// `frames` that it has passed on; empty before the first setting.
    static var asked: [String: Int] {
        let words = (try? Lab.read(state))?.split(separator: " ") ?? []
        let pairs = words.map { $0.split(separator: "=") }.filter { $0.count == 2 }
        return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), Int($0[1]) ?? 0) })
    }

    private static let file = Lab.folder + "/beacons"
    private static let state = Lab.folder + "/bluetooth"
}
