package import Tracking

/// What the uploader asks of the place where the records lie; all calls come from the upload thread.
///
/// A record *awaits* a target until it is marked as delivered to it, set aside for it or passed over; one that is withheld
/// awaits nobody, and one that is held back does not yet. Whatever a call throws is
/// told to the owner by its description, and tried again later.
package protocol DeliveryQueue {
    /// The newest record that tells a place, if it awaits the target; nothing when it does not, even if others do.
    func newest(awaiting target: String) throws -> StoredRecord?

    /// The oldest records that await the target, in order of their sequence, without those in `excluding`.
    func oldest(awaiting target: String, limit: Int, excluding: [Int64]) throws -> [StoredRecord]

    /// Notes that the target has these records; noting it twice is harmless.
    func markDelivered(_ sequences: [Int64], to target: String) throws

    /// Takes a record out of the target's way until somebody asks to send it again, and keeps the reason.
    func setAside(_ sequence: Int64, for target: String, reason: String) throws

    /// Takes the records that await the target, up to this one, out of its way for good; `stops` stay if wanted.
    ///
    /// Gives their number.
    func passOver(through sequence: Int64, keepingStops: Bool, for target: String) throws -> Int

    /// The records that `newest` and `oldest` have set aside since the last call, because they cannot be read.
    func takeUnreadable() -> [Int64]
}
