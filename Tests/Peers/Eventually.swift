import Glibc

/// Waits up to four minutes for a condition; returns whether the condition became true.
///
/// The programs of a test write their logs, notes and records to scratch folders, so the condition is checked when a file there
/// changes. For what no file shows, such as an open port, it is also checked after pauses of a twentieth of the time that has
/// passed, at most 50 ms. Nothing takes four minutes on an idle machine; the limit only ends a test that waits in vain.
package func eventually(_ condition: () -> Bool) -> Bool {
    if condition() { return true }
    let clock = ContinuousClock()
    let began = clock.now
    while true {
        var isMet = false
        let cost = clock.measure { isMet = condition() }
        let passed = clock.now - began
        if isMet || passed > .seconds(240) { return isMet }
        // In virtual time nothing costs time, so a condition whose check writes to a folder would otherwise stop the clock.
        let pause = max(cost * 4, passed / 100, .milliseconds(1))
        FolderChanges.wait(atLeast: min(pause, .milliseconds(100)), atMost: min(passed / 20, .milliseconds(50)))
    }
}

/// The changes in the scratch folders of this process (inotify(7)).
enum FolderChanges {
    /// Never closed, because closing it would take 15 ms; negative if the kernel allows no more instances.
    private static let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))

    /// Watches a folder until it is deleted.
    static func watch(_ folder: String) {
        inotify_add_watch(descriptor, folder, UInt32(IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_DELETE))
    }

    /// Sleeps for the shortest time, so that the checks of a test do not slow a program that writes much, and then waits for a
    /// change, at most for the longest time.
    ///
    /// If several threads wait, a change wakes at least one of them.
    static func wait(atLeast shortest: Duration, atMost longest: Duration) {
        usleep(UInt32(shortest / .microseconds(1)))
        var change = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&change, 1, max(1, Int32(longest / .milliseconds(1))))
        var events = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &events, events.count) > 0 {}
    }
}
