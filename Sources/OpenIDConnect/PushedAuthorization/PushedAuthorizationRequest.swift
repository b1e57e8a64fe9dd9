import APIClient
import AuthCore

/// Puts a request down at the provider, so that the browser carries nothing but its name.
///
/// [RFC 9126, 2](https://www.rfc-editor.org/rfc/rfc9126#section-2).
struct PushedAuthorizationRequest {
    let provider: OpenIDProvider

    /// Pushes a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: What the browser opens.
    /// - Throws: ``AuthorizationError`` (`pushFailed` with a ``TokenEndpointError`` underneath, `invalidParameters`);
    ///   `CancellationError`.
    func url(for request: AuthorizationRequest) async throws -> String {
        guard let endpoint = provider.metadata.optional.pushedAuthorizationRequest else {
            throw AuthorizationError(.pushFailed)
        }
        let credentials = provider.client.credentials
        // The client names itself once: RFC 9126, 2.1 takes the form of both requests.
        let form = try request.form() + credentials.form.filter { $0.0 != "client_id" }
        do {
            let client = ProviderClient(settings: provider.settings)
            let answer = try await provider.proofs.sending(to: endpoint, boundTo: request.proofKey) { proof in
                try await client.post(form, to: endpoint, credentials.fields + proof)
            }
            guard answer.isSuccess else {
                throw TokenEndpointError(answer, hiding: provider.client.secrets(in: form), provider.settings)
            }
            // RFC 9126, 2.2: a URI that the provider has made up; nothing of it is ours to read.
            guard let uri = try? ProviderDocument(answer.body)?.text("request_uri"),
                (1...8_192).contains(uri.utf8.count), uri.utf8.allSatisfy(TokenCharacters.isVisibleWithoutSpace)
            else { throw TokenEndpointError(.unreadable, status: answer.status) }
            return request.url(pushedAs: uri)
        } catch let error as TokenEndpointError {
            throw AuthorizationError(.pushFailed, nil, underlying: error)
        } catch let error as APIError {
            throw AuthorizationError(.pushFailed, nil, underlying: TokenEndpointError(.unreachable, underlying: error))
        }
    }
}
