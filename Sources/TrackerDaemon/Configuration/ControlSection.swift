import FoundationEssentials
import Yams

/// The section `control` of the configuration file: where the commands of trackerd find the daemon.
package enum ControlSection {
    /// Where the socket lies when nothing else is written; the folder is made by systemd.
    package static let defaultSocket = "/run/trackerd/control.sock"

    /// Reads the path of the socket.
    static func read(_ file: inout MappingReader) -> String {
        file.mapping("control") { $0.string("socket") } ?? defaultSocket
    }

    /// The path of the socket for a command that only wants to talk to the daemon.
    ///
    /// A file that such a command may not read, or that has got a mistake since the daemon started, is no reason not
    /// to talk to it: then it is looked for in the usual place.
    package static func socket(in path: String) -> String {
        guard let data = FileManager.default.contents(atPath: path) else { return defaultSocket }
        let node = try? Yams.compose(yaml: String(decoding: data, as: UTF8.self))
        return node?["control"]?["socket"]?.scalar?.string ?? defaultSocket
    }
}
