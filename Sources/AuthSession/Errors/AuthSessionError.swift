// SPDX-License-Identifier: Apache-2.0

public import APIClient
import AuthCore
import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The failure of a session's operation.
public struct AuthSessionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, CaseIterable, CustomStringConvertible {
        /// The user is signed out, or another sign-in replaced the session during the call.
        case notSignedIn
        /// The server ended the session, or the access token expired and can't be refreshed.
        ///
        /// The user must sign in again.
        case sessionEnded
        /// The store can't be used now; ``AuthSessionError/underlying`` is usually the `SecureStoreError`.
        ///
        /// The session stays.
        case storeUnavailable
        /// The server can't be reached, failed, or limits requests.
        ///
        /// The session stays. A later attempt may succeed.
        case unreachable
        /// The refresh was sent, and no usable response came.
        ///
        /// The session stays. The next refresh of the session's own access token presents the same refresh token.
        case refreshOutcomeUnknown
        /// The server refused the app, or the client's key or identity token can't be used; the session stays.
        case refreshFailed
        /// The server refused the refresh, and has not said that the session is over.
        ///
        /// The session stays, and its access token works until it expires.
        case refreshRefused
        /// The server refused the sign-in; ``AuthSessionError/serverCode`` is the reason, if it sent one.
        case signInRefused
        /// The server refused a change to the user's profile; ``AuthSessionError/serverMessage`` may give the reason to
        /// the user.
        case profileRefused
        /// The server's response was refused: it can't be read, a token is malformed, missing, rejected or of an
        /// unexpected type, or it names another user.
        case invalidResponse
        /// No new token lasts as long as requested.
        case lifetimeTooShort
        /// The server's new access tokens are over when they come, so no other one was requested.
        ///
        /// The session stays.
        case expiredOnArrival
        /// The session has no ID token: the server issued none.
        case noIDToken
        /// Another user signed in than the one who had to authenticate again.
        ///
        /// The session stays.
        case userMismatch
        /// The backend's contract has no such call, or the call lacks its target or device.
        case contractMismatch
        /// Another sign-in or a sign-out came during this sign-in, or during a change of the profile.
        case superseded
        /// The limit on refreshes is reached: the server's new tokens are refused, or have expired on arrival.
        ///
        /// The session stays. An attempt a minute later may succeed.
        case tooManyRefreshes
        /// The session can't be refreshed, and lasts as long as its access token.
        case noRefreshToken
        /// Another process of this user holds the session's lock, and did not release it in time.
        ///
        /// That process refreshes the session, can't store its new tokens, or was stopped. On Linux, `sallyport doctor`
        /// names it. The session stays. A later attempt may succeed.
        case busy
        /// The user cancelled the sign-in with Apple in the browser.
        case signInCancelled
        /// No pending sign-in expects this redirect, or the sign-in has expired.
        case noPendingSignIn
        /// The redirect doesn't match the redirect URI of the pending sign-in.
        case redirectMismatch
        /// The redirect doesn't have the state of the pending sign-in.
        ///
        /// Refused as unsafe.
        case stateMismatch

        public var description: String { rawValue }
    }

    /// The kind of failure.
    public let code: Code
    /// The server's error code, if it sent one.
    public let serverCode: ServerErrorCode?
    /// The server's message, if it sent one.
    ///
    /// Untrusted. May be written for operators: shown to the user only with the code `role_conflict` after a refused
    /// sign-in, and with `invalid_profile` after a refused change of the profile.
    public let serverMessage: String?
    /// The underlying error, if there is one.
    public let underlying: (any Error)?
    /// The wait that the server requested, if any.
    public let retryAfter: Duration?
    /// A sentence that says more than the code; nil for none.
    var note: String?

    /// Creates an error; no value holds a secret.
    ///
    /// An omitted value is taken from `underlying`, if that is an `APIError`.
    public init(
        _ code: Code,
        serverCode: ServerErrorCode? = nil,
        serverMessage: String? = nil,
        retryAfter: Duration? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        let response = underlying as? APIError
        self.serverCode = serverCode ?? response?.serverCode
        self.serverMessage = serverMessage ?? response?.serverMessage
        self.retryAfter = retryAfter ?? response?.retryAfter
        self.underlying = underlying
    }

    /// Returns the same failure with another code.
    func coded(_ code: Code) -> AuthSessionError {
        AuthSessionError(
            code,
            serverCode: serverCode,
            serverMessage: serverMessage,
            retryAfter: retryAfter,
            underlying: underlying
        )
    }

    /// Whether the call's session does not exist any more: it ended, was replaced, or the user was not signed in.
    public var endsSession: Bool { code == .sessionEnded || code == .notSignedIn }

    /// Whether the same call may succeed later, without a change to the app, its settings or the store's contents.
    ///
    /// For example once the network is back, or once the user has unlocked the keyring.
    public var isRetryable: Bool {
        if let error = underlying as? SecureStoreError { return Self.passing.contains(error.code) }
        return [.unreachable, .refreshOutcomeUnknown, .storeUnavailable, .tooManyRefreshes, .busy].contains(code)
    }

    /// The store's errors that may pass.
    ///
    /// A session bus is not started while the app runs.
    private static let passing: [SecureStoreError.Code] = [.locked, .noProvider, .timedOut, .busy, .full, .failed]

    /// The server's error code as the end of a sentence, if it sent one.
    private var reason: String { serverCode.map { " (\($0.rawValue))" } ?? "" }

    /// The sentence of a provider's error, which says more than the code; nil for another error.
    private var detail: String? { (underlying as? any ExplainedError).map { "\($0)" } }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence or two, for developers and for tools.
    public var description: String { note.map { "\(sentence) \($0)" } ?? sentence }

    private var sentence: String {
        switch code {
        case .notSignedIn: "You are not signed in."
        case .sessionEnded: "The session has ended\(reason)."
        case .storeUnavailable: underlying.map { "\($0)" } ?? "The store can't be used now."
        case .unreachable: underlying.map { "\($0)" } ?? "The server can't be reached."
        case .refreshOutcomeUnknown: "No usable response to the refresh arrived, so its outcome is unknown."
        case .refreshRefused: "The server refused the refresh\(reason), and the session stays."
        case .refreshFailed:
            (serverCode == nil ? detail : nil)
                ?? "The server refused the refresh\(reason), and the session stays: the app's settings are wrong."
        case .profileRefused: "The server refused the change\(reason)."
        case .signInRefused: "The server refused the sign-in\(reason)."
        case .noRefreshToken: "The session can't be refreshed: the provider issued no refresh token."
        case .invalidResponse: detail ?? "The server's response was refused: it has no usable token."
        case .lifetimeTooShort: "There is no token that lasts as long as requested."
        case .expiredOnArrival: "The server issues access tokens that have already expired."
        case .noIDToken: "The session has no ID token."
        case .userMismatch: "You signed in as another user, so the session stays as it was."
        case .tooManyRefreshes: "The server's tokens are unusable; the next attempt is in a minute."
        case .busy: "Another process holds the session's lock."
        case .superseded: "Another sign-in or a sign-out replaced this sign-in."
        case .signInCancelled: "The sign-in was cancelled."
        case .noPendingSignIn: "No pending sign-in expects this response, or it has expired."
        case .redirectMismatch: "The redirect doesn't match the sign-in's redirect URI."
        case .stateMismatch: "The response doesn't have this sign-in's state and was rejected."
        case .contractMismatch: "The backend's contract doesn't support this call."
        }
    }
}

extension AuthSessionError: LocalizedError {
    public var errorDescription: String? { description }
}

/// The reason that a stored session can't be read.
///
/// Holds no part of the session.
public struct SessionRecordError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, CustomStringConvertible {
        /// The record is not JSON, lacks a member, or holds an invalid value.
        case damaged
        /// A newer version of this package wrote the record.
        case unknownVersion
        /// The record belongs to a sign-in at another backend or for other APIs, whose tokens are not for this one.
        case otherBackend

        public var description: String { rawValue }
    }

    /// The kind of failure.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) { self.code = code }

    public var description: String {
        switch code {
        case .unknownVersion: "The stored session was written by a newer version and can't be read by this one."
        case .otherBackend: "The stored session belongs to another server."
        case .damaged: "The stored session is damaged and can't be read."
        }
    }
}

extension SessionRecordError: LocalizedError {
    public var errorDescription: String? { description }
}

/// An error of a module of this package, whose description holds only sanitized text of a response.
package protocol ExplainedError: Error {
    /// The kind of the error, for the events of a session.
    var eventType: String { get }
    /// Whether the user cancelled.
    var isCancelled: Bool { get }
    /// Whether the description helps the user, and not only developers.
    var isForUser: Bool { get }
}
