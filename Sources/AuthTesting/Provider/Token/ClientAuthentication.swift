// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// [RFC 6749, 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1).
extension ProviderState {
    /// Authenticates the client, only by the method that it is registered with.
    mutating func authenticate(
        _ exchange: Exchange,
        _ form: Parameters
    ) throws(OAuthError) -> InProcessProvider.Client {
        let header = try basicCredentials(exchange.request)
        let methods = [header != nil, form["client_secret"] != nil, form["client_assertion"] != nil]
        // RFC 6749, 2.3: at most one method per request.
        guard methods.count(where: { $0 }) <= 1 else {
            throw OAuthError("invalid_request", "The client sent its secret in two ways.")
        }
        let id = header?.id ?? form["client_id"] ?? ""
        guard let client = clients[id], form["client_id"] ?? id == id else {
            throw Self.refusal(header != nil, "The client is unknown.")
        }
        let shown: (method: InProcessProvider.Client.Authentication, secret: String?)
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
            throw Self.refusal(header != nil, "The client is registered with another authentication method.")
        }
        if shown.method == .privateKeyJWT { try checkAssertion(form, of: client, at: exchange.date) }
        let expected = Array((client.secret ?? "").utf8)
        guard ConstantTime.equal(Array((shown.secret ?? "").utf8), expected) else {
            throw Self.refusal(header != nil, "The client's secret is wrong.")
        }
        return client
    }

    /// Returns the ID and the secret of a `Basic` field, both form-decoded; nil if the field is missing.
    private func basicCredentials(
        _ request: ProviderRequest
    ) throws(OAuthError) -> (id: String, secret: String)? {
        let fields = request.fields[values: .authorization]
        guard let field = fields.first else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard fields.count == 1, parts.count == 2, parts[0].lowercased() == "basic",
            let decoded = Data(base64Encoded: String(parts[1])), let colon = decoded.firstIndex(of: UInt8(ascii: ":")),
            let id = Parameters.decode(decoded[..<colon]), let secret = Parameters.decode(decoded[(colon + 1)...])
        else { throw Self.refusal(true, "The Authorization field can't be read.") }
        return (id, secret)
    }

    /// Returns the refusal, which names the required scheme if the client used the field (RFC 6749, 5.2).
    static func refusal(_ isByField: Bool, _ description: String) -> OAuthError {
        OAuthError(
            "invalid_client",
            description,
            status: 401,
            fields: isByField ? [.wwwAuthenticate: "Basic realm=\"provider\""] : [:]
        )
    }
}
