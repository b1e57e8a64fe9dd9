// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The tokens of a server's response.
public struct IssuedTokens: Sendable {
    /// The secret tokens; after a refresh, a value that the response omits is nil.
    public let tokens: TokenSet
    /// The start of the request, from which the tokens' lifetime counts.
    public let requestedAt: ClockReading
    /// The scope that a sign-in requested; nil after a refresh, and if it requested none.
    public let requestedScope: Scope?
    /// The ID token of a refresh, which names no other user and is not verified; nil if none came.
    package let receivedIDToken: ReceivedIDToken?

    /// Creates a value.
    ///
    /// - Parameter requestedScope: The scope that a sign-in requested, to report what was not granted.
    public init(tokens: TokenSet, requestedAt: ClockReading, requestedScope: Scope? = nil) {
        self.init(tokens, requestedAt, scope: requestedScope, idToken: nil)
    }

    /// Creates the value of a provider's refresh.
    package init(tokens: TokenSet, requestedAt: ClockReading, receivedIDToken: ReceivedIDToken?) {
        self.init(tokens, requestedAt, scope: nil, idToken: receivedIDToken)
    }

    private init(_ tokens: TokenSet, _ start: ClockReading, scope: Scope?, idToken: ReceivedIDToken?) {
        var tokens = tokens
        tokens.lifetime.noteBootTime(at: start)
        (self.tokens, requestedAt, requestedScope, receivedIDToken) = (tokens, start, scope, idToken)
    }
}
