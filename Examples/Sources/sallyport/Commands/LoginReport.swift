// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthSession
import OpenIDConnect
import OpenIDSession

/// The JSON object of `login --json`: the signed-in user, and where.
struct LoginReport: Encodable {
    let profile: String
    let backend: String?
    let user: SessionUser?
    let issuer: String?
    let clientID: String?
    let sub: String?

    init(_ user: SessionUser?, _ session: any KeptSession, profile: String) {
        let provider = session.anyProvider
        self.profile = profile
        self.user = user
        backend = provider == nil ? session.server.description : nil
        issuer = provider?.metadata.issuer.identifier
        clientID = provider?.client.id
        sub = provider == nil ? nil : user?.id
    }
}
