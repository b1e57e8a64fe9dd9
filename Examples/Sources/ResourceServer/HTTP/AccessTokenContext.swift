// SPDX-License-Identifier: Apache-2.0

public import Hummingbird

/// A request context that holds the request's access token.
public protocol AccessTokenContext: RequestContext {
    /// The verified token, or nil for a route without ``AccessTokenMiddleware``.
    var accessToken: VerifiedAccessToken? { get set }
}

extension AccessTokenContext {
    /// Returns the verified token.
    ///
    /// - Throws: ``AccessTokenError`` (`missingToken`) for a route without ``AccessTokenMiddleware``.
    public func requireAccessToken() throws -> VerifiedAccessToken {
        guard let accessToken else { throw AccessTokenError(.missingToken) }
        return accessToken
    }
}

/// The simplest request context with an access token.
public struct AccessTokenRequestContext: AccessTokenContext {
    /// Hummingbird's own values.
    public var coreContext: CoreRequestContextStorage
    /// The verified token.
    public var accessToken: VerifiedAccessToken?

    /// Creates a context without a token.
    ///
    /// - Parameter source: The connection.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
