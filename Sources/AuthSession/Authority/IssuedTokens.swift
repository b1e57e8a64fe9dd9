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
    /// The ID token of a refresh, which names no other user and is not verified; nil if none came.
    ///
    /// Secret.
    public let receivedIDToken: IDToken?
    /// The scope that a sign-in requested; nil after a refresh, and if the server grants what it is asked for.
    public let requestedScope: Scope?

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - tokens: The tokens. Secret.
    ///   - requestedAt: The start of the request.
    ///   - receivedIDToken: The ID token of a refresh, not verified; nil if none came. Secret.
    ///   - requestedScope: The scope that a sign-in requested, to report what was not granted.
    public init(
        tokens: TokenSet,
        requestedAt: ClockReading,
        receivedIDToken: IDToken? = nil,
        requestedScope: Scope? = nil
    ) {
        self.tokens = tokens
        self.requestedAt = requestedAt
        self.receivedIDToken = receivedIDToken
        self.requestedScope = requestedScope
    }
}
