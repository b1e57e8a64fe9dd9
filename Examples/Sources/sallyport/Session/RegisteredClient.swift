// SPDX-License-Identifier: Apache-2.0

import AuthCore
import FoundationEssentials
import OpenIDConnect
import SecureStore

/// A client that the tool has registered at an issuer, in an item of the profile's store that outlasts the sessions.
struct RegisteredClient: Codable, Equatable, Redacted {
    /// The client as the server registered it.
    struct Registration: Codable, Equatable, Redacted {
        let id: String
        /// Secret; nil for a public client.
        let secret: String?
        let method: String

        init(_ client: OpenIDClient) {
            (id, method) = (client.id, client.authentication.name)
            switch client.authentication {
            case .basic(let own), .post(let own): secret = own.unredacted
            case .none, .privateKeyJWT, .identityToken: secret = nil
            }
        }
    }

    let issuer: String
    let registration: Registration
    /// The redirect URI, scopes and grants that the client is registered for.
    private let redirectURI: String
    private let scope: String
    private let usesDevice: Bool

    private static let item = "registered-clients"
    private static let maximumClients = 32

    init(_ registration: Registration, at issuer: Issuer, _ redirectURI: String, _ options: ProviderOptions) {
        (self.registration, self.issuer, self.redirectURI) = (registration, issuer.identifier, redirectURI)
        (scope, usesDevice) = (options.scope ?? issuer.profile.scope.description, options.device)
    }

    /// The port of the redirect URI.
    var port: Int? { URLComponents(string: redirectURI)?.port }

    func client() throws -> OpenIDClient {
        guard let secret = registration.secret, let method = ClientAuthentication.Method(rawValue: registration.method)
        else { return .public(id: registration.id) }
        return .confidential(id: registration.id, secret: try ClientSecret(secret), method: method)
    }

    /// Returns the clients of all issuers; none if they can't be read.
    static func kept(in store: any SecureStore) async throws -> [RegisteredClient] {
        read(try await store.item(forKey: StoreKey(item)))
    }

    func keep(in store: any SecureStore) async throws {
        try await Self.change(in: store) { clients in
            clients = clients.suffix(Self.maximumClients - 1) + [self]
            // A server chooses the length of its secrets, and must not leave no room for those of others.
            while clients.count > 1, (try? JSONEncoder().encode(clients).count) ?? 0 > SecretBytes.maximumItemSize {
                clients.removeFirst()
            }
        }
    }

    static func forget(_ id: String, in store: any SecureStore) async throws {
        try await change(in: store) { clients in clients.removeAll { $0.registration.id == id } }
    }

    private static func read(_ item: SecretBytes?) -> [RegisteredClient] {
        item.flatMap { try? JSONDecoder().decode([RegisteredClient].self, from: Data($0.unredacted)) } ?? []
    }

    private static func change(
        in store: any SecureStore,
        _ change: (inout [RegisteredClient]) -> Void
    ) async throws {
        let key = try StoreKey(item)
        for _ in 0..<8 {
            let known = try await store.item(forKey: key)
            var clients = read(known)
            change(&clients)
            let new = clients.isEmpty ? nil : SecretBytes(try JSONEncoder().encode(clients))
            if try await store.replaceItem(forKey: key, ifEquals: known, with: new) { return }
        }
        throw SecureStoreError(.busy)
    }
}
