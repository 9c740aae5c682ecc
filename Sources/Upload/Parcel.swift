/// What goes over the wire for one or more records: the same records give the same bytes each time.
package struct Parcel: Sendable, Hashable {
    /// A line of an HTTP request's head.
    package struct Header: Sendable, Hashable {
        /// Such as `X-Limit-U`.
        package let name: String
        /// Free of control characters.
        package let value: String

        /// Makes a line.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The body or the payload.
    package let body: [UInt8]
    /// Its media type, for HTTP.
    package let contentType: String
    /// More lines of the head, for HTTP.
    package let headers: [Header]
    /// Where it is published, for MQTT.
    package let topic: String
    /// Whether the broker keeps it for those who come later, for MQTT.
    package let retain: Bool

    /// Makes a parcel.
    package init(body: [UInt8], contentType: String, headers: [Header] = [], topic: String = "", retain: Bool = false) {
        self.body = body
        self.contentType = contentType
        self.headers = headers
        self.topic = topic
        self.retain = retain
    }
}

/// What a format makes of records.
package enum Packing: Sendable, Hashable {
    /// Something to send.
    case parcel(Parcel)
    /// Nothing: the format has no words for these records, and the target does not get them.
    case withheld
    /// Nothing, though there should be: the records cannot be written down.
    case impossible(reason: String)
}
