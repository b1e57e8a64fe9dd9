// SPDX-License-Identifier: Apache-2.0

import AuthCore

extension OpenIDProvider {
    /// Returns the URL that the browser opens; pushes the request if the app wants so or the provider requires it.
    ///
    /// The URL may contain the state: don't log it. After a push it contains only client ID and request URI.
    /// [RFC 9126, 2](https://www.rfc-editor.org/rfc/rfc9126#section-2).
    public func authorizationURL(for request: AuthorizationRequest, pushed: Bool = false) async throws -> String {
        guard pushed || metadata.requirePushedAuthorizationRequests else { return try request.url() }
        guard let endpoint = metadata.pushedAuthorizationRequestEndpoint else {
            throw OpenIDError(.pushedAuthorization, .unsupported)
        }
        let form = try request.form()
        let response = try await post(
            form,
            to: endpoint,
            for: .pushedAuthorization,
            as: client,
            dpopKey: request.dpopKey
        )
        guard response.isSuccess else { throw OpenIDError(.pushedAuthorization, response, settings) }
        // RFC 9126, 2.2: the provider chooses the URI, and the client doesn't interpret it.
        guard let uri = try? ProviderDocument(response)?.text("request_uri"),
            (1...8_192).contains(uri.utf8.count), uri.utf8.allSatisfy(TokenCharacters.isVisibleWithoutSpace)
        else { throw OpenIDError(.pushedAuthorization, .malformedResponse, status: response.status) }
        return request.url(pushedAs: uri)
    }
}
