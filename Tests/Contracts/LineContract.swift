package import Hardware

package protocol LineBench: AnyObject {
    var lines: any LineProvider { get }

    /// Two free lines, active at the high level.
    var free: (output: LineReference, input: LineReference) { get }

    /// Pulls a wire and waits until the edge has arrived.
    func pull(_ line: LineReference, isHigh: Bool)

    func isHigh(_ line: LineReference) -> Bool

    func isDriven(_ line: LineReference) -> Bool

    func isReadable(_ descriptor: Int32) -> Bool
}

/// Returns the violations as sentences.
package func violationsOfLineContract(_ bench: some LineBench) -> [String] {
    var checks = LineContract()
    do throws(LineError) {
        try checks.outputs(bench)
        try checks.activeLowOutputs(bench)
        try checks.inputs(bench)
        try checks.activeLowInputs(bench)
        try checks.holding(bench)
        checks.missing(bench)
    } catch {
        checks.violations.append("throws nothing without a fault, but: \(error)")
    }
    return checks.violations
}

private struct LineContract {
    var violations: [String] = []

    private mutating func require(_ isSo: Bool, _ sentence: String) {
        if !isSo { violations.append(sentence) }
    }

    mutating func outputs(_ bench: some LineBench) throws(LineError) {
        let wire = bench.free.output
        bench.pull(wire, isHigh: false)
        var line: (any OutputLine)? = try bench.lines.output(wire, .active)
        require(bench.isHigh(wire), "an output has its level from the start")
        try line?.set(.inactive)
        require(!bench.isHigh(wire) && bench.isDriven(wire), "an output that is set inactive is driven low")
        try line?.set(.active)
        require(bench.isHigh(wire), "an output that is set active is high")
        try line?.set(.floating)
        require(!bench.isDriven(wire), "a floating output drives nothing")
        bench.pull(wire, isHigh: true)
        require(bench.isHigh(wire), "a floating output follows its pull resistor")
        try line?.set(.inactive)
        require(!bench.isHigh(wire), "an output can be driven again after it floated")
        line = nil
        do {
            let floating = try bench.lines.output(wire, .floating)
            require(!bench.isDriven(wire), "an output that is requested as floating has driven nothing")
            try floating.set(.active)
            require(
                bench.isHigh(wire) && bench.isDriven(wire), "an output that was requested as floating can be driven")
        }
        let again = try? bench.lines.output(wire, .inactive)
        require(again != nil, "a released line can be requested again")
    }

    mutating func activeLowOutputs(_ bench: some LineBench) throws(LineError) {
        var wire = bench.free.output
        wire.isActiveLow = true
        let line = try bench.lines.output(wire, .active)
        require(!bench.isHigh(wire), "an active-low output that is active is low")
        try line.set(.inactive)
        require(bench.isHigh(wire), "an active-low output that is inactive is high")
        try line.set(.floating)
        try line.set(.active)
        require(!bench.isHigh(wire), "an output keeps its active level when it has floated")
    }

    mutating func inputs(_ bench: some LineBench) throws(LineError) {
        let wire = bench.free.input
        bench.pull(wire, isHigh: false)
        let line = try bench.lines.input(wire)
        try require(!line.isActive(), "an input reports its level")
        require(!bench.isReadable(line.descriptor), "an input has no edges at the start")
        try require(line.edges().isEmpty, "reading without edges does not block")
        bench.pull(wire, isHigh: true)
        bench.pull(wire, isHigh: false)
        bench.pull(wire, isHigh: true)
        require(bench.isReadable(line.descriptor), "edges make the descriptor readable")
        let edges = try line.edges()
        let changes = edges.map(\.isActive)
        require(changes == [true, false, true], "edges are reported in order, instead of: \(changes)")
        require(
            zip(edges, edges.dropFirst()).allSatisfy { $0.moment <= $1.moment }, "edges are reported with their moments"
        )
        try require(line.isActive(), "the level is the one after the last edge")
        try require(line.edges().isEmpty, "an edge is reported once")
        require(!bench.isReadable(line.descriptor), "the descriptor is not readable after the edges were read")
    }

    mutating func activeLowInputs(_ bench: some LineBench) throws(LineError) {
        var wire = bench.free.input
        wire.isActiveLow = true
        bench.pull(wire, isHigh: true)
        let line = try bench.lines.input(wire)
        bench.pull(wire, isHigh: false)
        try require(line.isActive(), "an active-low input is active when it is low")
        let changes = try line.edges().map(\.isActive)
        require(changes == [true], "the edges of an active-low input are inverted too, instead of: \(changes)")
    }

    mutating func holding(_ bench: some LineBench) throws(LineError) {
        let wire = bench.free.output
        let line = try bench.lines.output(wire, .inactive)
        do throws(LineError) {
            _ = try bench.lines.input(wire)
            require(false, "a line has one user at a time")
        } catch {
            guard case .busy(wire, "trackerd", _) = error else {
                return require(false, "the error of a busy line names its user, instead of: \(error)")
            }
        }
        try line.set(.active)
        require(bench.isHigh(wire), "the user keeps its line after another request")
    }

    mutating func missing(_ bench: some LineBench) {
        let wire = bench.free.output
        let noChip = LineReference(chip: "pinctrl-of-another-board", line: wire.line)
        if case .noChip(noChip, let present) = refusal({ () throws(LineError) in _ = try bench.lines.input(noChip) }) {
            require(present.contains(wire.chip), "the error of a missing chip lists the existing ones")
        } else {
            require(false, "a missing chip has its own error")
        }
        for line in [LineReference.Line.offset(999), .offset(-1), .name("GPIO_OF_ANOTHER_BOARD")] {
            let noLine = LineReference(chip: wire.chip, line: line)
            let error = refusal { () throws(LineError) in _ = try bench.lines.output(noLine, .inactive) }
            require(
                error == .noLine(noLine),
                "a missing line has its own error, instead of: \(String(describing: error))")
        }
    }

    private func refusal(_ body: () throws(LineError) -> Void) -> LineError? {
        do throws(LineError) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}
