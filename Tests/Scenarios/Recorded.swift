import Recordings
import Testing

/// The drives are in `Tests/Traces`.
func recorded(_ name: String) throws -> Drive {
    let folder = String(#filePath.dropLast("Scenarios/Recorded.swift".count))
    return try DriveReader.read(folder + "Traces/\(name).csv.gz")
}
