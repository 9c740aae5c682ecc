import Quantities

/// What a board draws from 5 V, so that a drive's charge can be estimated.
package struct Currents: Sendable, Hashable {
    /// The board by itself while the program runs and nothing happens, in mA.
    package var board_mA: Double
    /// The board after a halt, in mA; nothing when nobody has measured it.
    package var halted_mA: Double?
    /// The receiver while it searches for satellites, in mA; as while it tracks when nothing is given.
    package var searching_mA: Double?
    /// The receiver while it has a fix, in mA.
    package var tracking_mA: Double

    /// Makes a set of currents.
    package init(
        board_mA: Double = 0, halted_mA: Double? = nil, searching_mA: Double? = nil, tracking_mA: Double = 0
    ) {
        self.board_mA = board_mA
        self.halted_mA = halted_mA
        self.searching_mA = searching_mA
        self.tracking_mA = tracking_mA
    }

    /// The charge, in mAh, that `span` takes when the receiver is on for `receiverOn` of it.
    ///
    /// Searching counts as tracking: it is a few seconds an hour, and a few mA more.
    package func charge(over span: Duration, receiverOn: Duration) -> Double {
        (board_mA * span.inSeconds + tracking_mA * receiverOn.inSeconds) / 3600
    }
}
