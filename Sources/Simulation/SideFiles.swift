import Quantities
import Tracking

/// The files that may lie beside a drive: the ignition line, and the beacons that were heard.
enum SideFiles {
    /// `t_s,on`: 1 when the ignition goes on, 0 when it goes off.
    static func ignition(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        var drive = Drive()
        try CSVTable(bytes, file: file).forEachRow(["t_s", "on"]) { cells, line throws(DriveError) in
            guard let time = cells[0], (0..<1e9).contains(time), let isOn = cells[1] else {
                throw .malformed(file: file, line: line, problem: "`t_s` and `on` (0 or 1) are needed")
            }
            drive.others.append(.init(Duration(inSeconds: time), .ignition(isOn: isOn != 0)))
        }
        return drive
    }

    /// `t_s,uuid,major,minor,rssi`: an advertisement a line.
    static func beacons(_ bytes: [UInt8], file: String) throws(DriveError) -> Drive {
        var drive = Drive()
        let lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            let cells = line.split(separator: ",").map { String($0.filter { !$0.isWhitespace }) }
            guard cells.count >= 5, let time = Double(cells[0]), (0..<1e9).contains(time), let major = UInt16(cells[2]),
                let minor = UInt16(cells[3]), let rssi = Int8(cells[4])
            else {
                throw .malformed(file: file, line: index + 1, problem: "`t_s,uuid,major,minor,rssi` are needed")
            }
            let sighting = BeaconSighting(uuid: cells[1].lowercased(), major: major, minor: minor, rssi: rssi)
            drive.others.append(.init(Duration(inSeconds: time), .beacon(sighting)))
        }
        return drive
    }
}
