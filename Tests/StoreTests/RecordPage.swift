import Foundation
import Testing
import Tracking

extension StoredRecord {
    /// Returns the number of the 4096-byte page that contains the record.
    ///
    /// The file stores the record's UUID as bytes.
    func page(in bytes: Data) throws -> Int {
        let uuid = try #require(UUID(uuidString: uuid))
        let position = try #require(bytes.range(of: withUnsafeBytes(of: uuid.uuid) { Data($0) }))
        return position.lowerBound / 4096
    }
}
