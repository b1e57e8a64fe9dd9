// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The tokens of a server's response.
public struct IssuedTokens: Sendable {
    /// The tokens; after a refresh, a value that the response omits is nil.
    ///
    /// Secret.
    public let tokens: TokenSet
    /// The start of the request, from which the tokens' lifetime counts.
    public let requestedAt: ClockReading
    /// The verification of the ID token of a refresh, run once the other tokens are stored; nil if no ID token came.
    ///
    /// Its error is the reason that the ID token is not kept.
    public let verifyIDToken: (@Sendable () async throws -> IDToken)?
    /// The scope that a sign-in requested; nil after a refresh, and if the server grants what it is asked for.
    public let requestedScope: Scope?
    /// Whether the server can validate these tokens; nil if a sign-in has not shown it.
    public let supportsValidation: Bool?

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - tokens: The tokens. Secret.
    ///   - requestedAt: The start of the request.
    ///   - verifyIDToken: The verification of the ID token of a refresh; nil if no ID token came.
    ///   - requestedScope: The scope that a sign-in requested, to report what was not granted.
    ///   - supportsValidation: Whether the server can validate these tokens; nil if it is not known.
    public init(
        tokens: TokenSet,
        requestedAt: ClockReading,
        verifyIDToken: (@Sendable () async throws -> IDToken)? = nil,
        requestedScope: Scope? = nil,
        supportsValidation: Bool? = nil
    ) {
        self.tokens = tokens
        self.requestedAt = requestedAt
        self.verifyIDToken = verifyIDToken
        self.requestedScope = requestedScope
        self.supportsValidation = supportsValidation
    }
}
