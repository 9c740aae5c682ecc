import Glibc
package import Hardware
package import Quantities

/// Sets files of the kernel while the vehicle is parked, and restores them when it moves or the program ends. The
/// former values are stored until the next boot, so that the next run can restore them after a kill. Only files that
/// the board file lists are restored, so write access to the stored values does not allow writing to other files.
package final class SystemSettings: PowerSaver {
    package var name: String { "settings at rest" }
    package var fault: (any Fault)? { error }

    private let settings: [RestSetting]
    private let memory: String
    /// The former values by file; empty if no file is set.
    private var before: [String: String]
    /// Nil before the first call of `rest`.
    private var isResting: Bool?
    private var error: RestSettingError?

    /// Sets no file yet. The file `memory` keeps the former values, and must not survive a reboot.
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

    package func close(at now: Instant, by deadline: Instant) { restore() }

    package func rest(_ isParked: Bool) {
        guard isParked != isResting else { return }
        isResting = isParked
        error = nil
        guard isParked else { return restore() }
        for setting in settings {
            guard let held = before[setting.path] ?? Self.read(setting.path) else {
                error = RestSettingError(path: setting.path, reason: "it cannot be read")
                continue
            }
            before[setting.path] = held
        }
        remember()
        for setting in settings where before[setting.path] != nil {
            guard let reason = Pseudofile.write(setting.value, to: setting.path) else { continue }
            before[setting.path] = nil
            error = RestSettingError(path: setting.path, reason: reason)
        }
    }

    private func restore() {
        for (path, held) in before {
            if let reason = Pseudofile.write(held, to: path) {
                error = RestSettingError(path: path, reason: reason)
            } else {
                before[path] = nil
            }
        }
        remember()
    }

    private func remember() {
        guard !before.isEmpty else {
            unlink(memory)
            return
        }
        let lines = before.sorted { $0.key < $1.key }.map { "\($0)\t\($1)" }.joined(separator: "\n")
        if let reason = Pseudofile.replace(memory, by: lines) {
            error = RestSettingError(path: memory, reason: reason)
        }
    }

    /// Returns the word in brackets, which marks the choice in a list such as a light's triggers, or the first word.
    private static func read(_ path: String) -> String? {
        let words = Pseudofile.text(of: path).split { $0 == " " || $0 == "\n" }
        let chosen = words.first { $0.hasPrefix("[") && $0.hasSuffix("]") }
        return chosen.map { String($0.dropFirst().dropLast()) } ?? words.first.map(String.init)
    }
}

package struct RestSettingError: Fault {
    package let path: String
    package let reason: String

    package var severity: FaultSeverity { .degraded }
    package var subject: String { path }
    package var cause: String { "the setting for a parked vehicle cannot be changed (\(reason))" }
    package var remedy: String? {
        "Install trackerd's tmpfiles.d and udev rules, or remove the setting from the board file."
    }
}
