// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

/// [OpenID Connect RP-Initiated Logout 1.0, 2](https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RPLogout).
extension ProviderState {
    /// Signs the browser out.
    ///
    /// Tokens stay valid: offline access outlives the browser's session.
    func endSession(_ exchange: Exchange) -> EndpointResponse {
        do throws(EndpointError) {
            let parameters = try exchange.request.queryParameters()
            guard parameters.isUnambiguous else { throw .invalidRequest("A parameter is repeated.") }
            let client = try clientSigningOut(parameters)
            guard let uri = parameters["post_logout_redirect_uri"] else {
                return EndpointError("signed_out", "You are signed out.", status: 200).page
            }
            guard let client, Client.isRegistered(uri, among: client.postLogoutRedirectURIs) else {
                throw .invalidRequest("The post-logout redirect URI is not registered.")
            }
            var callback = Parameters()
            callback.append("state", parameters["state"])
            return .redirect(to: exchange.faults.applied(to: callback).appended(to: uri))
        } catch {
            return error.page
        }
    }

    /// Returns the client by the ID token or the client ID; nil if both are missing.
    private func clientSigningOut(_ parameters: Parameters) throws(EndpointError) -> Client? {
        var id = parameters["client_id"]
        if let hint = parameters["id_token_hint"] {
            // An expired ID token is still a valid hint.
            guard let client = idTokens[hint], id ?? client == client else {
                throw .invalidRequest("The ID token belongs to another client.")
            }
            id = client
        }
        guard let id else { return nil }
        guard let client = clients[id] else { throw .invalidRequest("The client is unknown.") }
        return client
    }
}
