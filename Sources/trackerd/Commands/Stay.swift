import ArgumentParser

/// `trackerd stay`: the vehicle stands.
struct Stay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tells the tracker that the vehicle stands; it starts again by its own rules.")

    @OptionGroup var control: ControlOptions

    func run() throws { try control.order("stay") }
}
