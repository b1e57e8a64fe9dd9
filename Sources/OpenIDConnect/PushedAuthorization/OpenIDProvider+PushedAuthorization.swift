// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

extension OpenIDProvider {
    /// Returns the URL that the browser opens; pushes the request if the provider or the app requires it.
    ///
    /// - Parameter pushed: Whether the request is pushed even if the provider does not require it.
    /// - Returns: The URL. May contain the state: don't log it.
    /// - Throws: ``OpenIDError``; `CancellationError`.
    public func authorizationURL(for request: AuthorizationRequest, pushed: Bool = false)
        async throws -> String
    {
        guard pushed || metadata.requirePushedAuthorizationRequests else {
            return try request.url()
        }
        return try await push(request)
    }

    /// Pushes a request to the provider, so that the browser carries only the client ID and the request URI.
    ///
    /// [RFC 9126, 2](https://www.rfc-editor.org/rfc/rfc9126#section-2).
    private func push(_ request: AuthorizationRequest) async throws -> String {
        guard let endpoint = metadata.pushedAuthorizationRequestEndpoint else {
            throw OpenIDError(.pushedAuthorization, .unsupported)
        }
        let form = try request.form()
        do {
            let response = try await post(form, to: endpoint, as: client, dpopKey: request.dpopKey)
            guard response.isSuccess else { throw OpenIDError(.pushedAuthorization, response, settings) }
            // RFC 9126, 2.2: the provider chooses the URI, and the client doesn't interpret it.
            guard let uri = try? ProviderDocument(response.body)?.text("request_uri"),
                (1...8_192).contains(uri.utf8.count), uri.utf8.allSatisfy(TokenCharacters.isVisibleWithoutSpace)
            else { throw OpenIDError(.pushedAuthorization, .malformedResponse, status: response.status) }
            return request.url(pushedAs: uri)
        } catch let error as APIError {
            throw OpenIDError(.pushedAuthorization, error)
        }
    }
}
