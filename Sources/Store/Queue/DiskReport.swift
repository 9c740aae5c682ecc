/// An event of the database file that the owner should know about.
package enum DiskReport: Sendable, Hashable {
    /// An earlier version made the file, which remains under the name `aside`; recording begins in a new file.
    case begunAnew(StoreError, aside: String)
    case replaced(StoreError, aside: String)
    /// The file was deleted or renamed; trackerd has written its contents to a new file.
    case restored(path: String)
    /// Another file has replaced the file, and records continue in the other file.
    case exchanged(path: String)
    case salvaged(path: String, records: Int, missing: Int)
    case salvageFailing(StoreError)
    /// trackerd has deleted older damaged files, because there were too many or they used too much space.
    case deleted(paths: [String])
}
