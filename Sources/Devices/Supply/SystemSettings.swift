package import Hardware

/// Files of the kernel's that are set while the vehicle is parked, and put back when it moves or the program ends.
package final class SystemSettings: PowerSaver {
    package let name = "settings at rest"
    package private(set) var complaint: String?

    private let settings: [RestSetting]
    /// What the files held before; nothing while nothing is set.
    private var before: [String: String] = [:]
    private var isResting = false

    /// Takes the settings; touches nothing yet.
    package init(_ settings: [RestSetting]) { self.settings = settings }

    deinit { restore() }

    package func rest(_ isParked: Bool) {
        guard isParked != isResting else { return }
        isResting = isParked
        complaint = nil
        guard isParked else { return restore() }
        for setting in settings {
            guard let held = Self.read(setting.path) else { return complain(setting.path, "cannot be read") }
            if let reason = Pseudofile.write(setting.value, to: setting.path) { return complain(setting.path, reason) }
            before[setting.path] = held
        }
    }

    private func restore() {
        for setting in settings {
            guard let held = before.removeValue(forKey: setting.path) else { continue }
            if let reason = Pseudofile.write(held, to: setting.path) { complain(setting.path, reason) }
        }
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
