/// Why gpsd does not do what its control socket is told.
package enum GpsdControlTrouble: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nobody is at the socket.
    case absent(String, reason: String)
    /// Somebody is there, but does not answer.
    case silent(String)
    /// gpsd cannot write to the receiver.
    case refused(String, device: String)

    /// What was attempted, what happened, and what the user can do.
    package var description: String {
        switch self {
        case .absent(let path, let reason):
            "\(path): gpsd cannot be told of its device (\(reason)). Let gpsd run with `-F \(path)`, readable by trackerd."
        case .silent(let path):
            "\(path): gpsd does not answer. See `journalctl -u gpsd`."
        case .refused(let path, let device):
            "\(path): gpsd cannot send to \(device). Let it run with `-n` and without `-b`, and see what it lists there."
        }
    }
}
