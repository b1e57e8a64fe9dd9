public import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a client authenticates at the token endpoint.
///
/// [OpenID Connect Core 1.0, 9](https://openid.net/specs/openid-connect-core-1_0.html#ClientAuthentication).
public enum ClientAuthentication: Sendable, Equatable {
    /// How a secret is shown.
    public enum Method: String, Sendable, Hashable {
        /// In the `Authorization` field.
        case basic = "client_secret_basic"
        /// In the form.
        case post = "client_secret_post"
    }

    /// Not at all: a public client, which names itself.
    ///
    /// Wire: `none`.
    case none
    /// With the secret in the `Authorization` field.
    ///
    /// Wire: `client_secret_basic`.
    case basic(ClientSecret)
    /// With the secret in the form, for providers that take nothing else.
    ///
    /// Wire: `client_secret_post`.
    case post(ClientSecret)

    /// The method's name, as providers and registrations write it.
    public var name: String {
        switch self {
        case .none: "none"
        case .basic: Method.basic.rawValue
        case .post: Method.post.rawValue
        }
    }
}

extension OpenIDClient {
    /// The form fields whose values no error may repeat.
    private static let secretFields: Set = [
        "code", "code_verifier", "device_code", "id_token_hint", "nonce", "refresh_token", "state", "token",
    ]

    /// What is secret of a request: of its form, and the client's own.
    func secrets(in form: [(String, String)]) -> [String] {
        let own =
            switch authentication {
            case .none: [String]()
            case .basic(let secret), .post(let secret): [secret.unredacted]
            }
        // As the field has it, too.
        let fields = credentials.fields.map { String($0.value.drop { $0 != " " }.dropFirst()) }
        return own + fields + form.filter { Self.secretFields.contains($0.0) }.map(\.1)
    }

    /// Header fields and form fields that show who asks.
    ///
    /// Secret.
    var credentials: (fields: HTTPFields, form: [(String, String)]) {
        switch authentication {
        case .none:
            // RFC 6749, 3.2.1: a client MAY name itself, and a public one must.
            return ([:], [("client_id", id)])
        case .basic(let secret):
            // RFC 6749, 2.3.1: both are form-encoded before they are joined, so that a colon in them stays one.
            let pair = FormEncoding.encoded(id) + ":" + FormEncoding.encoded(secret.unredacted)
            return ([.authorization: "Basic " + Data(pair.utf8).base64EncodedString()], [])
        case .post(let secret):
            return ([:], [("client_id", id), ("client_secret", secret.unredacted)])
        }
    }
}
