/// The size of the database's pages.
///
/// A commit writes each changed page to the write-ahead log, so a commit writes less if the pages are small. With pages of the
/// usual 4096 bytes, a commit would write eight times as many bytes as a record and its state need.
enum PageSize {
    /// The smallest size that SQLite supports, and the size of a card's sector.
    static let bytes = 512
    /// The number of pages in the log after which SQLite copies them to the file; these pages are 1 MB, or about a
    /// thousand records.
    ///
    /// SQLite copies each page only once, even if the log contains several versions of the page.
    static let checkpointedPages = 2000
}
