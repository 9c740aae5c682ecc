import ArgumentParser

/// `trackerd move`: the vehicle is on its way.
struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tells the tracker that the vehicle moves; it stops again by its own rules.")

    @OptionGroup var control: ControlOptions

    func run() throws { try control.order("move") }
}
