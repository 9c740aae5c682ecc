import Hardware
import Logging
import Quantities
import Tracking

/// Somebody who asked where the vehicle is, and waits.
struct Asker {
    let client: ControlConnection
    /// What they called their request.
    let id: String?
    let action: ActionParameters
}

/// What clients of the control socket ask for.
extension Tracker {
    /// Answers one request at most, so that between two of them the devices have their turn.
    func serveControl(at now: Instant) {
        guard let control else { return }
        if let (client, line) = control.nextRequest(at: now) {
            let asked = ControlRequest.read(line)
            do throws(ControlRefusal) {
                try serve(try asked.request.get(), of: client, id: asked.id, at: now)
            } catch {
                client.answer(.failure(error.text, id: asked.id), at: now)
            }
        }
        for reason in control.forgetClosed() {
            log.debug("control client dropped", metadata: ["reason": "\(reason)"])
        }
    }

    private func serve(
        _ request: ControlRequest, of client: ControlConnection, id: String?, at now: Instant
    ) throws(ControlRefusal) {
        switch request {
        case .status: client.answer(.success(status(at: now), id: id), at: now)
        case .showTracking: client.answer(.success(ControlTracking(engine), id: id), at: now)
        case .regions: client.answer(.success(regions, id: id), at: now)
        case .waypoints: client.answer(.success(engine.state.regions.waypoints.map(ControlWaypoint.init), id: id), at: now)
        case .odometer:
            let distance = engine.odometer.value.tenths
            client.answer(.success(ControlOdometer(odometer_m: distance), id: id), at: now)
        case .queue: client.answer(.success(try queueContents(), id: id), at: now)
        case .retryQueue(let order): client.answer(.success(try sendAgain(order), id: id), at: now)
        case .locate(let action):
            askers.append(Asker(client: client, id: id, action: action))
            _ = try carryOut(request, at: now)
        case .move, .stay, .mode, .startTracking, .stopTracking, .startTrip, .endTrip, .setWaypoint, .removeWaypoint,
            .clearWaypoints, .setOdometer, .tag:
            client.answer(.success(try carryOut(request, at: now), id: id), at: now)
        }
    }

    /// Hands an order to the engine; what comes of it is on disk when this returns, if the disk takes it.
    private func carryOut(_ request: ControlRequest, at now: Instant) throws(ControlRefusal) -> ControlOutcome {
        let before = engine
        var records: [StoredRecord] = []
        for event in try request.events(for: before, at: engine.time(at: now)) {
            records += handle(event, at: now)
        }
        let isOnDisk = performer.save(engine.state, at: now)
        let text = try request.outcome(from: before, to: engine, records)
        return ControlOutcome(text: text, on_disk: isOnDisk, records: records.map(ControlRecord.init))
    }

    /// Tells those who asked for a location what was recorded as the answer.
    func answerAskers(with records: [StoredRecord], at now: Instant) {
        for stored in records {
            guard case .request(let answer) = stored.record.content,
                let index = askers.firstIndex(where: { $0.action == answer.action })
            else { continue }
            let asker = askers.remove(at: index)
            let result = ControlLocation(stored, answer, isOnDisk: performer.isOnDisk(stored))
            let failure = answer.failure.map {
                "\($0). Give the antenna a clear view of the sky, or raise `fixTimeout`."
            }
            let reply = failure.map { ControlReply.failure($0, with: result, id: asker.id) }
            asker.client.answer(reply ?? .success(result, id: asker.id), at: now)
        }
    }

    private var regions: [ControlRegion] {
        let inside = Set(engine.regionsInside.map(\.id))
        return engine.watchedRegions.map { ControlRegion($0, isInside: inside.contains($0.id)) }
    }

    private func status(at now: Instant) -> Status {
        let queue = Status.Queue(
            in_memory: performer.unwrittenCount, fault: performer.diskFault, targets: queueTargets)
        return Status(
            engine, why: lastChange, stopAt: performer.due(.stillness), errors: devices.motionSensor?.errorCount,
            charge_mAh_per_day: chargePerDay(at: now), queue: queue, at: now)
    }

    /// What it has drawn since the start of the program, as for a day; nothing before there is much to go by.
    private func chargePerDay(at now: Instant) -> Double? {
        let span = now - began
        let charge = devices.currents.charge(over: span, receiverOn: summary.receiverTime(at: now))
        guard charge > 0, span >= .seconds(600) else { return nil }
        return charge * 86_400 / span.inSeconds
    }
}
