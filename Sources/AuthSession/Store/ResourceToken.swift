// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// An access token of a session for another API.
struct ResourceToken: StoredForm, Equatable {
    let request: ResourceRequest
    private var storedTokens: StoredTokens

    private enum CodingKeys: String, CodingKey {
        case request
        case storedTokens = "tokens"
    }

    init(_ response: TokenSet, for request: ResourceRequest) {
        self.request = request
        storedTokens = StoredTokens(
            TokenSet(
                accessToken: response.accessToken,
                lifetime: response.lifetime,
                scope: response.scope ?? request.target.scope
            )
        )
    }

    var accessToken: AccessToken {
        get { storedTokens.tokens.accessToken }
        set { storedTokens.tokens.accessToken = newValue }
    }

    var lifetime: TokenLifetime { storedTokens.tokens.lifetime }
    var scope: Scope? { storedTokens.tokens.scope }

    /// Returns the token as a request presents it, with the session's key, and its lifetime by the present wall clock.
    func tokens(of session: TokenSet, at now: ClockReading) -> TokenSet {
        var tokens = TokenSet(accessToken: accessToken, lifetime: lifetime.restated(at: now), scope: scope)
        tokens.dpopKeyBytes = session.dpopKeyBytes
        tokens.resources = request.resources(besides: session.resources)
        return tokens
    }

    /// The approximate length in the store, in bytes.
    fileprivate var size: Int {
        let texts = request.target.form.map(\.1) + [accessToken.unredacted, scope?.description ?? ""]
        return texts.reduce(0) { $0 + $1.utf8.count }
    }
}

/// The access tokens of a session for other APIs, the oldest first.
///
/// They are limited, because they share the store's item with the session's own tokens.
struct ResourceTokens: StoredForm, Equatable {
    private static let maximumCount = 8
    /// Of all tokens together, in bytes.
    private static let maximumSize = 32_768

    private(set) var all: [ResourceToken] = []

    subscript(request: ResourceRequest) -> ResourceToken? { all.first { $0.request == request } }

    /// Keeps a token in place of the earlier one for its API.
    ///
    /// The oldest ones are dropped if they are too many. A token that is too long is not kept.
    mutating func keep(_ token: ResourceToken) {
        all.removeAll { $0.request == token.request }
        guard token.size <= Self.maximumSize else { return }
        all.append(token)
        while all.count > Self.maximumCount || all.reduce(0, { $0 + $1.size }) > Self.maximumSize { all.removeFirst() }
    }

    /// Adds the tokens of another copy of the session that this one does not have, for a revocation of all.
    ///
    /// There may then be more than ``keep(_:)`` allows.
    mutating func add(_ others: ResourceTokens) {
        let known = Set(all.map(\.accessToken.unredacted))
        all.append(contentsOf: others.all.filter { !known.contains($0.accessToken.unredacted) })
    }
}
