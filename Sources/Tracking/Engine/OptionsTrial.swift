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

extension Engine {
    /// The options of a server that are on trial; nil if there are none.
    package var optionsTrial: OptionsTrial? { options.trial }

    /// Applies the options of a server; these options remain if the server receives a record within `OptionsTrial.duration`.
    mutating func trySet(_ layers: [OptionLayer], from target: String, in turn: inout Turn) {
        // If other options are on trial, no upload has succeeded with them. A failure must then restore the options
        // from before the first trial.
        let former = options.trial?.former ?? options.layers.layers.filter { $0.origin == .remote }
        options.trial = OptionsTrial(target: target, former: former)
        turn.effects.arm(.trial, at: turn.now + OptionsTrial.duration)
        set(layers.map { $0.named(target) }, by: .remote, in: &turn)
    }

    /// Arms the timer of a trial that began before a restart.
    mutating func continueTrial(in turn: inout Turn) {
        if options.trial != nil { turn.effects.arm(.trial, at: turn.now + OptionsTrial.duration) }
    }

    /// Ends the trial, because the server has received a record.
    mutating func confirmOptions(by target: String, in turn: inout Turn) {
        guard options.trial?.target == target else { return }
        options.trial = nil
        turn.effects.cancel(.trial)
        turn.effects.decide(.options, "\(target) has received a record, so its options remain")
    }

    /// Restores the earlier options, because no upload has succeeded in time.
    mutating func rollBack(in turn: inout Turn) {
        guard let trial = options.trial else { return }
        options.trial = nil
        turn.effects.decide(
            .options, "\(trial.target) has received no record for 15 minutes; its earlier options apply again")
        set(trial.former, by: .remote, in: &turn)
    }
}

extension Engine {
    /// The layers of options.
    package var optionLayers: OptionLayers { options.layers }

    /// Returns the values of a server that would not apply with these layers, because the server may not set them.
    package func withheld(in layers: OptionLayers, isOnTrip: Bool) -> [OptionAssignment] {
        let rights = configuration.serverRights
        let withheld = layers.resolve(isOnTrip: isOnTrip, under: rights).withheld
        guard beacons.isAnyConfigured, layers.forbidBeacons(isOnTrip: isOnTrip),
            !layers.forbidBeacons(isOnTrip: isOnTrip, under: rights),
            let given = layers.given("beacons", isOnTrip: isOnTrip), !withheld.contains(where: { $0.key == given.key })
        else { return withheld }
        return withheld + [given]
    }
}
