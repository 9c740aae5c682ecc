import Glibc
package import Hardware
import Motion

package struct SystemFileProbe: SystemProbe {
    package init() {}

    package func file(_ path: String) -> FileFacts {
        guard access(path, F_OK) == 0 else { return .missing }
        return access(path, R_OK | W_OK) == 0 ? .usable : .forbidden
    }

    package func haltRight() -> HaltRight {
        let answer = Self.output(
            of: "busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager CanPowerOff")
        // The answer is a string in D-Bus notation, such as `s "yes"`.
        if answer.contains("\"yes\"") { return .allowed }
        return answer.contains("\"no\"") || answer.contains("\"challenge\"") ? .forbidden : .unknown
    }

    package func gpsdOptions() -> [String]? {
        for process in Pseudofile.names(in: "/proc") where Int(process) != nil {
            guard Pseudofile.text(of: "/proc/\(process)/comm") == "gpsd" else { continue }
            let words = Pseudofile.text(of: "/proc/\(process)/cmdline").split(separator: "\0").map(String.init)
            return Self.options(in: Array(words.dropFirst()))
        }
        return nil
    }

    package func bootSettings() -> [String: String] { Self.settings(in: Self.output(of: "vcgencmd bootloader_config")) }

    /// `-nb` becomes `-n` and `-b`; words without a hyphen stay.
    static func options(in words: [String]) -> [String] {
        words.flatMap { word in
            guard word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 2 else { return [word] }
            return word.dropFirst().map { "-\($0)" }
        }
    }

    /// Reads lines `KEY=VALUE`; skips sections and comments.
    static func settings(in text: String) -> [String: String] {
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            guard let sign = line.firstIndex(of: "="), !line.hasPrefix("#") else { return nil }
            return (String(line[..<sign]), String(line[line.index(after: sign)...]))
        }
        return Dictionary(pairs) { _, last in last }
    }

    /// Returns the output of a command within at most five seconds; empty if it cannot be started.
    private static func output(of command: String) -> String {
        guard let stream = popen("timeout 5 \(command) 2>/dev/null", "r") else { return "" }
        defer { pclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = fread(&bytes, 1, bytes.count, stream)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

package struct INA219Probe: MonitorProbe {
    package init() {}

    package func monitor(_ wiring: SupplyWiring.Monitor) -> MonitorFacts {
        do throws(BusError) {
            let bus = I2CBus(path: wiring.bus, address: wiring.address)
            let (chip, voltage) = try BatteryMonitor.reading(on: bus, wiring)
            return chip.once == nil ? .foreign(chip.name) : .measures(voltage)
        } catch {
            switch error.reason {
            case .noAnswer: return .absent
            case .forbidden: return .forbidden
            case .busy, .gone, .taken, .other: return .failing(error.cause)
            }
        }
    }
}
