// SPDX-License-Identifier: Apache-2.0

import AuthCore
import FoundationEssentials
import OpenIDConnect
import SecureStore

/// What the tool keeps beside a session: the client's private key or identity token file, or a program's whole sign-in.
struct ClientCredential: Codable, Redacted {
    let issuer: String
    let clientID: String
    /// The key as PEM text; nil for an identity token.
    ///
    /// Secret.
    let key: String?
    let algorithm: String?
    let keyID: String?
    let audience: String?
    /// The path of the file with the identity token; nil for a key.
    let identityFile: String?
    /// The sign-in of a program; nil if a user signed in.
    let program: ProgramLogin?

    private static let item = "client"
    private static let users = ["session", "session.ended"]

    /// Returns the credential that a store holds; nil if there is none, or it can't be read.
    static func stored(in store: any SecureStore) async throws -> ClientCredential? {
        let known = try await store.item(forKey: StoreKey(item))
        return known.flatMap { try? JSONDecoder().decode(Self.self, from: Data($0.unredacted)) }
    }

    /// Stores the credential of the session that was just signed in, or removes that of an earlier one.
    static func replace(with new: ClientCredential?, in store: any SecureStore) async throws {
        guard let new else { return try await store.removeItem(forKey: StoreKey(item)) }
        try await store.setItem(SecretBytes(try JSONEncoder().encode(new)), forKey: StoreKey(item))
    }

    /// Removes the credential once no session, and no token that is still to be revoked, needs it.
    static func removeIfUnused(in store: any SecureStore) async throws {
        for name in users where try await store.item(forKey: StoreKey(name)) != nil { return }
        try await store.removeItem(forKey: StoreKey(item))
    }

    /// Returns a stored provider whose client can authenticate again, if this is its credential.
    func completing(_ provider: OpenIDProvider) throws -> OpenIDProvider {
        guard provider.client.authentication.name == "private_key_jwt", provider.client.id == clientID,
            provider.metadata.issuer.identifier == issuer
        else { return provider }
        return provider.with(try client)
    }

    private var client: OpenIDClient {
        get throws {
            if let identityFile { return .confidential(id: clientID, identity: .file(path: identityFile)) }
            return .confidential(id: clientID, key: try signer)
        }
    }

    private var signer: ClientAssertionKey {
        get throws {
            var signer = try ClientAssertionKey(
                pem: key ?? "",
                algorithm: algorithm.flatMap { SignatureAlgorithm($0) },
                keyID: keyID
            )
            if let audience = audience.flatMap({ ClientAssertionKey.Audience(rawValue: $0) }) {
                signer.audience = audience
            }
            return signer
        }
    }

    /// Returns the grant of a program that signs in with an assertion.
    func assertion(about subject: String?) throws -> ProgramGrant {
        if let identityFile { return .jwtBearer(.file(path: identityFile)) }
        return .jwtBearer(issuer: clientID, subject: subject, signedBy: try signer)
    }
}
