package import Quantities

/// How far a server may reduce what the tracker records and sends, without the permission `silence`.
///
/// A server may always set a value that reduces no more than the present value does.
package struct ServerLimits: Sendable, Hashable {
    /// The longest interval between records or uploads that a server may set.
    package var interval = Duration.seconds(3600)
    /// The longest `distanceFilter` that a server may set.
    package var distance = Metres(10_000)
    /// The smallest `accuracyLimit` that a server may set; a smaller limit would reject too many fixes.
    package var accuracy = Metres(50)

    /// The usual limits.
    package init() {}
}

/// The section `serverLimits` of the configuration file.
enum ServerLimitsSection {
    /// Reads the section; a missing key has its usual value.
    static func read(_ file: inout MappingReader) -> ServerLimits {
        file.mapping("serverLimits") { section in
            var limits = ServerLimits()
            limits.interval = section.duration("interval", .seconds(60) ... .seconds(86_400)) ?? limits.interval
            limits.distance = section.integer("distance", 10...1_000_000).map { Metres(Double($0)) } ?? limits.distance
            limits.accuracy = section.integer("accuracy", 5...10_000).map { Metres(Double($0)) } ?? limits.accuracy
            return limits
        } ?? ServerLimits()
    }
}
