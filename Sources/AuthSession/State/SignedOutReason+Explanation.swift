extension SignedOutReason {
    /// What a person is told on the sign-in screen, in one sentence or two; nil where they know it.
    public var explanation: String? {
        switch self {
        case .neverSignedIn, .signedOutByPerson: nil
        case .signedOutElsewhere: "You were signed out in another window of this app."
        case .endedByServer: "The server has ended your session. Sign in again."
        case .answerLost: "The connection broke at a bad moment, and your session was lost. Sign in again."
        case .expired: "Your session has ended. Sign in again."
        case .unreadableRecord(.otherBackend): "This device has a session at another server. Signing in replaces it."
        case .unreadableRecord(.unknownVersion):
            "The session on this device is of a newer version of this app. Update the app, or sign in again."
        case .unreadableRecord: "The session on this device can't be read. Sign in again."
        }
    }
}
