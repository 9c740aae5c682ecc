/// A synthetic drive to the east, with an accelerometer that vibrates while the vehicle moves, and a fix every second.
struct SyntheticDrive {
    private(set) var length_s = 0
    private var longitude = Self.start
    private var rows = ["t_s,ax,ay,az,lat,lon,alt_m,speed_mps,course_deg,hacc_m"]

    /// The horizontal error of the next fixes, in metres; nil if the receiver reports no fixes.
    var accuracy_m: Int? = 4

    /// The drive in the form that `trackerd replay` reads.
    var csv: String { rows.joined(separator: "\n") + "\n" }

    /// Adds this number of seconds at rest; if `isShaken` is true, the accelerometer vibrates although the vehicle stands.
    mutating func stand(_ seconds: Int, isShaken: Bool = false) {
        add(seconds, speed: 0, shaking: isShaken ? 0.8 : 0.01)
    }

    /// `speed` is in m/s.
    mutating func drive(_ seconds: Int, at speed: Double) { add(seconds, speed: speed, shaking: 0.8) }

    /// Moves the vehicle by this distance at once and without vibration, as a ferry or a smooth tow does between two fixes.
    mutating func move(metres: Double) { longitude += metres / Self.metresPerDegree }

    /// Returns the distance of a longitude from the start of the drive, in metres.
    static func metres(to longitude: Double) -> Double { (longitude - start) * metresPerDegree }

    private static let start = 13.405
    /// For degrees of longitude at 52.52° north.
    private static let metresPerDegree = 67_660.0

    private mutating func add(_ seconds: Int, speed: Double, shaking: Double) {
        for second in length_s..<length_s + seconds {
            for sample in 0..<5 {
                let force = sample.isMultiple(of: 2) ? shaking : -shaking
                let fix = sample == 0 ? self.fix(at: speed) : nil
                let time = Double(second) + Double(sample) / 5
                rows.append("\(time),\(force),\(-force),\(9.81 + force),\(fix ?? ",,,,,")")
            }
            longitude += speed / Self.metresPerDegree
        }
        length_s += seconds
    }

    /// Returns the columns of a fix; nil if the receiver reports none.
    private func fix(at speed: Double) -> String? {
        accuracy_m.map { "52.52,\(longitude),40,\(speed),\(speed > 0 ? "90" : ""),\($0)" }
    }
}
