// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored form of an access token for another API.
struct ResourceTokenFormat: StoredForm {
    let target: TokenTargetFormat
    let accessToken: String
    let scope: String?
    /// Seconds since 1970.
    let issuedAt: Double?
    let expiresAt: Double?
    let isExchanged: Bool?

    init(_ token: ResourceToken) {
        target = TokenTargetFormat(token.request.target)
        accessToken = token.accessToken.unredacted
        scope = token.scope?.description
        issuedAt = token.lifetime.issuedAt?.timeIntervalSince1970
        expiresAt = token.lifetime.expiresAt?.timeIntervalSince1970
        isExchanged = token.request.grant == .tokenExchange ? true : nil
    }

    /// Decodes the token.
    ///
    /// - Parameter isBound: Whether the session's tokens are bound to a key.
    /// - Returns: The token. Secret.
    /// - Throws: `TokenFormatError`.
    func token(isBound: Bool) throws -> ResourceToken {
        let token = try AccessToken(accessToken)
        return ResourceToken(
            request: ResourceRequest(
                target: target.target,
                grant: isExchanged == true ? .tokenExchange : .refreshToken
            ),
            accessToken: isBound ? token.bound : token,
            lifetime: TokenLifetime(
                issuedAt: issuedAt.map(Date.init(timeIntervalSince1970:)),
                expiresAt: expiresAt.map(Date.init(timeIntervalSince1970:))
            ),
            scope: scope.map { Scope($0) }
        )
    }
}

/// The stored form of an API's name.
struct TokenTargetFormat: StoredForm {
    let audiences: [String]?
    let resources: [String]?
    let scope: String?

    init(_ target: TokenTarget) {
        audiences = target.audiences.isEmpty ? nil : target.audiences
        resources = target.resources.isEmpty ? nil : target.resources
        scope = target.scope?.description
    }

    var target: TokenTarget {
        TokenTarget(audiences: audiences ?? [], resources: resources ?? [], scope: scope.map { Scope($0) })
    }
}
