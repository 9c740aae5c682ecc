import Foundation
import Synchronization

/// Measures how long the machine makes a runnable thread wait.
///
/// A thread sleeps for 10 ms at a time, until the object ends. The time by which a sleep lasts longer is a pause of the machine.
final class MachinePauses {
    private let state = State()

    var longest_s: Double { Double(state.longest_us.load(ordering: .relaxed)) / 1_000_000 }

    init() {
        let state = state
        Thread.detachNewThread {
            let clock = ContinuousClock()
            while !state.isOver.load(ordering: .relaxed) {
                let slept = clock.measure { usleep(10_000) }
                let pause = Int((slept - .milliseconds(10)) / .microseconds(1))
                state.longest_us.max(pause, ordering: .relaxed)
            }
        }
    }

    deinit { state.isOver.store(true, ordering: .relaxed) }

    private final class State: Sendable {
        let longest_us = Atomic<Int>(0)
        let isOver = Atomic<Bool>(false)
    }
}
