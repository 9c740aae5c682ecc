extension Fix {
    /// From a 95 % radius to a 68 % one: the two quantiles of a Rayleigh distribution, 2.448 σ and 1.510 σ.
    package static let horizontal95To68 = 1.62
    /// From a 95 % error to a 68 % one along a line: the two quantiles of a normal distribution, 1.96 σ and 1 σ.
    package static let linear95To68 = 1.96
}
