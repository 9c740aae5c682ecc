import Foundation
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The table of transitions")
struct TransitionTableTests {
    @Test("The table in Tests/Golden agrees with the engine; `TRACKERD_WRITE_DOCS=1` rewrites it.")
    func table() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Golden/transitions.txt")
        let written = Self.markdown
        if ProcessInfo.processInfo.environment["TRACKERD_WRITE_DOCS"] != nil {
            try written.write(to: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: path, encoding: .utf8) == written)
    }

    /// A table with one row per pair of state and event that has an effect.
    private static var markdown: String {
        var lines = ["| state | event | next state | effects |", "| --- | --- | --- | --- |"]
        for state in States.all {
            for event in Happenings.all {
                var world = state.world
                let effects = event.happen(&world)
                let (before, after) = (States.name(state.world.engine), States.name(world.engine))
                let hasChanged = before != after
                let what = counted(effects.compactMap { describe($0, isChange: hasChanged) })
                guard before != after || !what.isEmpty else { continue }
                lines.append("| \(before) | \(event.name) | \(after == before ? "" : after) | \(what) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the effects in their order; a run of equal effects becomes one effect with a count.
    private static func counted(_ effects: [String]) -> String {
        var runs: [(text: String, count: Int)] = []
        for text in effects {
            if runs.last?.text == text { runs[runs.count - 1].count += 1 } else { runs.append((text, 1)) }
        }
        return runs.map { $0.count == 1 ? $0.text : "\($0.count) × \($0.text)" }.joined(separator: ", ")
    }

    /// Nil for effects that the table leaves out: decisions, changes of state, effects on other parts such as uploads, the
    /// timer of the receiver's health, and the cancelling of timers at a change of state.
    private static func describe(_ effect: Effect, isChange: Bool) -> String? {
        switch effect {
        case .record(let record): "**\(record.kind.rawValue)**"
        case .receiver(let isOn): "receiver \(isOn ? "on" : "off")"
        case .motionSensor(let isStreaming): "accelerometer \(isStreaming ? "streams" : "wakes")"
        case .arm(.health, _), .cancel(.health), .decided, .state: nil
        case .arm(let kind, _): "arm `\(kind.rawValue)`"
        case .cancel(let kind): isChange ? nil : "cancel `\(kind.rawValue)`"
        case .refused(let reason): "refused: \(reason.rawValue)"
        case .recover, .scan, .uploads, .deliver, .queueRules, .fetchRegions, .light, .halt, .correctTimestamps: nil
        }
    }
}

/// The states of the table; a sequence of events leads to each state.
private struct States {
    let world: World

    static let all = [
        make { $0.park() },
        make { world in
            world.park()
            _ = world.tell(.timer(.check), at: 100)
        },
        make({ $0.motionTriggerDelay = .seconds(10) }) { world in
            world.park()
            _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: 100)
        },
        make { world in
            world.park()
            world.drive(from: 50, seconds: 40)
            // The stop is certain, and the accelerometer still measures motion.
            _ = world.tell(.ignition(isOn: false), at: 91)
        },
        make { world in
            world.park()
            _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: 100)
        },
        make { world in
            world.park()
            _ = world.tell(.command(.move), at: 100)
        },
        make { world in
            world.park()
            world.drive(from: 60, seconds: 40)
        },
        make { world in
            world.park()
            world.drive(from: 60, seconds: 40)
            _ = world.tell(.timer(.fixTimeout), at: 220)
        },
        make { world in
            world.park()
            _ = world.tell(.command(.tracking(isOn: false)), at: 100)
        },
    ].map(States.init)

    private static func make(
        _ options: (inout TrackingOptions) -> Void = { _ in }, _ reach: (inout World) -> Void
    ) -> World {
        var world = World {
            $0.stopOnIgnitionOff = true; options(&$0)
        }
        reach(&world)
        return world
    }

    static func name(_ engine: Engine) -> String {
        if engine.status.suspension != nil { return "suspended" }
        guard let vehicle = Mirror(reflecting: engine).descendant("journey", "vehicle") as? Vehicle else { return "" }
        switch vehicle {
        case .parked(let state):
            let mirror = Mirror(reflecting: state.value)
            if (mirror.descendant("idling") as? IdlingEngine)?.isRunning ?? false { return "parked, engine idling" }
            let activity = "\(mirror.descendant("activity") ?? "")"
            if activity.hasPrefix("confirmingMotion") { return "parked, confirming motion" }
            return activity.hasPrefix("checkingPosition") ? "parked, checking position" : "parked, asleep"
        case .moving(let state):
            let mirror = Mirror(reflecting: state.value)
            let isDoubtful = !((mirror.descendant("falseStart") as? FalseStartRule)?.isDecided ?? true)
            let acquisition = mirror.descendant("acquisition") as? Acquisition
            if isDoubtful { return "moving, start in doubt" }
            if acquisition?.isResting ?? false { return "moving, search paused" }
            let hasFix = "\(acquisition.map { Mirror(reflecting: $0).descendant("state") ?? "" } ?? "")".hasPrefix(
                "tracking")
            return hasFix ? "moving, tracking" : "moving, searching"
        }
    }
}

/// The events of the table, all at the same moment.
private struct Happenings {
    let name: String
    let happen: (inout World) -> [Effect]

    private static let now = 400.0

    static var all: [Happenings] {
        [
            event("motion", .motion(MotionVerdict(isMoving: true))),
            event("stillness", .motion(MotionVerdict(isMoving: false))),
            event("fix where it is parked", .fix(Samples.fix(now))),
            Happenings(name: "three fixes 2 km away, at speed") { world in
                (0...2).flatMap { second in
                    let time = now + Double(second)
                    return world.tell(.fix(Samples.fix(time, east: 2000 + Double(second) * 15, speed: 15)), at: time)
                }
            },
            event("ignition on", .ignition(isOn: true)), event("ignition off", .ignition(isOn: false)),
            event("accelerometer lost", .motionSensor(isThere: false)),
            event("timer `check`", .timer(.check)), event("timer `fixTimeout`", .timer(.fixTimeout)),
            event("timer `acquire`", .timer(.acquire)), event("timer `stillness`", .timer(.stillness)),
            event("timer `falseStart`", .timer(.falseStart)),
            event("command move", .command(.move)), event("command stay", .command(.stay)),
            event("command tracking off", .command(.tracking(isOn: false))),
            event("command tracking on", .command(.tracking(isOn: true))),
        ]
    }

    private static func event(_ name: String, _ event: Event) -> Happenings {
        Happenings(name: name) { $0.tell(event, at: now) }
    }
}
