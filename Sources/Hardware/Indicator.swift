/// A light that shows whether the vehicle is tracked.
package protocol Indicator: AnyObject {
    /// Lights it, or puts it out; one that cannot be reached stays as it is, and says so in `complaint`.
    func show(isLit: Bool)

    /// Why it cannot be reached; nothing while it can.
    var complaint: String? { get }
}
