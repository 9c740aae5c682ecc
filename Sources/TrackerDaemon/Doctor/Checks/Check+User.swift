extension Check {
    /// Whether who asks may see what the daemon sees.
    static let user = Check("user") { facts in
        guard let user = facts.user else { return [] }
        if user.isRoot {
            let mend = "Run `sudo -u trackerd trackerd doctor` to see what the daemon may do."
            return [.warning("root may do everything, which says nothing about the daemon.", mend)]
        }
        guard user.isInGroup else {
            let mend = "Run `sudo adduser \(user.name) trackerd` and log in again."
            return [.warning("\(user.name) is not in the group trackerd, so commands do not reach the daemon.", mend)]
        }
        return [.ok("\(user.name) is in the group trackerd.")]
    }
}
