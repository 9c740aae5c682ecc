import Quantities

/// How good a fix must be, and which fixes become records.
extension TrackingOption {
    static let accuracy: [TrackingOption] = [
        .choice(
            "monitoring", \.monitoring,
            "What is recorded unasked: nothing, region events, significant changes of place, or the whole way."),
        .choice(
            "desiredAccuracy", \.desiredAccuracy,
            "How good a fix must be before it is taken, and how hard the receiver is driven."),
        .metres(
            "accuracyLimit", \.accuracyLimit, 1...farthest, "A fix whose horizontal error is larger is never used."),
        .duration(
            "fixTimeout", \.fixTimeout, .seconds(1)...day,
            "How long the receiver may search before the best fix so far is taken, or it is rested."),
    ]

    static let sampling: [TrackingOption] = [
        .duration(
            "desiredMovingUpdateInterval", \.desiredMovingUpdateInterval, .zero...day,
            "Record at the latest after this long while moving; 0: no time rule."),
        .duration(
            "fastestMovingUpdateInterval", \.fastestMovingUpdateInterval, .zero...day,
            "Never record more often than this while moving."),
        .duration(
            "desiredStoppedUpdateInterval", \.desiredStoppedUpdateInterval, .zero...day,
            "While stationary, power the receiver this often for one record; 0: receiver off."),
        .duration(
            "fastestStoppedUpdateInterval", \.fastestStoppedUpdateInterval, .zero...day,
            "While stationary, record a fix that is there anyway at most this often."),
        .metres(
            "distanceFilter", \.distanceFilter, 0...farthest,
            "Record after this displacement from the last record; 0: no distance rule."),
        .choice(
            "updateRule", \.updateRule,
            "Whether the time rule or the distance rule is enough (`any`), or both must hold (`all`)."),
        .flag(
            "disableElasticity", \.disableElasticity, "Keep the distance filter the same at all speeds."),
        .number(
            "elasticityMultiplier", \.elasticityMultiplier, 0...100,
            "How strongly the distance filter grows with speed; 0: not at all."),
        .degrees(
            "turnFilter", \.turnFilter, 0...180,
            "Also record when the course has changed by this much since the last record; 0: off."),
        .flag(
            "useSignificantLocationChanges", \.useSignificantLocationChanges,
            "Record 500 m or more from the last record, at most every 300 s."),
        .flag(
            "useMovingGeofence", \.useMovingGeofence,
            "While the receiver is duty-cycled, leaving the bubble round the last record asks for the next fix at once."
        ),
        .metres(
            "movingGeofenceRadius", \.movingGeofenceRadius, 1...farthest,
            "How far that bubble reaches; 0 leaves it as it is.",
            isUntouchedByZero: true),
        .count(
            "arrivalPoints", \.arrivalPoints, 0...20,
            "How many fixes near the place of arrival are recorded beside it, for servers that detect visits."),
    ]
}
