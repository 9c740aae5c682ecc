import Glibc
package import Hardware

/// Files of the kernel's that are set while the vehicle is parked, and put back when it moves or the program ends.
///
/// What they held is remembered until the next boot, so that a program that was killed meanwhile puts it back later. Only
/// files that the board names are put back: whoever may write to the memory does not choose what this program writes to.
package final class SystemSettings: PowerSaver {
    package let name = "settings at rest"
    package private(set) var complaint: String?

    private let settings: [RestSetting]
    private let memory: String
    /// What the files held before; nothing while nothing is set.
    private var before: [String: String]
    /// Nothing before the first word.
    private var isResting: Bool?

    /// Takes the settings, and a file that a reboot empties; sets nothing yet.
    package init(_ settings: [RestSetting], memory: String = "/run/trackerd/at-rest") {
        self.settings = settings
        self.memory = memory
        let named = Set(settings.map(\.path))
        let lines = Pseudofile.text(of: memory).split(separator: "\n").map {
            $0.split(separator: "\t").map(String.init)
        }
        let held = lines.filter { $0.count == 2 && named.contains($0[0]) }.map { ($0[0], $0[1]) }
        before = Dictionary(held) { first, _ in first }
    }

    deinit { restore() }

    package func rest(_ isParked: Bool) {
        guard isParked != isResting else { return }
        isResting = isParked
        complaint = nil
        guard isParked else { return restore() }
        for setting in settings {
            guard let held = before[setting.path] ?? Self.read(setting.path) else {
                complain(setting.path, "cannot be read")
                continue
            }
            before[setting.path] = held
        }
        remember()
        for setting in settings where before[setting.path] != nil {
            guard let reason = Pseudofile.write(setting.value, to: setting.path) else { continue }
            before[setting.path] = nil
            complain(setting.path, reason)
        }
    }

    private func restore() {
        for (path, held) in before {
            if let reason = Pseudofile.write(held, to: path) { complain(path, reason) } else { before[path] = nil }
        }
        remember()
    }

    private func remember() {
        guard !before.isEmpty else {
            unlink(memory)
            return
        }
        let lines = before.sorted { $0.key < $1.key }.map { "\($0)\t\($1)" }.joined(separator: "\n")
        if let reason = Pseudofile.replace(memory, by: lines) { complain(memory, reason) }
    }

    private func complain(_ path: String, _ reason: String) {
        complaint =
            "\(path): cannot be set while parked (\(reason)). Install trackerd's tmpfiles.d rules, or leave it out."
    }

    /// What a file holds; of a list of choices, such as a light's triggers, the one in brackets.
    private static func read(_ path: String) -> String? {
        let words = Pseudofile.text(of: path).split { $0 == " " || $0 == "\n" }
        let chosen = words.first { $0.hasPrefix("[") && $0.hasSuffix("]") }
        return chosen.map { String($0.dropFirst().dropLast()) } ?? words.first.map(String.init)
    }
}
