import AuthCore

/// An access token of a session for another API.
struct ResourceToken: Sendable, Equatable {
    let target: TokenTarget
    let accessToken: AccessToken
    let lifetime: TokenLifetime
    let scope: Scope?
    /// Whether it comes from a token exchange, so that the end of the refresh token need not end it.
    let isExchanged: Bool

    init(
        target: TokenTarget,
        accessToken: AccessToken,
        lifetime: TokenLifetime,
        scope: Scope?,
        isExchanged: Bool
    ) {
        self.target = target
        self.accessToken = accessToken
        self.lifetime = lifetime
        self.scope = scope
        self.isExchanged = isExchanged
    }

    /// Creates a token from a server's response.
    init(_ response: TokenSet, for request: ResourceRequest) {
        self.init(
            target: request.target,
            accessToken: response.accessToken,
            lifetime: response.lifetime,
            scope: response.scope ?? request.target.scope,
            isExchanged: request.grant == .tokenExchange
        )
    }

    /// Returns the token as a request presents it, with the session's key.
    func tokens(of session: TokenSet) -> TokenSet {
        var tokens = TokenSet(accessToken: accessToken, lifetime: lifetime, scope: scope)
        tokens.dpopKeyBytes = session.dpopKeyBytes
        return tokens
    }
}

/// A request for an access token for another API.
struct ResourceRequest: Sendable {
    let target: TokenTarget
    let grant: ResourceTokenGrant
    /// The token for this API that the new one replaces; nil for none.
    var superseded: AccessToken?
}

/// The access tokens of a session for other APIs, the oldest first.
///
/// They are limited, because they share the store's item with the session's own tokens.
struct ResourceTokens: Sendable, Equatable {
    /// The maximum number of tokens.
    private static let maximumCount = 8
    /// The maximum length of all tokens together, in bytes.
    private static let maximumSize = 32_768

    private(set) var all: [ResourceToken] = []

    /// Returns the token for an API.
    subscript(target: TokenTarget) -> ResourceToken? { all.first { $0.target == target } }

    /// Keeps a token in place of the earlier one for its API.
    ///
    /// The oldest ones are dropped if they are too many. A token that is too long is not kept.
    mutating func keep(_ token: ResourceToken) {
        all.removeAll { $0.target == token.target }
        all.append(token)
        while all.count > Self.maximumCount || size > Self.maximumSize { all.removeFirst() }
    }

    private var size: Int {
        all.reduce(0) { sum, token in
            let names = token.target.form.map { $0.0.utf8.count + $0.1.utf8.count }
            return names.reduce(sum + token.accessToken.unredacted.utf8.count, +)
        }
    }
}
