import CGpsd
import Devices
import Quantities
import Testing
import Tracking

@Suite("A fix out of gpsd's report")
struct FixFromGpsdTests {
    @Test("has all that the report has")
    func everything() {
        let fix = Fix(full, sky: Sky(satellites: 9, hdop: 0.8))
        #expect(fix.mode == .threeDimensional)
        #expect(fix.time == Timestamp(milliseconds: 1_767_252_600_250))
        #expect(fix.coordinate == Coordinate(latitude: 52.374, longitude: 4.889))
        #expect(fix.altitude == Metres(3))
        #expect(fix.ellipsoidAltitude == Metres(46.1))
        #expect(fix.speed == MetresPerSecond(13.06))
        #expect(fix.course == Degrees(212))
        #expect(fix.satellites == 9)
        #expect(fix.hdop == 0.8)
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

    @Test("has no height in two dimensions")
    func flat() {
        var report = full
        report.mode = 2
        #expect(Fix(report).coordinate != nil)
        #expect(Fix(report).altitude == nil)
        #expect(Fix(report).ellipsoidAltitude == nil)
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
    func sky() {
        let satellites = Sky(cgpsd_sky(satellites_used: 7, satellites_seen: 11, hdop: .nan))
        let dilution = Sky(cgpsd_sky(satellites_used: -1, satellites_seen: -1, hdop: 1.2))
        #expect(satellites == Sky(satellites: 7, seen: 11))
        #expect(satellites.merging(dilution) == Sky(satellites: 7, seen: 11, hdop: 1.2))
    }

    private var full: cgpsd_report {
        cgpsd_report(
            mode: 3, status: 1, has_time: true, time_unix_ms: 1_767_252_600_250, latitude_deg: 52.374,
            longitude_deg: 4.889, altitude_msl_m: 3, altitude_ellipsoid_m: 46.1, speed_mps: 13.06, course_deg: 212,
            eph_m: 9.72, epx_m: .nan, epy_m: .nan, epv_m: 19.6, eps_mps: 0.98)
    }

    private func silent(mode: Int32) -> cgpsd_report {
        cgpsd_report(
            mode: mode, status: 0, has_time: false, time_unix_ms: 0, latitude_deg: .nan, longitude_deg: .nan,
            altitude_msl_m: .nan, altitude_ellipsoid_m: .nan, speed_mps: .nan, course_deg: .nan, eph_m: .nan,
            epx_m: .nan, epy_m: .nan, epv_m: .nan, eps_mps: .nan)
    }
}
