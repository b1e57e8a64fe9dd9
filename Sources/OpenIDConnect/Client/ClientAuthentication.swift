// SPDX-License-Identifier: Apache-2.0

import APIClient
public import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The authentication of a client at the token endpoint (Core, 9).
public enum ClientAuthentication: Sendable, Equatable {
    /// The way that a client sends its secret.
    public enum Method: String, Sendable, Hashable {
        /// The `Authorization` field.
        case basic = "client_secret_basic"
        /// The form.
        case post = "client_secret_post"
    }

    /// No authentication: a public client, which sends its client ID.
    case none
    /// The secret in the `Authorization` field.
    case basic(ClientSecret)
    /// The secret in the form, for providers that accept nothing else.
    case post(ClientSecret)
    /// An assertion that is signed with a private key, in the form (RFC 7523, 2.2).
    case privateKeyJWT(ClientAssertionKey)
    /// An identity token that another program issued, in the form: workload identity federation (RFC 7521, 4.2).
    case identityToken(IdentityTokenSource)

    /// The method's name in metadata and registrations.
    public var name: String {
        switch self {
        case .none: "none"
        case .basic: Method.basic.rawValue
        case .post: Method.post.rawValue
        case .privateKeyJWT, .identityToken: "private_key_jwt"
        }
    }
}

extension OpenIDClient {
    /// The header fields and form fields that authenticate the client, without an assertion; secret.
    var credentials: (fields: HTTPFields, form: [(String, String)]) {
        switch authentication {
        case .none where id.isEmpty:
            return ([:], [])
        case .none, .privateKeyJWT, .identityToken:
            // RFC 6749, 3.2.1: a client MAY send its client ID, and a public client must. RFC 7521, 4.2: OPTIONAL beside
            // an assertion; some servers require it.
            return ([:], [("client_id", id)])
        case .basic(let secret):
            // RFC 6749, 2.3.1: both are form-encoded before they are joined, so that a colon inside them is not the
            // separator.
            let pair = FormEncoding.encoded(id) + ":" + FormEncoding.encoded(secret.unredacted)
            return ([.authorization: "Basic " + Data(pair.utf8).base64EncodedString()], [])
        case .post(let secret):
            return ([:], [("client_id", id), ("client_secret", secret.unredacted)])
        }
    }
}
