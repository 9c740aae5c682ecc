import Compatibility
import Motion
import Quantities
import Tracking
import TrackingOptions

extension SplitMix {
    private static let tags = ["f7826da6-4fa2-4e98-8024-bc5b71e0893e", "0ac59ca4-dfa6-442c-8c65-22247851344c"]

    /// Returns a configuration in which random options have random values.
    mutating func configuration() -> EngineConfiguration {
        let profile = once(in: 3) ? pick(Profile.all) : Profile.vehicle
        var layers = [OptionLayer.profile(profile)]
        let extras = ["drivingEvents", "beacons", "useVisits", "useMovingGeofence"].filter { _ in once(in: 2) }
            .map { OptionAssignment($0, .flag(true), source: "line") }
        layers.append(OptionLayer(.file, name: "trackerd.yaml", extras + assignments(oneIn: 9)))
        if once(in: 4) {
            layers.append(OptionLayer(.custom, name: "trip", onTrip: once(in: 2), assignments(oneIn: 20)))
        }
        var configuration = EngineConfiguration(
            layers: OptionLayers(layers), modes: OptionLayer.ownTracksModes, regions: regions(),
            power: PowerPolicy(
                haltAfter: once(in: 3) ? .seconds(900) : nil, wakeAfter: once(in: 2) ? .seconds(3600) : nil,
                lowVoltage: once(in: 2) ? Volts(11.8) : nil))
        configuration.markedBeacons = [
            MarkedBeacon(BeaconIdentity(uuid: Self.tags[0], major: 1, minor: 1), name: "van", role: .vehicle),
            MarkedBeacon(BeaconIdentity(uuid: Self.tags[0], major: 1, minor: 2), name: "Ada", role: .driver),
            MarkedBeacon(BeaconIdentity(uuid: Self.tags[0], major: 1, minor: 3), name: "Bob", role: .driver),
        ]
        configuration.recoveries = once(in: 2) ? ReceiverRecovery.allCases : []
        configuration.expectsMotionSensor = once(in: 2)
        configuration.program = ProgramFacts(version: "1.0", board: "sim", bootID: "boot")
        return configuration
    }

    /// Returns values for a random part of the options: each option has a chance of one in `times`.
    private mutating func assignments(oneIn times: UInt64) -> [OptionAssignment] {
        var assignments: [OptionAssignment] = []
        for option in TrackingOption.all where once(in: times) {
            let value = value(of: option.kind)
            if option.kind.accepts(value) { assignments.append(OptionAssignment(option.key, value, source: "line")) }
        }
        return assignments
    }

    private mutating func value(of kind: OptionKind) -> OptionValue {
        switch kind {
        case .duration: .seconds(pick([0, 1, 5, 10, 20, 30, 60, 90, 120, 180, 300, 600, 900, 3600]))
        case .metres: .metres(pick([0, 1, 25, 50, 70, 100, 150, 200, 300, 500]))
        case .speed: .metresPerSecond(pick([0.5, 0.85, 2]))
        case .degrees: .degrees(pick([0, 25, 45, 90]))
        case .number: .number(pick([0, 0.5, 1, 2]))
        case .count: .count(pick([0, 1, 3, 10]))
        case .flag: .flag(once(in: 2))
        case .choice(let words): .choice(pick(words))
        case .text: .text("off")
        case .timestamp: .timestamp(EventfulLife.date + .seconds(pick([-3600, 600, 9000])))
        case .timeOfDay: .nothing
        case .crontab: .text(pick(["* * * * *", "0-40 * * * *", "*/2 * * * 1-5"]))
        }
    }

    private mutating func regions(_ prefix: String = "r") -> [Region] {
        (0..<6).compactMap { number in
            var options = Region.Options()
            if once(in: 2) { options.dwell = .seconds(pick([20, 60, 300])) }
            if once(in: 3) { options.holdDown = .seconds(pick([5, 30])) }
            if once(in: 6) { options.modeOnEnter = pick(MonitoringMode.allCases) }
            if once(in: 6) { options.modeOnLeave = pick(MonitoringMode.allCases) }
            options.movesWithVehicle = once(in: 5)
            if once(in: 4) { options.rssiLimit = -80 }
            let name = RegionName(id: "\(prefix)\(number)", name: "region \(prefix)\(number)")
            return try? Region(name, text: nil, defined: EventfulLife.date, shape: shape(number), options: options)
        }
    }

    private mutating func shape(_ number: Int) -> RegionShape {
        if number == 5 { return .beacon(BeaconIdentity(uuid: Self.tags[1], major: once(in: 2) ? 1 : nil)) }
        let (east, north) = (uniform(-2500...2500), uniform(-2500...2500))
        let centre =
            number == 0 ? EventfulLife.home : EventfulLife.home?.moved(east: Metres(east), north: Metres(north))
        guard let centre else { return .beacon(BeaconIdentity(uuid: Self.tags[1])) }
        let size = uniform(60...900)
        let corners = [(-size, -size), (size, -size), (size, size), (-size, size / 2)].map {
            centre.moved(east: Metres($0.0), north: Metres($0.1))
        }
        if number == 4, let area = try? Region.polygon(corners, of: "") { return .area(area) }
        return .area(.circle(centre: centre, radius: Metres(size)))
    }

    mutating func sighting() -> BeaconSighting {
        BeaconSighting(
            uuid: pick(Self.tags), major: UInt16(next() % 2), minor: UInt16(next() % 4),
            rssi: Int8(-40 - Int(next() % 50)), measuredPower: once(in: 4) ? nil : -59)
    }

    mutating func event(at now: Instant, vehicle: EventfulVehicle) -> Event {
        switch next() % 36 {
        case 0...4: .ignition(isOn: vehicle.isRunning)
        case 5: .motionSensor(isThere: !once(in: 4))
        case 6: .receiver(isThere: !once(in: 3))
        case 7: .receiverLines(canBeSet: !once(in: 3))
        case 8: .beaconScanner(isListening: !once(in: 3))
        case 9: .wallClock(EventfulLife.date + (now - .boot), isTrusted: once(in: 2))
        case 10...13: .supply(Volts(pick([11.2, 11.6, 11.7, 12.1, 12.4, 12.8, 13.9, 14.3])))
        case 14: .power(pick([.supplyLost, .supplyLow, .supplyBack]))
        case 15: .transferErrors(Int(next() % 100))
        case 16: .storage(fault: once(in: 2) ? "the disk is full" : nil)
        case 17: .health(HealthReport(.databaseSetAside, reason: "damaged"))
        case 18: .health(HealthReport(.recordsRemoved, reason: "3 records"))
        case 19: .haltRefused(reason: "no wake-up")
        // Only an order of a server arms the timer of a trial.
        case 20: .timer(pick(TimerKind.allCases.filter { $0 != .trial }))
        case 21: .serverRegions([ServerRegions(target: "home", regions: regions("s"))])
        case 22: .options(pick([.custom, .remote]), options())
        case 23:
            .health(
                HealthReport(
                    .sentTimesWrong,
                    correction: SentTimes(
                        first: 3, last: 9, count: 5, from: EventfulLife.date, to: EventfulLife.date + .seconds(60))))
        case 24...27:
            .command(
                .locate(
                    LocationRequest(
                        action: once(in: 2) ? ActionParameters(actionType: "look", actionId: "7") : nil,
                        isRemote: once(in: 2))))
        default: .command(command(vehicle))
        }
    }

    private mutating func options() -> [OptionLayer] {
        once(in: 3) ? [] : [OptionLayer(.remote, name: "server", assignments(oneIn: 12))]
    }

    private mutating func command(_ vehicle: EventfulVehicle) -> Command {
        let entry = TripReport.Entry(key: "load", value: "stones")
        switch next() % 13 {
        case 0: return .move
        case 1: return .stay
        case 2, 3: return .startTrip(TripReport(externalID: once(in: 2) ? "job 7" : nil, metadata: [entry]))
        case 4, 5: return .endTrip
        case 6: return .odometer(Metres(uniform(0...90_000)))
        case 7: return .tag(once(in: 2) ? "private" : nil)
        case 8: return .tracking(isOn: !once(in: 3))
        case 9: return .mode(once(in: 3) ? nil : pick(MonitoringMode.allCases))
        case 10: return .forgetWaypoint(pick(["w1", "w2"]))
        case 11 where once(in: 3): return .clearWaypoints
        default: return .waypoint(waypoint(vehicle))
        }
    }

    private mutating func waypoint(_ vehicle: EventfulVehicle) -> Waypoint {
        let place = vehicle.place
        let centre = EventfulLife.home?.moved(
            east: Metres(place.east + uniform(-500...500)), north: Metres(place.north))
        let beacon = BeaconIdentity(uuid: Self.tags[1], major: 1)
        return Waypoint(
            text: once(in: 4) ? "" : "a place", coordinate: once(in: 8) ? nil : centre,
            radius: once(in: 4) ? nil : Metres(pick([-50, 0, 60, 200])), beacon: once(in: 3) ? beacon : nil,
            defined: EventfulLife.date + .seconds(pick([0, 60])), id: once(in: 2) ? pick(["w1", "w2"]) : nil,
            isAutomatic: once(in: 6), isShared: !once(in: 4))
    }
}
