import Recordings
import Testing

func recorded(_ name: String) throws -> Drive {
    let folder = String(#filePath.dropLast("Scenarios/Recorded.swift".count))
    return try DriveReader.read(folder + "Traces/\(name).csv.gz")
}
