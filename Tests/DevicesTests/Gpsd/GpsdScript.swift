struct GpsdScript: Sendable {
    enum Step: Sendable {
        case line(String)
        case bytes([UInt8])
        case close
    }

    var greeting: [Step] = [
        .line(#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#)
    ]

    var answerToWatch: [Step] = [
        .line(#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/gps0","driver":"NMEA0183"}]}"#),
        .line(#"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false}"#),
    ]

    var answerToDevices: [Step] = []

    var bytesAPump = Int.max

    static func devices(_ paths: String...) -> Step {
        let list = paths.map { #"{"class":"DEVICE","path":"\#($0)","driver":"NMEA0183"}"# }.joined(separator: ",")
        return .line(#"{"class":"DEVICES","devices":[\#(list)]}"#)
    }

    /// Returns a report for one second of a drive to the north at about 10 m/s.
    ///
    /// The report omits members that are nil, and ends with the members in `more`.
    static func report(
        second: Int, speed: Double? = 10, eph: Double? = 6.48, mode: Int = 3, device: String = "/dev/gps0",
        longitude: Double = 4.9, more: String = ""
    ) -> Step {
        var line =
            #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"time":"2026-01-01T07:\#(clock(second)).000Z""#
        if mode >= 2 { line += #","lat":\#(52 + Double(second) / 10_000),"lon":\#(longitude)"# }
        if let speed, mode >= 2 { line += #","speed":\#(speed)"# }
        if let eph, mode >= 2 { line += #","eph":\#(eph)"# }
        return .line(line + more + "}")
    }

    /// gpsd's report on the satellites: the receiver uses two of three.
    static let sky = Step.line(
        #"{"class":"SKY","device":"/dev/gps0","hdop":0.9,"nSat":3,"uSat":2,"satellites":["#
            + #"{"PRN":4,"el":8.0,"az":317.0,"ss":30.0,"used":true},"#
            + #"{"PRN":5,"el":19.0,"az":85.0,"ss":31.0,"used":true},"#
            + #"{"PRN":9,"el":0.0,"az":351.0,"ss":0.0,"used":false}]}"#)

    /// The dilutions of precision, which gpsd may send apart from the satellites.
    static let dilutions = Step.line(
        #"{"class":"SKY","device":"/dev/gps0","xdop":0.5,"ydop":0.6,"vdop":1.3,"tdop":0.8,"hdop":0.9,"#
            + #""gdop":1.8,"pdop":1.6}"#)

    private static func clock(_ second: Int) -> String {
        [second / 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
