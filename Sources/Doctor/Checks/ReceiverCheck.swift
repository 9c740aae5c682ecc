import Hardware
import Quantities
import Tracking

extension Check {
    package static let receiver = Check("receiver", isVital: true) { facts in
        let address = facts.board?.gpsd ?? GpsdAddress()
        switch facts.receiver {
        case nil: return []
        case .noGpsd(let reason)?:
            return .fault(
                "\(address) does not answer (\(reason)).",
                "Install gpsd and run `sudo systemctl enable --now gpsd.socket`, or set the address of gpsd in the board's `gpsd` or with `--gpsd`."
            )
        case .noDevice([])?: return [unpowered("gpsd has no device", facts) ?? noDevice(facts, address, [])]
        case .noDevice(let others)?: return [noDevice(facts, address, others)]
        case .deviceFailing(let device, let reason)?:
            return .fault(
                "gpsd cannot use \(device) (\(reason)).",
                "Run `sudo fuser \(device)`: no program other than gpsd may have the device open. Check that cmdline.txt sets no serial console on the device, and that the user gpsd may open the device."
            )
        case .silent(let device, let span)?:
            let silence = "\(device) has sent nothing for \(Int(span.inSeconds)) s"
            return [
                unpowered(silence, facts)
                    ?? .fault(
                        "\(silence).",
                        "Check the receiver's supply and power line, and the wire from the receiver's TX to the board's RX; `gpsmon` shows the data that gpsd receives."
                    )
            ]
        case .searching(let device, let used, let seen)?: return [searching(device, used, seen)]
        case .unusable(let device, let reason, let error)?: return [unusable(device, reason, error)]
        case .fix(let device, let error, let used)?:
            let bound = bound(error)
            let number = used.map { " with \($0) satellites" } ?? ""
            return .ok("\(device) has a fix\(bound)\(number).")
        }
    }

    /// A silent receiver with a switched supply may simply be off. Nil for other receivers, and if the supply's line is
    /// unusable.
    private static func unpowered(_ sight: String, _ facts: Facts) -> Finding? {
        let rail = facts.lines.first { $0.key == "receiverPower.line" }
        switch rail?.facts {
        case .free:
            return .warning(
                "\(sight): the receiver's supply is off while the daemon is not running.",
                "Start trackerd, run `trackerd locate`, and run the doctor again while that command waits.")
        case .held(by: consumer, _):
            return .warning(
                "\(sight): the daemon switches the receiver's supply off while the vehicle is parked.",
                "Run `trackerd locate`, and run the doctor again while that command waits. If the result is the same, check the receiver's supply, the switch, and the wire from the receiver's TX to the board's RX."
            )
        case .noChip, .forbidden, .noLine, .held, nil: return nil
        }
    }

    private static func noDevice(_ facts: Facts, _ address: GpsdAddress, _ others: [String]) -> Finding {
        let (cause, remedy) = address.absence(others: others, base: facts.board?.name)
        return .fault("\(cause).", remedy)
    }

    private static func bound(_ error: Metres?) -> String {
        error.flatMap { Int(exactly: $0.value.rounded(.up)) }.map { ", ±\($0) m" } ?? ""
    }

    private static func unusable(_ device: String, _ reason: FixRejection, _ error: Metres?) -> Finding {
        let cause = reason.lastingCause ?? reason.rawValue
        return .fault(
            "\(device) reports positions\(bound(error)), but trackerd cannot use them: \(cause).", remedy(for: reason))
    }

    private static func remedy(for reason: FixRejection) -> String {
        switch reason {
        case .noDate:
            "Let the receiver also send RMC or ZDA sentences, which contain the date, or connect the computer to a network, so that a time server sets its clock."
        case .inaccurate:
            "Give the antenna a clear view of the sky, and run the doctor again. If the error remains, raise `accuracyLimit`."
        case .unknownAccuracy:
            "Give the antenna a clear view of the sky, and run the doctor again after a minute."
        case .tooOld, .tooNew:
            "Wait a quarter of an hour under the open sky. If the date remains wrong, the receiver's firmware has missed a rollover of the GPS week number: update the firmware, or replace the receiver."
        case .noFix, .frozen, .notNewer, .timeStep, .jump, .nullIsland, .unconfirmed:
            "See the receiver's output with `gpsmon`. If the sky view is clear, reset the receiver or replace it."
        }
    }

    private static func searching(_ device: String, _ used: Int, _ seen: Int) -> Finding {
        guard seen > 0 else {
            return .warning(
                "\(device) sends data but reports no satellites.",
                "Check the antenna and its plug, and give the antenna a clear view of the sky.")
        }
        return .warning(
            "\(device) sends data but has no fix; it sees \(seen) satellites and uses \(used).",
            "Wait a minute under the open sky; the first fix takes half a minute there.")
    }
}
