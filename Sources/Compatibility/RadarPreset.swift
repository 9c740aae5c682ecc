import TrackingOptions

/// A preset of Radar, as a text names it.
struct RadarPreset {
    enum Name: String, CaseIterable { case efficient, responsive, continuous }

    private let name: Name
    /// The platform that uses this spelling, such as `RESPONSIVE` on Android or `presetResponsive` on iOS; nil if both platforms
    /// use it.
    let platform: OptionPlatform?

    /// Reads the name in the spelling of either platform, of the dashboard, or of trackerd's profiles, with or without a type in
    /// front of the name; nil for an unknown name.
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

    /// Returns the profile with the figures of the table for this platform.
    func profile(on platform: OptionPlatform) -> Profile? {
        switch platform {
        case .ios: .named("\(name.rawValue)-ios")
        case .android: .named(name.rawValue)
        }
    }
}
