import APIClient
import AuthCore

/// A provider's code for what it did not do, `invalid_grant` for one.
///
/// An open set: specifications and providers add to it.
///
/// Wire: `error`. [RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2).
public struct OAuthErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The code as on the wire.
    public let rawValue: String

    /// Wraps a code.
    ///
    /// - Parameter rawValue: The code as on the wire.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code or the token was used, has expired, was revoked or is another client's.
    public static let invalidGrant = OAuthErrorCode(rawValue: "invalid_grant")
    /// The client is unknown, or did not authenticate as it must.
    public static let invalidClient = OAuthErrorCode(rawValue: "invalid_client")
    /// The client may not use this way.
    public static let unauthorizedClient = OAuthErrorCode(rawValue: "unauthorized_client")
    /// A scope is unknown, or more than was granted.
    public static let invalidScope = OAuthErrorCode(rawValue: "invalid_scope")
    /// The request lacks a parameter, or has one that is wrong.
    public static let invalidRequest = OAuthErrorCode(rawValue: "invalid_request")
    /// The person, or the provider, said no.
    public static let accessDenied = OAuthErrorCode(rawValue: "access_denied")
    /// The person has not decided yet.
    ///
    /// [RFC 8628, 3.5](https://www.rfc-editor.org/rfc/rfc8628#section-3.5).
    public static let authorizationPending = OAuthErrorCode(rawValue: "authorization_pending")
    /// Asked too often.
    ///
    /// [RFC 8628, 3.5](https://www.rfc-editor.org/rfc/rfc8628#section-3.5).
    public static let slowDown = OAuthErrorCode(rawValue: "slow_down")
    /// The device code is over.
    ///
    /// [RFC 8628, 3.5](https://www.rfc-editor.org/rfc/rfc8628#section-3.5).
    public static let expiredToken = OAuthErrorCode(rawValue: "expired_token")
    /// The proof of possession lacks the server's nonce.
    ///
    /// [RFC 9449, 8](https://www.rfc-editor.org/rfc/rfc9449#section-8).
    public static let useDPoPNonce = OAuthErrorCode(rawValue: "use_dpop_nonce")
    /// The proof of possession is wrong: of another key, request or time.
    ///
    /// [RFC 9449, 5](https://www.rfc-editor.org/rfc/rfc9449#section-5).
    public static let invalidDPoPProof = OAuthErrorCode(rawValue: "invalid_dpop_proof")
    /// The server can't take back tokens of this kind.
    ///
    /// [RFC 7009, 2.2.1](https://www.rfc-editor.org/rfc/rfc7009#section-2.2.1).
    public static let unsupportedTokenType = OAuthErrorCode(rawValue: "unsupported_token_type")

    /// The code as on the wire.
    public var description: String { rawValue }
}

/// What a provider says of a refusal, cleaned so that it may be shown.
struct OAuthRefusal: Sendable, Equatable {
    let code: OAuthErrorCode
    let message: String?

    /// Takes a code and a sentence from outside; nil if nothing of the code can be shown.
    ///
    /// - Parameters:
    ///   - code: The code. From outside.
    ///   - message: The sentence. From outside.
    ///   - secrets: The secrets that were sent. A code or a sentence that repeats one is withheld.
    init?(code: String, message: String?, hiding secrets: [String] = []) {
        let echoes = EchoFilter(secrets)
        guard let code = DisplayText.clean(code, limit: 64, hiding: echoes) else { return nil }
        self.code = OAuthErrorCode(rawValue: code)
        self.message = message.flatMap { DisplayText.clean($0, limit: 300, hiding: echoes) }
    }

    /// Reads an error answer of any status and any content type; nil if it is not of OAuth's shape.
    ///
    /// - Parameters:
    ///   - answer: The answer. From outside.
    ///   - secrets: The secrets that were sent: some servers quote the token that they refuse.
    init?(_ answer: ProviderAnswer, hiding secrets: [String] = []) {
        guard let document = ProviderDocument(answer.body), let code = document["error"]?.string else { return nil }
        self.init(code: code, message: document["error_description"]?.string, hiding: secrets)
    }
}
