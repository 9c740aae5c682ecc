import TrackingOptions

struct RadarPreset {
    enum Name: String, CaseIterable { case efficient, responsive, continuous }

    private let name: Name
    /// The platform of this spelling (`RESPONSIVE` on Android, `presetResponsive` on iOS); nil if both use it.
    let platform: OptionPlatform?

    /// Accepts the spelling of either platform, of the dashboard, and of trackerd's profiles, with or without a type in front.
    init?(_ text: String) {
        let last = text.split(separator: ".").last.map(String.init) ?? ""
        let (prefix, suffix) = ("preset", "-ios")
        var word = last.lowercased()
        if word.hasPrefix(prefix) {
            word.removeFirst(prefix.count)
            platform = .ios
        } else if word.hasSuffix(suffix) {
            word.removeLast(suffix.count)
            platform = .ios
        } else {
            platform = last == last.uppercased() ? .android : nil
        }
        guard let name = Name(rawValue: word) else { return nil }
        self.name = name
    }

    func profile(on platform: OptionPlatform) -> Profile? {
        switch platform {
        case .ios: .named("\(name.rawValue)-ios")
        case .android: .named(name.rawValue)
        }
    }
}
