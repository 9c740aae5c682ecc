import Peers
import Quantities
import Testing
import Tracking

@testable import Recordings

@Suite("Folders of drives")
struct DriveFolderTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var folder: String { scratch.path }

    private func write(_ name: String, latitude: Double) throws {
        let rows = (0...9).map { "\($0),\(latitude),4.9,10\n" }.joined()
        try scratch.write("t_s,lat,lon,speed_mps\n" + rows, to: name)
    }

    @Test("The drives of a folder are played one after the other, in the order of their names.")
    func several() throws {
        try write("tuesday.csv", latitude: 53)
        try write("monday.csv", latitude: 52)
        let timeline = try Timeline(reading: [folder], gap: .seconds(100))
        #expect(timeline.stretches.map(\.start.seconds) == [0, 109])
        let latitudes = timeline.stretches.map { timeline.drive(of: $0).fixes.first?.value.coordinate?.latitude }
        #expect(latitudes == [52, 53])
    }

    @Test("The files of one drive form one drive: fixes, samples, beacons and ignition.")
    func one() throws {
        try write("gps.csv", latitude: 52)
        try scratch.write("t_s,ax,ay,az\n0,0,0,9.8\n1,0,0,9.8\n", to: "motion.csv")
        try scratch.write("t_s,on\n3,1\n", to: "ignition.csv")
        let timeline = try Timeline(reading: [folder], gap: .seconds(100))
        #expect(timeline.stretches.count == 1)
        let drive = timeline.drive(of: timeline.stretches[0])
        #expect(drive.fixes.count == 10 && drive.samples.count == 2 && drive.others.count == 1)
    }

    @Test(
        "A folder with two drives, and with beacons of only one drive, is refused with the remedy.",
        arguments: ["beacons.csv", "Beacons.CSV"])
    func ambiguous(side: String) throws {
        try write("a.csv", latitude: 52)
        try write("b.csv", latitude: 53)
        try scratch.write("t_s,uuid,major,minor,rssi\n", to: side)
        let error = #expect(throws: DriveError.self) { try Timeline(reading: [folder], gap: .zero) }
        #expect(
            error?.description
                == "\(folder): a.csv and b.csv are two drives, and \(side) belongs to one of them. Put each drive with its "
                + "files into a folder of its own.")
    }

    @Test("Drives of different dates follow each other on one calendar, which begins with the first drive.")
    func dates() throws {
        func track(_ day: String) -> String {
            let points = (0...9).map { #"<trkpt lat="52" lon="4.9"><time>\#(day)T08:00:0\#($0)Z</time></trkpt>"# }
            return "<gpx>\(points.joined())</gpx>"
        }
        try scratch.write(track("2015-06-02"), to: "a.gpx")
        try scratch.write(track("2013-01-01"), to: "b.gpx")
        let timeline = try Timeline(reading: [folder], gap: .seconds(100))
        #expect(timeline.date == Timestamp(year: 2015, month: 6, day: 2) + .seconds(8 * 3600))
        var fixes = FixTrack(timeline)
        let second = fixes.fix(at: timeline.stretches[1].start)
        #expect(second?.time == timeline.date + .seconds(109))
    }
}
