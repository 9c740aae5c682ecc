import Configuration
import Tracking
import TrackingOptions
import Upload

extension RemoteControl {
    /// Checks that a target's server may send a request with these values.
    func check(_ request: any ControlRequest, from target: String) throws(ControlError) {
        guard let permission = RemotePermission.needed(forRequest: type(of: request).manual.name),
            permits(permission, to: target)
        else { throw ControlError("the target no longer permits this request.") }
        // These options would replace the owner's whole section `tracking`, without limits and without a trial.
        if let start = request as? StartTrackingRequest, start.layer != nil {
            throw ControlError("a server cannot start tracking with options. Send the request `options`.")
        }
        guard let mode = (request as? ModeRequest)?.mode, !Self.reportingModes.contains(mode) else { return }
        guard permits(.silence, to: target) else {
            throw ControlError(
                "the mode \(mode.name) would silence the tracker. Add `silence` to the target's `control`.")
        }
    }

    /// The modes in which the tracker reports without a request; a server needs the permission `silence` for the other modes.
    static let reportingModes: Set<MonitoringMode> = [.significant, .move]
}
