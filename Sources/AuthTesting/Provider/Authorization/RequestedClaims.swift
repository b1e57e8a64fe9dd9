// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The claims that a relying party requested by name.
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

    /// Parses the parameter `claims`; requests no claims if it is missing.
    init(_ text: String?) throws(OAuthError) {
        guard let text else {
            self = .none
            return
        }
        guard let document = try? JSONValue.object(in: Array(text.utf8)) else {
            throw OAuthError("invalid_request", "The parameter claims is not a JSON object.")
        }
        idToken = Set((document["id_token"]?.object ?? [:]).keys)
        userInfo = Set((document["userinfo"]?.object ?? [:]).keys)
    }
}
