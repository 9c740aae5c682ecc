import RealModule

extension Metres {
    /// The distance at which a radio signal is so many decibels weaker than at 1 m.
    ///
    /// The log-distance model: 2 is the exponent of free space, 2.5 to 4 those of rooms and of the inside of cars. A loss below
    /// zero lies nearer than 1 m.
    public init(pathLoss decibels: Double, exponent: Double) {
        self.init(.exp10(decibels / (10 * exponent)))
    }
}
