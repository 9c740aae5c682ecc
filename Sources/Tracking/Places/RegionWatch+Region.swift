import Quantities

extension RegionWatch {
    /// Takes a fix into account.
    mutating func judge(_ fix: AcceptedFix, after previous: AcceptedFix?, for region: Region) -> [RegionCrossing] {
        let sight = Sight(time: fix.time, position: fix.position)
        guard let area = region.shape.area else { return dwell(at: sight, in: region) }
        let clearance = area.clearance(from: fix.coordinate)
        let error = fix.position.accuracy ?? Position.usualError
        let finding = Finding(isInside: clearance <= .zero, isCertain: clearance.magnitude > error, sight: sight)
        let verdict = take(finding, holdDown: region.wishes.holdDown) {
            area.crossing(from: previous, to: fix)
        }
        return crossings(verdict, in: region) + dwell(at: sight, in: region)
    }

    /// Takes into account that the region's beacon is heard, or not any more.
    mutating func judge(isPresent: Bool, at sight: Sight, for region: Region) -> [RegionCrossing] {
        let finding = Finding(isInside: isPresent, isCertain: true, sight: sight)
        let verdict = take(finding, holdDown: region.wishes.holdDown) { sight }
        return crossings(verdict, in: region)
    }

    /// Takes into account that time has passed: what a beacon told too early may be told now, and a stay be long enough.
    mutating func elapse(to sight: Sight, for region: Region) -> [RegionCrossing] {
        var told: [RegionCrossing] = []
        if let change = beaconDue(for: region), change <= sight.time {
            told = judge(isPresent: stay == nil, at: sight, for: region)
        }
        return told + dwell(at: sight, in: region)
    }

    /// When `elapse` will have something to tell.
    func due(for region: Region) -> Timestamp? {
        [dwellDue(after: region.wishes.dwell), beaconDue(for: region)].compactMap { $0 }.min()
    }

    /// A border is looked at again with each fix; a beacon tells of a change once.
    private func beaconDue(for region: Region) -> Timestamp? {
        region.shape.trigger == .beacon ? changeDue(holdDown: region.wishes.holdDown) : nil
    }

    private mutating func dwell(at sight: Sight, in region: Region) -> [RegionCrossing] {
        hasDwelt(for: region.wishes.dwell, at: sight.time) ? [RegionCrossing(.dwell, of: region, at: sight)] : []
    }

    private func crossings(_ verdict: Verdict?, in region: Region) -> [RegionCrossing] {
        switch verdict {
        case .entered(let sight): [RegionCrossing(.enter, of: region, at: sight)]
        case .left(let sight, let lasted): [RegionCrossing(.leave, of: region, at: sight, inside: lasted)]
        case nil: []
        }
    }
}

extension RegionArea {
    /// When and where the border was crossed on the way to `fix`; that is at the fix when the last one is too long ago.
    fileprivate func crossing(from previous: AcceptedFix?, to fix: AcceptedFix) -> Sight {
        func isInside(_ place: Coordinate) -> Bool { clearance(from: place) <= .zero }
        let isInsideNow = isInside(fix.coordinate)
        guard let previous, fix.time - previous.time < Self.longestWay, isInside(previous.coordinate) != isInsideNow
        else { return Sight(time: fix.time, position: fix.position) }
        var (before, after) = (0.0, 1.0)
        for _ in 0..<Self.halvings {
            let middle = (before + after) / 2
            let place = previous.coordinate.between(fix.coordinate, share: middle)
            if isInside(place) == isInsideNow { after = middle } else { before = middle }
        }
        var position = fix.position
        position.coordinate = previous.coordinate.between(fix.coordinate, share: after)
        position.accuracy = fix.position.accuracy.flatMap { now in
            previous.position.accuracy.map { max(now, $0) }
        }
        let elapsed = (fix.time - previous.time).inSeconds
        return Sight(time: previous.time + Duration(inSeconds: elapsed * after), position: position)
    }

    /// On a longer way the vehicle may have gone anywhere.
    private static let longestWay = Duration.seconds(60)
    /// Enough to halve a minute down to a millisecond.
    private static let halvings = 16
}
