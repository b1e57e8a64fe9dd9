// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthSession

extension APIClient {
    /// Creates a client for the API of the app's own backend, with the address and the API key of its session.
    ///
    /// An API elsewhere needs `init(baseURL:authenticatedBy:)` and its further parameters. So does the API of a session
    /// at a provider, whose address is the issuer.
    ///
    /// - Parameter transport: Nil for the platform's default.
    public init(authenticatedBy session: AuthSession, transport: (any Transport)? = nil) {
        let backend = session.backend
        self.init(baseURL: backend.baseURL, authenticatedBy: session, apiKey: backend.apiKey, transport: transport)
    }
}
