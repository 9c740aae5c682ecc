/// What the loop says to whoever uploads.
package struct UploadControl {
    /// Records have reached the disk.
    package var committed: () -> Void
    /// Begin nothing from now on, or go on.
    package var hold: (Bool) -> Void
    /// Try all targets now, also those that failed.
    package var tryNow: () -> Void

    /// Makes a control; what is left out is not heard.
    package init(
        committed: @escaping () -> Void = {}, hold: @escaping (Bool) -> Void = { _ in },
        tryNow: @escaping () -> Void = {}
    ) {
        self.committed = committed
        self.hold = hold
        self.tryNow = tryNow
    }
}
