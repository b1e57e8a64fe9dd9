// SPDX-License-Identifier: Apache-2.0

public import SecureStore

/// An event in the life of a session.
///
/// No event names a user, a token, a server or a key of the store, or holds the text of an error. Durations are those of
/// the session's monotonic clock. An error is named by its code, or else by its type.
public enum SessionEvent: Sendable, Hashable {
    /// A sign-in has ended, after this time. If one call does it all, the user's time is included.
    case signInEnded(SignIn, after: Duration)
    /// A refresh was requested while none was in progress.
    case refreshBegan
    /// A refresh has ended.
    case refreshEnded(Refresh)
    /// The tokens that another process has stored were taken over.
    case adopted
    /// The server can't be reached.
    case wentOffline
    /// The server was reached again.
    case cameOnline
    /// The store did not accept the tokens, or the user's new profile, which are now only in memory.
    case tokensUnsaved(SecureStoreError.Code)
    /// No token is only in memory any more: the tokens were written, or are gone.
    case tokensSaved
    /// A sign-out by the user has ended. The error is the store's; nil if the session is gone from it.
    case signOutEnded(RevocationOutcome, SecureStoreError.Code?, after: Duration)
    /// A session that was in memory has ended, or a stored one can't be read.
    case sessionEnded(SignedOutReason)

    /// The end of a sign-in.
    public enum SignIn: Sendable, Hashable {
        /// A user has signed in.
        case success
        /// The sign-in failed with an error of this code or type.
        case failed(String)
        /// The app or the user cancelled it. A user who closes the page of a sign-in is not a failure.
        case cancelled
        /// The app gave it up, and no error was recorded.
        case abandoned
    }

    /// A refresh that has ended.
    public struct Refresh: Sendable, Hashable {
        /// The outcome of the request, or of a refresh without one.
        public enum Outcome: String, Sendable {
            /// A case of ``RefreshOutcome``.
            case refreshed, rotated, mismatched, refused, unknown, doubtful
            /// No new tokens came: the server replaced none, or no request was sent from here.
            case failed
            /// No request was sent from here: other tokens were at hand.
            case adopted
            /// The refresh was called off while it waited for the lock.
            case abandoned
        }

        /// The end of the wait for the lock among processes.
        public enum Lock: String, Sendable {
            /// The refresh got the lock.
            case acquired
            /// Another process held it for too long.
            case busy
            /// The machine has no lock.
            case unavailable
        }

        /// Whether it was for another API's access token.
        public let isForOtherAPI: Bool
        /// The outcome.
        public internal(set) var outcome = Outcome.abandoned
        /// The code or the type of the callers' error; nil for no error.
        public internal(set) var errorType: String?
        /// The time from the first request for it to the result.
        public internal(set) var duration = Duration.zero
        /// The end of the wait for the lock; nil if no lock was needed.
        public internal(set) var lock: Lock?
        /// The time that the refresh waited for the lock.
        public internal(set) var lockWait = Duration.zero
        /// The number of requests that joined it.
        public internal(set) var joined = 0
        /// Whether it was sent more than once, here or by an earlier attempt.
        public internal(set) var isReplay = false
    }
}

extension SessionEvent.SignIn {
    init(_ error: any Error) {
        let isCancelled =
            error is CancellationError || (error as? AuthSessionError)?.code == .signInCancelled
            || (error as? any ExplainedError)?.isCancelled == true
        self = isCancelled ? .cancelled : .failed(SessionEvent.type(of: error))
    }

    /// The name in metrics and spans.
    fileprivate var name: String {
        switch self {
        case .success: "success"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .abandoned: "abandoned"
        }
    }

    /// The code or the type of the error; nil if it did not fail.
    fileprivate var errorType: String? { if case .failed(let type) = self { type } else { nil } }
}

extension SignedOutReason {
    /// The name in metrics.
    var name: String {
        switch self {
        case .noSession: "noSession"
        case .userSignedOut: "userSignedOut"
        case .signedOutElsewhere: "signedOutElsewhere"
        case .endedByServer: "endedByServer"
        case .refreshResponseLost: "refreshResponseLost"
        case .expired: "expired"
        case .appleIDRevoked: "appleIDRevoked"
        case .unreadableRecord: "unreadableRecord"
        }
    }
}

extension SessionEvent.Refresh.Outcome {
    init(_ outcome: RefreshOutcome) {
        self =
            switch outcome {
            case .refreshed: .refreshed
            case .rotated: .rotated
            case .mismatched: .mismatched
            case .refused: .refused
            case .unknown: .unknown
            case .doubtful: .doubtful
            case .failed: .failed
            }
    }
}

extension SessionEvent {
    /// Returns an error's code, or the name of its type; never its text.
    static func type(of error: any Error) -> String {
        switch error {
        case let error as AuthSessionError: error.code.description
        case let error as SecureStoreError: error.code.description
        case let error as any ExplainedError: error.eventType
        default: String(describing: Swift.type(of: error))
        }
    }

    /// An operation that has ended, for its timer and its span.
    struct Operation {
        let name: String
        let duration: Duration
        let outcome: String
        let errorType: String?
    }

    /// The operation that has ended; nil for another event.
    var operation: Operation? {
        switch self {
        case .signInEnded(let result, let duration):
            Operation(name: "sign_in", duration: duration, outcome: result.name, errorType: result.errorType)
        case .refreshEnded(let refresh):
            Operation(
                name: refresh.isForOtherAPI ? "resource_token" : "refresh",
                duration: refresh.duration,
                outcome: refresh.outcome.rawValue,
                errorType: refresh.errorType
            )
        case .signOutEnded(let outcome, let error, let duration):
            Operation(name: "sign_out", duration: duration, outcome: outcome.rawValue, errorType: error?.description)
        default: nil
        }
    }
}

/// An observer of sessions, for metrics, traces and logs.
///
/// `SessionMetrics` and `SessionTracing` are two. Set it in ``SessionOptions/observers``; several sessions may share it.
public protocol SessionObserver: Sendable {
    /// Receives an event.
    ///
    /// The session's own work calls this and waits for its return, so it returns at once. The task's context is that of
    /// the caller that began the operation.
    func observe(_ event: SessionEvent)
}
