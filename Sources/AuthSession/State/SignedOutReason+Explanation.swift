extension SignedOutReason {
    /// The explanation for the user on the sign-in screen, in one or two sentences; nil if the user knows the reason.
    public var explanation: String? {
        switch self {
        case .noSession, .userSignedOut: nil
        case .signedOutElsewhere: "You were signed out in another window of this app."
        case .endedByServer: "The server has ended your session. Sign in again."
        case .refreshResponseLost: "The connection broke during a refresh, and your session was lost. Sign in again."
        case .expired: "Your session has ended. Sign in again."
        case .unreadableRecord(.otherBackend): "This device has a session at another server. Signing in replaces it."
        case .unreadableRecord(.unknownVersion):
            "A newer version of this app saved this session. Update the app, or sign in again."
        case .unreadableRecord: "The session on this device can't be read. Sign in again."
        }
    }
}
