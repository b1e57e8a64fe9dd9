public import APIClient
import OpenIDConnect
import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a session could not do what it was asked.
public struct AuthSessionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case notSignedIn
            case sessionEnded
            case storeUnavailable
            case unreachable
            case refreshOutcomeUnknown
            case refreshFailed
            case signInRefused
            case unsafeAnswer
            case lifetimeTooShort
            case contractMismatch
            case superseded
            case tooManyRefreshes
            case notRenewable
            case busy
        }

        private let value: Value

        /// Nobody is signed in.
        public static let notSignedIn = Code(value: .notSignedIn)
        /// The server ended the session: sign in again.
        public static let sessionEnded = Code(value: .sessionEnded)
        /// The store can't be used now; ``AuthSessionError/underlying`` is the `SecureStoreError`.
        ///
        /// The session stays.
        public static let storeUnavailable = Code(value: .storeUnavailable)
        /// The server can't be reached or failed.
        ///
        /// The session stays; trying later helps.
        public static let unreachable = Code(value: .unreachable)
        /// The refresh left and no answer came.
        ///
        /// The session stays; the next attempt sends the same one again.
        public static let refreshOutcomeUnknown = Code(value: .refreshOutcomeUnknown)
        /// The server refused the refresh for a reason that does not end the session: the app is misconfigured.
        public static let refreshFailed = Code(value: .refreshFailed)
        /// The server refused the sign-in; ``AuthSessionError/serverMessage`` may say why in words for the person.
        public static let signInRefused = Code(value: .signInRefused)
        /// The server's answer was refused: a token type that is not Bearer, a token that is none, no token at all.
        public static let unsafeAnswer = Code(value: .unsafeAnswer)
        /// Even a new token does not live as long as was asked for.
        public static let lifetimeTooShort = Code(value: .lifetimeTooShort)
        /// The backend's contract has no such call.
        public static let contractMismatch = Code(value: .contractMismatch)
        /// Somebody else signed in, or the person signed out, before the sign-in was answered.
        public static let superseded = Code(value: .superseded)
        /// More refreshes than a sound server asks for: its new tokens are refused, or have ended when they come.
        ///
        /// The session stays; trying a minute later helps.
        public static let tooManyRefreshes = Code(value: .tooManyRefreshes)

        /// The provider gave nothing to get new tokens with: the session lasts as long as its access token does.
        public static let notRenewable = Code(value: .notRenewable)
        /// Another process of this user holds the session's lock, and did not release it in time.
        ///
        /// It refreshes the session, or was stopped while it did; the description names it if the system says which
        /// process it is. The session stays; trying later helps.
        public static let busy = Code(value: .busy)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The server's own code, where it gave one.
    public let serverCode: ServerErrorCode?
    /// The server's own sentence, where it gave one; shown to the person for a refused sign-in.
    public let serverMessage: String?
    /// The error underneath, where there is one.
    public let underlying: (any Error)?

    init(_ code: Code, underlying: (any Error)? = nil) {
        self.code = code
        let (answer, tokenAnswer) = (underlying as? APIError, underlying as? TokenEndpointError)
        serverCode = answer?.serverCode ?? tokenAnswer?.oauthCode.map { ServerErrorCode(rawValue: $0.rawValue) }
        serverMessage = answer?.serverMessage ?? tokenAnswer?.oauthDescription
        self.underlying = underlying
    }

    /// Whether the session is still there.
    public var sessionStays: Bool { code != .sessionEnded && code != .notSignedIn }

    /// Whether the same call may succeed later without anybody doing anything.
    public var retryHelps: Bool {
        // Nobody starts a session bus while the app runs.
        if (underlying as? SecureStoreError)?.code == .noSessionBus { return false }
        return [.unreachable, .refreshOutcomeUnknown, .storeUnavailable, .tooManyRefreshes, .busy].contains(code)
    }

    /// How long the server asks to wait, where it said.
    public var retryAfter: Duration? {
        (underlying as? APIError)?.retryAfter ?? (underlying as? TokenEndpointError)?.retryAfter
    }

    /// The server's own code as the end of a sentence, if it gave one.
    private var reason: String { serverCode.map { " (\($0.rawValue))" } ?? "" }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence, fit for a person.
    public var description: String {
        switch code {
        case .notSignedIn: "Nobody is signed in."
        case .sessionEnded: "The session has ended\(reason)."
        case .storeUnavailable: underlying.map { "\($0)" } ?? "The store can't be used now."
        case .unreachable: underlying.map { "\($0)" } ?? "The server can't be reached."
        case .refreshOutcomeUnknown:
            "The server did not answer the refresh; it is not known whether it was carried out."
        case .refreshFailed where isOfUser: "The server refused the refresh\(reason), and the session stays."
        case .refreshFailed:
            "The server refused the refresh\(reason), and the session stays: the app's settings are wrong."
        case .signInRefused: serverMessage ?? "The server refused the sign-in."
        case .unsafeAnswer where underlying is TokenEndpointError: underlying.map { "\($0)" } ?? code.description
        case .notRenewable: "The provider gave nothing to renew the session with."
        case .unsafeAnswer: "The server's answer was refused: it holds no token that may be used."
        case .lifetimeTooShort: "The server gives no token that lives as long as was asked for."
        case .tooManyRefreshes: "The server gives tokens that are of no use; the next try is made in a minute."
        case .busy: "The session is being refreshed by \(holder), which does not come to an end."
        case .superseded: "The sign-in came to nothing: another one or a sign-out came in between."
        default: "The backend's contract has no such call."
        }
    }

    private var holder: String { (underlying as? SecureStoreError)?.holder?.description ?? "another process" }

    /// Whether a refused refresh was about the user, and not about the app.
    private var isOfUser: Bool {
        guard let error = underlying as? APIError else { return false }
        return error.code == .unauthorized && !error.refusesTheApp
    }
}

extension AuthSessionError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
