import Foundation
import Testing
import Tracking

extension StoredRecord {
    /// Returns the page of 4096 bytes that contains the record, which the file stores with its UUID as bytes.
    func page(in bytes: Data) throws -> Int {
        let uuid = try #require(UUID(uuidString: uuid))
        let position = try #require(bytes.range(of: withUnsafeBytes(of: uuid.uuid) { Data($0) }))
        return position.lowerBound / 4096
    }
}
