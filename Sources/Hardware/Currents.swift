import Quantities

/// What a board draws from 5 V, so that a drive's charge can be estimated.
package struct Currents: Sendable, Hashable {
    /// The board by itself, in mA.
    package var board_mA: Double
    /// The receiver while it is on, in mA.
    package var receiver_mA: Double

    /// Makes a pair of currents.
    package init(board_mA: Double = 0, receiver_mA: Double = 0) {
        self.board_mA = board_mA
        self.receiver_mA = receiver_mA
    }

    /// The charge, in mAh, that `span` takes when the receiver is on for `receiverOn` of it.
    package func charge(over span: Duration, receiverOn: Duration) -> Double {
        (board_mA * span.inSeconds + receiver_mA * receiverOn.inSeconds) / 3600
    }
}
