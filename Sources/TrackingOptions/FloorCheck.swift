import Quantities

package struct FloorCheck {
    private let owned: TrackingOptions
    private let limits: ServerLimits

    package init(owned: TrackingOptions, limits: ServerLimits) { (self.owned, self.limits) = (owned, limits) }

    package func forbiddenKeys(in after: TrackingOptions) -> [String] {
        TrackingOption.all.filter { $0.floor == .forbidden && !isUnchanged($0, in: after) }.map(\.key)
    }

    package func silencingKeys(in after: TrackingOptions) -> [String] {
        TrackingOption.all.filter { !isUnchanged($0, in: after) && silences($0, in: after) }.map(\.key)
    }

    private func silences(_ option: TrackingOption, in after: TrackingOptions) -> Bool {
        switch option.floor {
        case .harmless, .forbidden: false
        case .needsSilence: true
        case .number(let from, let to, let zero): silences(option, from: from, to: to, zero: zero, in: after)
        case .words(let words, let last):
            rank(of: option, in: after, words)
                > max(words.firstIndex(of: last) ?? 0, rank(of: option, in: owned, words))
        case .staysOn: option.value(in: after) == .flag(false)
        case .staysOff(let key): option.value(in: after) == .flag(true) && exceedsItsLimits(key, in: after)
        case .track: losesTrack(option, in: after)
        }
    }

    private func silences(
        _ option: TrackingOption, from: ServerFloor.Limit?, to: ServerFloor.Limit?, zero: ServerFloor.Zero,
        in after: TrackingOptions
    ) -> Bool {
        guard let number = option.value(in: after).number else { return false }
        var present = [option.value(in: owned).number].compactMap(\.self)
        switch zero {
        case .ordinary: break
        case .off where present.contains(0): return false
        case .off where number == 0: return true
        case .track where number == 0: return losesTrack(option, in: after)
        case .harmless where number == 0: return false
        case .off, .track, .harmless: present.removeAll { $0 == 0 }
        }
        let least = from.map { (present + [self.number($0)].compactMap { $0 }).min() ?? 0 }
        let most = to.map { (present + [self.number($0)].compactMap { $0 }).max() ?? 0 }
        return least.map { number < $0 } ?? false || most.map { number > $0 } ?? false
    }

    /// The limit as a number; nil for `owner`, which sets no other limit than the owner's value.
    private func number(_ limit: ServerFloor.Limit) -> Double? {
        switch limit {
        case .interval: limits.interval.inSeconds
        case .distance: limits.distance.value
        case .accuracy: limits.accuracy.value
        case .owner: nil
        case .fixed(let number): number
        }
    }

    /// True if the number is above the upper limit of its own floor; the owner's value makes no difference here.
    private func exceedsItsLimits(_ key: String, in after: TrackingOptions) -> Bool {
        guard let option = TrackingOption.named(key), case .number(_, let to?, _) = option.floor,
            let limit = number(to), let number = option.value(in: after).number
        else { return false }
        return number > limit
    }

    /// True if no rule records a regular track any more, and this option has switched one off.
    private func losesTrack(_ option: TrackingOption, in after: TrackingOptions) -> Bool {
        let hasTrack = owned.recordsRegularTrack
        let value = option.value(in: after)
        return hasTrack && !after.recordsRegularTrack && (value.isZero || value == .flag(false))
    }

    /// Words that are not in the list are last.
    private func rank(of option: TrackingOption, in options: TrackingOptions, _ words: [String]) -> Int {
        guard case .choice(let word) = option.value(in: options) else { return words.count }
        return words.firstIndex(of: word) ?? words.count
    }

    private func isUnchanged(_ option: TrackingOption, in after: TrackingOptions) -> Bool {
        option.value(in: owned) == option.value(in: after)
    }
}
