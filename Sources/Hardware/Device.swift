/// A part of the hardware that may be out of service.
package protocol Device: AnyObject {
    /// What the log calls it.
    var name: String { get }

    /// Why it is out of service and what to do, in a sentence or two for the log; nothing while it works.
    var complaint: String? { get }
}
