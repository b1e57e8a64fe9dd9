// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import OpenIDConnect

/// The stored form of a program's grant that is not its client's credentials.
struct GrantFormat: StoredForm {
    private enum Kind: String, Codable {
        case jwtBearer
        case tokenExchange
    }

    private let kind: Kind
    private let assertion: AssertionFormat?
    private let identity: IdentityTokenFormat?

    /// Creates the form; nil for client credentials.
    init?(_ grant: ProgramGrant, withKey: Bool = true) {
        switch grant {
        case .clientCredentials:
            return nil
        case .jwtBearer(.signed(let claims, by: let key)):
            (kind, assertion, identity) = (.jwtBearer, AssertionFormat(claims, withKey ? key : nil), nil)
        case .jwtBearer(.issued(let source)):
            (kind, assertion, identity) = (.jwtBearer, nil, IdentityTokenFormat(source))
        case .tokenExchange(let source):
            (kind, assertion, identity) = (.tokenExchange, nil, IdentityTokenFormat(source))
        }
    }

    /// Returns the grant.
    ///
    /// - Throws: `SessionRecordError` (`damaged`); `OpenIDError`.
    func grant() throws -> ProgramGrant {
        switch (kind, assertion, identity) {
        case (.jwtBearer, let assertion?, nil):
            guard let key = assertion.key else { throw SessionRecordError(.damaged) }
            return .jwtBearer(.signed(assertion.claims, by: try key.key()))
        case (.jwtBearer, nil, let identity?):
            return .jwtBearer(.issued(try identity.source()))
        case (.tokenExchange, nil, let identity?):
            return .tokenExchange(try identity.source())
        default:
            throw SessionRecordError(.damaged)
        }
    }
}

/// The stored form of the claims of an assertion, with the key that signs it.
private struct AssertionFormat: StoredForm {
    let issuer: String
    let subject: String?
    let audience: String?
    /// The time for which an assertion is valid, in seconds.
    let lifetime: Double
    let additionalClaims: [String: JSONValue]
    /// Absent in the name of a grant, which any key may sign.
    let key: ClientKeyFormat?

    init(_ claims: AssertionClaims, _ key: ClientAssertionKey?) {
        issuer = claims.issuer
        subject = claims.subject
        audience = claims.audience
        lifetime = claims.lifetime.timeInterval
        additionalClaims = claims.additionalClaims
        self.key = key.map { ClientKeyFormat($0) }
    }

    var claims: AssertionClaims {
        AssertionClaims(
            issuer: issuer,
            subject: subject,
            audience: audience,
            lifetime: .seconds(min(max(lifetime, 1), 3_600)),
            additionalClaims: additionalClaims
        )
    }
}

/// The stored form of a source of identity tokens, without a token.
struct IdentityTokenFormat: StoredForm {
    /// The path of the file; absent if the app provides the tokens.
    private let path: String?
    /// The name of the identity whose tokens the app provides; absent if they are in a file.
    private let name: String?

    init(_ source: IdentityTokenSource) {
        path = source.path
        name = source.name
    }

    /// Returns the source; one that has no token if the app provides the tokens.
    ///
    /// - Throws: `SessionRecordError` (`damaged`).
    func source() throws(SessionRecordError) -> IdentityTokenSource {
        switch (path, name) {
        case (let path?, nil): return .file(path: path)
        case (nil, let name?): return .unavailable(named: name)
        default: throw SessionRecordError(.damaged)
        }
    }
}
