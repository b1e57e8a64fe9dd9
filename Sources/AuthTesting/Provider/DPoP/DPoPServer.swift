import AuthCore
import HTTPTypes

/// What a provider remembers for DPoP.
///
/// [RFC 9449, 8](https://www.rfc-editor.org/rfc/rfc9449#section-8).
struct DPoPServer: Sendable {
    static let field = HTTPField.Name("DPoP")
    static let nonceField = HTTPField.Name("DPoP-Nonce")

    /// The one nonce that is taken now.
    private(set) var nonce = Base64URL.encode(RandomBytes.make(16))
    /// The proofs that were taken, by key and `jti`.
    private var proofs: Set<String> = []

    mutating func rotateNonce() { nonce = Base64URL.encode(RandomBytes.make(16)) }

    /// Remembers a proof; false where it was taken before.
    mutating func take(_ id: String, by key: String) -> Bool { proofs.insert("\(key) \(id)").inserted }
}

extension ProviderState {
    /// RFC 9449, 8.2: where a nonce is wanted, every answer brings the one to use next.
    func withNonce(_ answer: ProviderAnswer) -> ProviderAnswer {
        guard configuration.requiresDPoPNonce, let field = DPoPServer.nonceField else { return answer }
        var answer = answer
        answer.fields[field] = dpop.nonce
        return answer
    }
}
