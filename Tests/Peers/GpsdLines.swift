/// Lines on port 2947 that a receiver's program must survive.
package enum GpsdLines {
    /// Lines from which libgps 3.22 never returns: the loop of `gps_unpack` begins anew at what it cannot take in.
    package static let endless: [String] = [
        #"{5"class":"TPV"}"#,
        devices((1...5).map { #"{"class":"DEVICE","path":"/dev/gps\#($0)"}"# }.joined(separator: ",")),
        device(#""path":"/dev/\#(String(repeating: "a", count: 130))""#),
        device(#""path":"/dev/a","subtype":"\#(String(repeating: "s", count: 200))""#),
        device(#""path":"/dev/a","subtype1":"\#(String(repeating: "s", count: 200))""#),
        device(#""path":"/dev/a","driver":"\#(String(repeating: "d", count: 70))""#),
        device(#""path":"/dev/a","driver":null"#),
        device(#""path":null"#),
        device(#""path":"/dev/a","bps":"9600""#),
        device(#""path":"/dev/a","new":{"a":1}"#),
        device(#""path":"/dev/a","new":[1,2]"#),
        device(#""path":"/dev/a","activated":[]"#),
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a""#,
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}"#,
    ]

    /// Lines that libgps takes in, in part or by guessing.
    package static let odd: [String] = [
        #"{"class":"DEVICES","devices":{}}"#,
        #"{"class":"DEVICES","devices":"none"}"#,
        #"{"class":"DEVICES","devices":["#,
        #"{"class":"SKY","satellites":[{"PRN":"4"}]}"#,
        #"{"class":"TPV","mode":"3"}"#,
        #"{"class":"TPV","lat":-inf}"#,
        #"{"class":"TPV","new":{"a":[{}]},"mode":3}"#,
        #"{"class":"VERSION","release":{"a":1}}"#,
    ]

    /// All of them.
    package static let all = endless + odd

    private static func device(_ members: String) -> String { devices(#"{"class":"DEVICE",\#(members)}"#) }

    private static func devices(_ list: String) -> String { #"{"class":"DEVICES","devices":[\#(list)]}"# }
}
