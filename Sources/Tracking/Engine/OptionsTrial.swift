package import TrackingOptions
import Quantities

/// A trial of the options that a server has sent; it ends when an upload to that server succeeds with these options.
///
/// If no upload succeeds within `duration`, the engine restores the earlier options. Without this rule, one wrong order
/// could permanently cut the vehicle off from its server. After a restart the trial lasts the whole `duration` again.
package struct OptionsTrial: Sendable, Hashable, Codable {
    /// The target whose server has sent the options.
    package var target: String
    /// The options of servers that were in force before the trial.
    package var former: [OptionLayer]

    /// The time within which an upload must succeed.
    package static let duration: Duration = .seconds(900)

    /// Makes a trial.
    package init(target: String, former: [OptionLayer]) { (self.target, self.former) = (target, former) }
}
