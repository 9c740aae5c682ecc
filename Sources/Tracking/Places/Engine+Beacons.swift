import Quantities
import TrackingOptions

extension Engine {
    /// A beacon was heard: it may be one of a region, the vehicle's own, or the driver's.
    mutating func hear(_ sighting: BeaconSighting, at now: Instant) -> [Effect] {
        guard options.beacons else { return [] }
        return name(by: sighting, at: now) + note(beacons.handle(.sighting(sighting), at: now), at: now)
    }

    /// A beacon may have been silent for long enough.
    mutating func beaconsElapsed(at now: Instant) -> [Effect] { note(beacons.handle(.timer, at: now), at: now) }

    /// Listens as much as is called for now.
    mutating func rescan(at now: Instant) -> [Effect] {
        let duty = ScanDuty.duty(
            tripAge: movingSince.map { now - $0 }, hasBeaconRegions: hasBeaconRegions,
            isOn: options.beacons && !isSuspended)
        let next: [Effect] =
            duty == .full ? [.arm(.scan, at: (movingSince ?? now) + ScanDuty.fullAtStart)] : [.cancel(.scan)]
        guard duty != scanDuty else { return duty == .full ? next : [] }
        scanDuty = duty
        return [.scan(duty)] + next + note(beacons.handle(.scan(isListening ? duty : .off), at: now), at: now)
    }

    /// While the adapter does not listen no beacon is left for its silence.
    mutating func note(beaconScanner isListening: Bool, at now: Instant) -> [Effect] {
        guard isListening != self.isListening else { return [] }
        self.isListening = isListening
        let text = isListening ? "the Bluetooth adapter listens again" : "the Bluetooth adapter does not listen"
        let duty = isListening ? scanDuty : .off
        return [.decided(Decision(.sensor, text))] + note(beacons.handle(.scan(duty), at: now), at: now)
    }

    /// The trip begins: whose it is will be heard.
    mutating func listenForVehicle(at now: Instant) {
        _ = detection.handle(.tripBegan, at: now)
        state.names = detection.names
    }

    /// The trip is over.
    mutating func forgetVehicle(at now: Instant) {
        _ = detection.handle(.tripEnded, at: now)
        state.names = detection.names
    }

    /// The regions whose beacon tells.
    static func beaconRegions(_ regions: [Region]) -> [BeaconTracker.Region] {
        regions.compactMap { region in
            guard region.shape.trigger == .beacon, let beacon = region.shape.beacon else { return nil }
            return BeaconTracker.Region(id: region.id, beacon: beacon, rssiLimit: region.wishes.rssiLimit)
        }
    }

    /// Other regions are watched from now on: those that a beacon tells of are to be heard.
    mutating func listenForRegions(at now: Instant) -> [Effect] {
        beacons.watch(Self.beaconRegions(regions.regions))
        return rescan(at: now)
    }

    private var hasBeaconRegions: Bool { regions.regions.contains { $0.shape.trigger == .beacon } }

    private mutating func name(by sighting: BeaconSighting, at now: Instant) -> [Effect] {
        guard detection.handle(.sighting(sighting), at: now) else { return [] }
        state.names = detection.names
        let names = [state.names.vehicle.map { "vehicle \($0)" }, state.names.driver.map { "driver \($0)" }]
        return [.decided(Decision(.beacon, names.compactMap { $0 }.joined(separator: ", ")))]
    }

    private mutating func note(_ heard: [BeaconTracker.Effect], at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        for effect in heard {
            switch effect {
            case .entered(let id): effects += watchRegions(beacon: id, isPresent: true, at: now)
            case .left(let id, _): effects += watchRegions(beacon: id, isPresent: false, at: now)
            case .arm(let moment): effects.append(.arm(.beacons, at: moment))
            case .cancel: effects.append(.cancel(.beacons))
            }
        }
        return effects
    }
}
