// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// [RFC 6749, 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1).
extension ProviderState {
    /// Authenticates the client, only by the method that it is registered with.
    mutating func authenticate(_ exchange: Exchange, _ form: Parameters) throws(EndpointError) -> Client {
        let header = try basicCredentials(exchange.request)
        let methods = [header != nil, form["client_secret"] != nil, form["client_assertion"] != nil]
        // RFC 6749, 2.3: at most one method per request.
        guard methods.count(where: { $0 }) <= 1 else {
            throw .invalidRequest("The client sent its secret in two ways.")
        }
        let id = header?.id ?? form["client_id"] ?? ""
        guard let client = clients[id], form["client_id"] ?? id == id else {
            throw .invalidClient("The client is unknown.", isByField: header != nil)
        }
        let shown: (method: Client.Authentication, secret: String?)
        if let header {
            shown = (.basic, header.secret)
        } else if let secret = form["client_secret"] {
            shown = (.post, secret)
        } else if form["client_assertion"] != nil {
            shown = (.privateKeyJWT, nil)
        } else {
            shown = (.none, nil)
        }
        guard shown.method == client.authentication else {
            throw .invalidClient(
                "The client is registered with another authentication method.",
                isByField: header != nil
            )
        }
        if shown.method == .privateKeyJWT { try checkAssertion(form, of: client, at: exchange.date) }
        let expected = Array((client.secret ?? "").utf8)
        guard ConstantTime.equal(Array((shown.secret ?? "").utf8), expected) else {
            throw .invalidClient("The client's secret is wrong.", isByField: header != nil)
        }
        return client
    }

    /// Returns the ID and the secret of a `Basic` field, both form-decoded; nil if the field is missing.
    private func basicCredentials(_ request: ProviderRequest) throws(EndpointError) -> (id: String, secret: String)? {
        let fields = request.fields[values: .authorization]
        guard let field = fields.first else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard fields.count == 1, parts.count == 2, parts[0].lowercased() == "basic",
            let decoded = Data(base64Encoded: String(parts[1])), let colon = decoded.firstIndex(of: UInt8(ascii: ":")),
            let id = Parameters.decode(decoded[..<colon]), let secret = Parameters.decode(decoded[(colon + 1)...])
        else { throw .invalidClient("The Authorization field can't be read.", isByField: true) }
        return (id, secret)
    }
}

/// [RFC 7523, 3](https://www.rfc-editor.org/rfc/rfc7523#section-3).
extension ProviderState {
    /// Checks a client's assertion: ES256, with the issuer or the token endpoint as its audience.
    ///
    /// The client's own one is accepted once, another program's until it expires.
    private mutating func checkAssertion(_ form: Parameters, of client: Client, at date: Date) throws(EndpointError) {
        guard form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" else {
            throw .invalidClient("The type of the client's assertion is unknown.")
        }
        let text = form["client_assertion"]
        guard case .signed(let pem)? = client.assertion else {
            guard let claims = trustedClaims(text, at: date), let issuer = claims.issuer, let subject = claims.subject,
                client.assertion == .issued(issuer: issuer, subject: subject)
            else { throw .invalidClient("The client's identity token is not accepted.") }
            return
        }
        guard let claims = claims(text, signedBy: pem) else {
            throw .invalidClient("The client's assertion is not signed with its key.")
        }
        guard claims.issuer == client.id, claims.subject == client.id, isForProvider(claims) else {
            throw .invalidClient("The client's assertion is for another client or server.")
        }
        guard let end = claims.expiration, let begin = claims.issuedAt, begin <= date.adding(.seconds(5)), date < end
        else { throw .invalidClient("The client's assertion is not valid now.") }
        guard let id = claims.all["jti"]?.string, assertions.insert("\(client.id) \(id)").inserted else {
            throw .invalidClient("The client's assertion was used before.")
        }
    }

    /// Returns the claims of a token that a trusted issuer signed for this provider; nil if it is not valid now.
    ///
    /// Accepts ES256, with the issuer or the token endpoint as the audience. A token is accepted until it expires.
    func trustedClaims(_ text: String?, at date: Date) -> UnverifiedClaims? {
        guard let issuer = text.flatMap({ try? UnverifiedJWT($0) })?.claims.issuer,
            let pem = configuration.trustedIssuers[issuer], let claims = claims(text, signedBy: pem),
            isForProvider(claims), let end = claims.expiration, date < end,
            claims.issuedAt.map({ $0 <= date.adding(.seconds(5)) }) ?? true
        else { return nil }
        return claims
    }

    private func claims(_ text: String?, signedBy pem: String) -> UnverifiedClaims? {
        guard let text, let token = try? UnverifiedJWT(text), token.header.algorithm == "ES256",
            let key = try? P256.Signing.PublicKey(pemRepresentation: pem), key.hasSigned(text)
        else { return nil }
        return token.claims
    }

    private func isForProvider(_ claims: UnverifiedClaims) -> Bool {
        claims.audience == [address.issuer] || claims.audience == [address.url(.token)]
    }
}
