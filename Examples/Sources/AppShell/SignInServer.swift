// SPDX-License-Identifier: Apache-2.0

/// The server at which an app's users sign in: a provider, or else the app's own backend.
public struct SignInServer: Codable, Sendable, Hashable {
    /// The backend's address; nil for the standard one.
    public let backend: String?
    /// The provider's issuer; nil for the backend.
    public let issuer: String?
    /// The app's client ID at the provider.
    public let clientID: String?

    /// Creates a server; the client ID goes with the issuer.
    public init(backend: String?, issuer: String?, clientID: String?) {
        (self.backend, self.issuer, self.clientID) = (backend, issuer, clientID)
    }
}
