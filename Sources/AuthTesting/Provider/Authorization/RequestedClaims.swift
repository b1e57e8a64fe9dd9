import AuthCore

/// Which claims a relying party asked for by name.
///
/// [OpenID Connect Core 1.0, 5.5](https://openid.net/specs/openid-connect-core-1_0.html#ClaimsParameter).
struct RequestedClaims: Sendable {
    let idToken: Set<String>
    let userInfo: Set<String>

    static let none = RequestedClaims(idToken: [], userInfo: [])

    private init(idToken: Set<String>, userInfo: Set<String>) {
        self.idToken = idToken
        self.userInfo = userInfo
    }

    /// Reads the parameter `claims`; who asks for nothing gets nothing.
    init(_ text: String?) throws(OAuthRefusal) {
        guard let text else {
            self = .none
            return
        }
        guard let document = JSONDocument(Array(text.utf8)) else {
            throw OAuthRefusal("invalid_request", "The parameter claims is no JSON object.")
        }
        idToken = Set((document["id_token"]?.object ?? [:]).keys)
        userInfo = Set((document["userinfo"]?.object ?? [:]).keys)
    }
}
