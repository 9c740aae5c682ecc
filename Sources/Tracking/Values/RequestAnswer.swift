/// What became of a request for a location.
package struct RequestAnswer: Sendable, Hashable, Codable {
    /// What the asker wants to be kept with the answer.
    package var action: ActionParameters?
    /// Why there is no location; nothing when there is.
    package var failure: String?
    /// Time from the request to the answer.
    package var took: Duration

    /// Makes an answer.
    package init(action: ActionParameters?, failure: String? = nil, took: Duration) {
        self.action = action
        self.failure = failure
        self.took = took
    }
}

/// What the asker of a location wants to be kept with the answer; the names are those of the GeoManager.
package struct ActionParameters: Sendable, Hashable, Codable {
    /// What kind of action asked.
    package var actionType: String?
    /// What happened.
    package var actionLog: String?
    /// Which one.
    package var actionId: String?
    /// How long it took, in the asker's words.
    package var actionDuration: String?
    /// Anything else.
    package var additionalLog: String?

    /// Makes parameters; what is left out is not kept.
    package init(
        actionType: String? = nil, actionLog: String? = nil, actionId: String? = nil, actionDuration: String? = nil,
        additionalLog: String? = nil
    ) {
        self.actionType = actionType
        self.actionLog = actionLog
        self.actionId = actionId
        self.actionDuration = actionDuration
        self.additionalLog = additionalLog
    }
}
