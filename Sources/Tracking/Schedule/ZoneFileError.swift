/// Why bytes are no time zone that can be used.
package enum ZoneFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// It does not begin as such files do.
    case notAZoneFile
    /// It ends before all that it promises.
    case truncated(needed: Int, has: Int)
    /// It holds what cannot be; `what` names that.
    case damaged(what: String)
    /// Its seconds count leap seconds, which the system clock does not.
    case leapSeconds

    /// What is wrong and the mend, to be written after the name of the file and a colon.
    package var description: String {
        switch self {
        case .notAZoneFile:
            "no time zone: it does not begin with `TZif`. Name a zone such as `Europe/Berlin`."
        case .truncated(let needed, let has):
            "ends after \(has) bytes where at least \(needed) belong. Install the package tzdata anew."
        case .damaged(let what):
            "damaged: \(what). Install the package tzdata anew."
        case .leapSeconds:
            "counts leap seconds, and the system clock does not. Name the zone without `right/`."
        }
    }
}
