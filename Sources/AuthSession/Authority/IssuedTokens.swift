// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The tokens of a server's response.
public struct IssuedTokens: Sendable {
    /// The secret tokens; after a refresh, a value that the response omits is nil.
    public let tokens: TokenSet
    /// The start of the request, from which the tokens' lifetime counts.
    public let requestedAt: ClockReading
    /// The secret ID token of a refresh, which names no other user and is not verified; nil if none came.
    public let receivedIDToken: IDToken?
    /// The scope that a sign-in requested; nil after a refresh, and if the server grants what it is asked for.
    public let requestedScope: Scope?

    /// Creates a value; each member says what it is.
    public init(
        tokens: TokenSet,
        requestedAt: ClockReading,
        receivedIDToken: IDToken? = nil,
        requestedScope: Scope? = nil
    ) {
        (self.tokens, self.requestedAt) = (tokens, requestedAt)
        (self.receivedIDToken, self.requestedScope) = (receivedIDToken, requestedScope)
    }
}
