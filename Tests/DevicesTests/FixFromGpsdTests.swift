import CGpsd
import Devices
import Quantities
import Testing
import Tracking

@Suite("A fix out of gpsd's report")
struct FixFromGpsdTests {
    @Test("has all that the report has")
    func everything() {
        let dilution = Dilution(horizontal: 0.8, vertical: 1.3, position: 1.5)
        let fix = Fix(full, sky: Sky(satellites: 9, dilution: dilution))
        #expect(fix.mode == .threeDimensional)
        #expect(fix.time == Timestamp(milliseconds: 1_767_252_600_250))
        #expect(fix.coordinate == Coordinate(latitude: 52.374, longitude: 4.889))
        #expect(fix.altitude == Metres(3))
        #expect(fix.ellipsoidAltitude == Metres(46.1))
        #expect(fix.speed == MetresPerSecond(13.06))
        #expect(fix.course == Degrees(212))
        #expect(fix.climb == MetresPerSecond(-0.4))
        #expect(fix.satellites == 9)
        #expect(fix.hdop == 0.8)
        #expect(fix.vdop == 1.3)
        #expect(fix.pdop == 1.5)
        #expect(fix.jamming == 37)
    }

    @Test("has 68 % errors where gpsd gives 95 % ones")
    func errors() throws {
        let fix = Fix(full)
        #expect(fix.accuracy == Metres(9.72 / 1.62))
        #expect(fix.verticalAccuracy == Metres(19.6 / 1.96))
        #expect(fix.speedAccuracy == MetresPerSecond(0.98 / 1.96))
    }

    @Test("combines the errors to the east and to the north when gpsd gives no other")
    func combined() {
        var report = full
        report.eph_m = .nan
        report.epx_m = 3.24
        report.epy_m = 4.32
        #expect(Fix(report).accuracy == Metres(5.4 / 1.62))
        report.epy_m = .nan
        #expect(Fix(report).accuracy == nil)
    }

    @Test("knows nothing where gpsd says nothing")
    func nothing() {
        #expect(Fix(silent(mode: 3)) == Fix(mode: .threeDimensional))
        #expect(Fix(silent(mode: 0)) == Fix(mode: .unknown))
        #expect(Fix(silent(mode: 7)) == Fix(mode: .unknown))
    }

    @Test("has no position that gpsd repeats without a fix, and keeps the time", arguments: [0, 1])
    func stale(mode: Int32) {
        var report = full
        report.mode = mode
        let fix = Fix(report)
        #expect(fix.coordinate == nil)
        #expect(fix.speed == nil)
        #expect(fix.accuracy == nil)
        #expect(fix.time != nil)
    }

    @Test("is told of jamming without a fix too, when there is most of it")
    func jammed() {
        var report = full
        report.mode = 1
        #expect(Fix(report).jamming == 37)
    }

    @Test("does not take for jamming what is not on its scale", arguments: [-1, 256] as [Int32])
    func unsaid(jamming: Int32) {
        var report = full
        report.jamming = jamming
        #expect(Fix(report).jamming == nil)
    }

    @Test("has no height in two dimensions, and no change of it")
    func flat() {
        var report = full
        report.mode = 2
        #expect(Fix(report).coordinate != nil)
        #expect(Fix(report).altitude == nil)
        #expect(Fix(report).ellipsoidAltitude == nil)
        #expect(Fix(report).climb == nil)
    }

    @Test("has no position outside of the world, and no error of nothing")
    func absurd() {
        var report = full
        report.latitude_deg = 91
        report.eph_m = 0
        report.epv_m = -1
        #expect(Fix(report).coordinate == nil)
        #expect(Fix(report).accuracy == nil)
        #expect(Fix(report).verticalAccuracy == nil)
    }

    @Test("has the satellites of one report and the dilution of another")
    func skyInParts() {
        let satellites = Sky(sky(used: 7, seen: 11))
        let dilution = Sky(sky(hdop: 1.2))
        #expect(satellites == Sky(satellites: 7, seen: 11))
        #expect(satellites.merging(dilution) == Sky(satellites: 7, seen: 11, dilution: Dilution(horizontal: 1.2)))
    }

    @Test("knows what each dilution dilutes, and mixes none of two moments")
    func dilutions() {
        let raw = cgpsd_sky(
            satellites_used: -1, satellites_seen: -1, hdop: 1.1, vdop: 1.2, pdop: 1.3, tdop: 1.4, gdop: 1.5, xdop: 1.6,
            ydop: 1.7)
        let all = Sky(raw)
        #expect(
            all.dilution
                == Dilution(
                    horizontal: 1.1, vertical: 1.2, position: 1.3, time: 1.4, geometric: 1.5, eastward: 1.6,
                    northward: 1.7))
        #expect(all.merging(Sky(sky(hdop: 2))).dilution == Dilution(horizontal: 2))
    }

    private var full: cgpsd_report {
        cgpsd_report(
            mode: 3, status: 1, has_time: true, time_unix_ms: 1_767_252_600_250, latitude_deg: 52.374,
            longitude_deg: 4.889, altitude_msl_m: 3, altitude_ellipsoid_m: 46.1, speed_mps: 13.06, course_deg: 212,
            climb_mps: -0.4, eph_m: 9.72, epx_m: .nan, epy_m: .nan, epv_m: 19.6, eps_mps: 0.98, jamming: 37)
    }

    private func silent(mode: Int32) -> cgpsd_report {
        cgpsd_report(
            mode: mode, status: 0, has_time: false, time_unix_ms: 0, latitude_deg: .nan, longitude_deg: .nan,
            altitude_msl_m: .nan, altitude_ellipsoid_m: .nan, speed_mps: .nan, course_deg: .nan, climb_mps: .nan,
            eph_m: .nan, epx_m: .nan, epy_m: .nan, epv_m: .nan, eps_mps: .nan, jamming: -1)
    }

    /// A report of a horizontal dilution alone, or of none.
    private func sky(used: Int32 = -1, seen: Int32 = -1, hdop: Double = .nan) -> cgpsd_sky {
        cgpsd_sky(
            satellites_used: used, satellites_seen: seen, hdop: hdop, vdop: .nan, pdop: .nan, tdop: .nan, gdop: .nan,
            xdop: .nan, ydop: .nan)
    }
}
