package import Quantities

/// What gpsd and the receiver said.
package enum ReceiverFacts: Sendable, Hashable {
    /// gpsd does not answer, for this reason.
    case noGpsd(reason: String)
    /// gpsd has not got the receiver; these devices it has.
    case noDevice(others: [String])
    /// gpsd cannot use the receiver, for this reason.
    case deviceFailing(device: String, reason: String)
    /// gpsd has the receiver, and nothing has come from it for so long.
    case silent(device: String, span: Duration)
    /// The receiver speaks and has no fix: satellites that it uses and sees.
    case searching(device: String, used: Int, seen: Int)
    /// The receiver has a fix: its error and the satellites that it uses, as far as gpsd says.
    case fix(device: String, error: Metres?, used: Int?)
}
