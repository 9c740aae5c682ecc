extension CivilDate {
    /// The day of the week, from 0 for Sunday to 6 for Saturday.
    public var weekday: Int {
        let sinceSunday = daysSince1970 + Self.weekdayOf1970
        return sinceSunday - Int(floorDivide(Int64(sinceSunday), 7)) * 7
    }

    /// 1970-01-01 was a Thursday.
    private static let weekdayOf1970 = 4
}
