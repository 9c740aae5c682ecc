@testable import Devices
import Quantities
import Testing
import Tracking

@Suite("A fix from gpsd's report")
struct FixFromGpsdTests {
    @Test("A fix has all values of the report.")
    func everything() {
        let dilution = Dilution(horizontal: 0.8, vertical: 1.3, position: 1.5)
        let fix = Fix(full, sky: SkyReport(satellites: 9, dilution: dilution))
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

    @Test("A fix has 68 % errors, computed from gpsd's 95 % errors.")
    func errors() throws {
        let fix = Fix(full)
        #expect(fix.accuracy == Metres(9.72 / 1.62))
        #expect(fix.verticalAccuracy == Metres(19.6 / 1.96))
        #expect(fix.speedAccuracy == MetresPerSecond(0.98 / 1.96))
    }

    @Test("The horizontal error combines the errors to the east and north if gpsd does not report it.")
    func combined() {
        var report = full
        report.eph_m = nil
        report.epx_m = 3.24
        report.epy_m = 4.32
        #expect(Fix(report).accuracy == Metres(5.4 / 1.62))
        report.epy_m = nil
        #expect(Fix(report).accuracy == nil)
    }

    @Test("A value that gpsd omits is nil.")
    func nothing() {
        #expect(Fix(silent(mode: 3)) == Fix(mode: .threeDimensional))
        #expect(Fix(silent(mode: 0)) == Fix(mode: .unknown))
        #expect(Fix(silent(mode: 7)) == Fix(mode: .unknown))
    }

    @Test("A report without a fix has a time but no position.", arguments: [0, 1])
    func stale(mode: Int) {
        var report = full
        report.mode = mode
        let fix = Fix(report)
        #expect(fix.coordinate == nil)
        #expect(fix.speed == nil)
        #expect(fix.accuracy == nil)
        #expect(fix.time != nil)
    }

    @Test("A report without a fix has a jamming indicator.")
    func jammed() {
        var report = full
        report.mode = 1
        #expect(Fix(report).jamming == 37)
    }

    @Test("A two-dimensional fix has no altitude and no climb.")
    func flat() {
        var report = full
        report.mode = 2
        #expect(Fix(report).coordinate != nil)
        #expect(Fix(report).altitude == nil)
        #expect(Fix(report).ellipsoidAltitude == nil)
        #expect(Fix(report).climb == nil)
    }

    @Test("A position outside the valid range and an error of zero are nil.")
    func absurd() {
        var report = full
        report.latitude_deg = 91
        report.eph_m = 0
        report.epv_m = -1
        #expect(Fix(report).coordinate == nil)
        #expect(Fix(report).accuracy == nil)
        #expect(Fix(report).verticalAccuracy == nil)
    }

    @Test("A sky report combines satellites and dilutions from two messages.")
    func skyInParts() throws {
        let satellites = try sky(#""nSat":11,"uSat":7"#)
        let dilution = try sky(#""hdop":1.2,"nSat":0,"uSat":0"#)
        #expect(satellites == SkyReport(satellites: 7, seen: 11))
        #expect(satellites.merging(dilution) == SkyReport(satellites: 7, seen: 11, dilution: Dilution(horizontal: 1.2)))
    }

    @Test("The number of used satellites counts without the number of satellites in view, as gpsd sends it at present.")
    func usedAlone() throws {
        #expect(try sky(#""hdop":1.1,"uSat":7"#).satellites == 7)
        #expect(try sky(#""uSat":501"#).satellites == nil)
    }

    @Test("If gpsd does not state the number of satellites, the satellites in gpsd's list are counted.")
    func listed() throws {
        let list = #""satellites":[{"PRN":4,"used":true},{"PRN":5,"used":false},{"PRN":9}]"#
        #expect(try sky(list) == SkyReport(satellites: 1, seen: 3))
    }

    @Test("Each dilution is read from its own key, and dilutions of two moments are not mixed.")
    func dilutions() throws {
        let all = try sky(
            #""hdop":1.1,"vdop":1.2,"pdop":1.3,"tdop":1.4,"gdop":1.5,"xdop":1.6,"ydop":1.7"#)
        #expect(
            all.dilution
                == Dilution(
                    horizontal: 1.1, vertical: 1.2, position: 1.3, time: 1.4, geometric: 1.5, eastward: 1.6,
                    northward: 1.7))
        #expect(all.merging(try sky(#""hdop":2"#)).dilution == Dilution(horizontal: 2))
    }

    private var full: GpsdReport {
        var report = GpsdReport(mode: 3)
        report.time = Timestamp(milliseconds: 1_767_252_600_250)
        (report.latitude_deg, report.longitude_deg) = (52.374, 4.889)
        (report.altitudeMSL_m, report.altitudeEllipsoid_m) = (3, 46.1)
        (report.speed_mps, report.course_deg, report.climb_mps) = (13.06, 212, -0.4)
        (report.eph_m, report.epv_m, report.eps_mps) = (9.72, 19.6, 0.98)
        report.jamming = 37
        return report
    }

    private func silent(mode: Int) -> GpsdReport { GpsdReport(mode: mode) }

    private func sky(_ members: String) throws -> SkyReport {
        guard case .sky(let sky, _)? = GpsdMessage(line: Array(#"{"class":"SKY",\#(members)}"#.utf8)) else {
            throw NoSky()
        }
        return sky
    }

    private struct NoSky: Error {}
}
