// SPDX-License-Identifier: Apache-2.0

extension SignedOutReason {
    /// The explanation for the user on the sign-in screen, in one or two sentences; nil if the user knows the reason.
    ///
    /// In English. ``MessageCatalog/explanation(of:)`` translates it.
    public var explanation: String? { message?.sentence }

    /// The key of the explanation in a ``MessageCatalog``; nil if there is no explanation.
    var messageKey: String? { message.map { "SignedOutReason.\($0.name)" } }

    /// A value for each explanation.
    static let allCases: [SignedOutReason] = [
        .signedOutElsewhere, .endedByServer, .refreshResponseLost, .expired, .appleIDRevoked,
        .unreadableRecord(.otherBackend), .unreadableRecord(.unknownVersion), .unreadableRecord(.damaged),
    ]

    private var message: (name: String, sentence: String)? {
        switch self {
        case .noSession, .userSignedOut: nil
        case .signedOutElsewhere: ("signedOutElsewhere", "You were signed out in another window of this app.")
        case .endedByServer: ("endedByServer", "The server has ended your session. Sign in again.")
        case .refreshResponseLost:
            (
                "refreshResponseLost",
                "The connection broke during a refresh, and your session was lost. Sign in again."
            )
        case .expired: ("expired", "Your session has ended. Sign in again.")
        case .appleIDRevoked:
            ("appleIDRevoked", "This app may no longer use your Apple Account to sign you in. Sign in again.")
        case .unreadableRecord(.otherBackend):
            ("otherBackend", "This device has a session at another server. Signing in replaces it.")
        case .unreadableRecord(.unknownVersion):
            ("unknownVersion", "A newer version of this app saved this session. Update the app, or sign in again.")
        case .unreadableRecord: ("unreadableRecord", "The session on this device can't be read. Sign in again.")
        }
    }
}

extension MeasuredOutcome {
    /// Creates the reason for the end of a session.
    init(_ reason: SignedOutReason) {
        switch reason {
        case .noSession: self.init(name: "noSession")
        case .userSignedOut: self.init(name: "userSignedOut")
        case .signedOutElsewhere: self.init(name: "signedOutElsewhere")
        case .endedByServer: self.init(name: "endedByServer")
        case .refreshResponseLost: self.init(name: "refreshResponseLost")
        case .expired: self.init(name: "expired")
        case .appleIDRevoked: self.init(name: "appleIDRevoked")
        case .unreadableRecord: self.init(name: "unreadableRecord")
        }
    }
}
