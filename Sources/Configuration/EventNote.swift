import Delivery
import Formats
import Quantities
import Tracking
import TrackingOptions
import Upload

extension Configuration {
    /// Returns a note about the first event that a target selects although the options switch it off.
    func noteOnEvents(in file: String) -> ConfigurationError.Problem? {
        let options = options
        for target in targets {
            for selector in target.rules.filter.kinds {
                guard let event = selector.event, let remedy = Self.remedy(selector.kind, event, options) else {
                    continue
                }
                let text =
                    "the target `\(target.name)` selects `\(selector.kind).\(event)`, but the options switch this event off. \(remedy)"
                return .init(file: file, line: nil, text: text)
            }
        }
        return nil
    }

    private static func remedy(_ kind: Record.Kind, _ event: String, _ options: TrackingOptions) -> String? {
        switch kind {
        case .driving where DrivingEvent.Kind(rawValue: event)?.isOverspeed == true:
            options.speedLimit > .zero ? nil : "Set `speedLimit` under `tracking`."
        case .driving:
            options.drivingEvents ? nil : "Set `drivingEvents: true` under `tracking`."
        case .providerchange where event == ProviderChange.State.jammed.rawValue:
            options.jammingLevel > 0 ? nil : "Set `jammingLevel` under `tracking`."
        case .visit:
            options.useVisits ? nil : "Set `useVisits: true` under `tracking`."
        case .location, .motionchange, .transition, .waypoint, .trip, .request, .ping, .providerchange, .power, .health,
            .optionschange, .order:
            nil
        }
    }
}

extension DrivingEvent.Kind {
    fileprivate var isOverspeed: Bool { self == .overspeed || self == .overspeedEnded }
}
