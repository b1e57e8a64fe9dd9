public import AuthCore

/// Why a call did not give its value.
///
/// Holds the server's code and message and, redacted when printed, the beginning of its answer; no URL and no header.
public struct APIError: Error, Sendable, Equatable {
    /// What happened.
    public let code: Code
    /// The answer's status, where one came.
    public let status: Int?
    /// The server's own code for the fault, where it gave one.
    ///
    /// Its word, bounded and cleaned.
    public let serverCode: ServerErrorCode?
    /// The server's own sentence, where it gave one.
    ///
    /// Its word, bounded and cleaned; some are written for the person.
    public let serverMessage: String?
    /// How long the server asks to wait, where it said.
    public let retryAfter: Duration?
    /// What the server wants the token to allow, for `insufficientScope`.
    ///
    /// Its word; empty where it did not say.
    public let requiredScope: Scope?
    /// The beginning of the answer's body, where one came.
    public let body: FailureBody?
    /// The sendings before the last one, in order; empty where the call was sent once.
    public internal(set) var attempts: [Attempt]
    /// The error underneath, where there is one.
    public let underlying: (any Error)?

    /// Makes an error, for clients and their doubles.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - status: The answer's status.
    ///   - serverCode: The server's own code.
    ///   - serverMessage: The server's own sentence.
    ///   - retryAfter: How long the server asks to wait.
    ///   - underlying: The error underneath.
    ///   - requiredScope: What the server wants the token to allow.
    ///   - body: The beginning of the answer's body.
    ///   - attempts: The sendings before the last one.
    public init(
        _ code: Code,
        status: Int? = nil,
        serverCode: ServerErrorCode? = nil,
        serverMessage: String? = nil,
        retryAfter: Duration? = nil,
        underlying: (any Error)? = nil,
        requiredScope: Scope? = nil,
        body: FailureBody? = nil,
        attempts: [Attempt] = []
    ) {
        self.code = code
        self.status = status
        self.serverCode = serverCode
        self.serverMessage = serverMessage
        self.retryAfter = retryAfter
        self.underlying = underlying
        self.requiredScope = requiredScope
        self.body = body
        self.attempts = attempts
    }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
