// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import OpenIDConnect

/// The stored data beside a client's tokens: its private key or identity token file, whether it has a certificate, or a
/// program's whole sign-in.
struct StoredClient: Codable, Redacted {
    /// The provider or backend, and the client there.
    let authority: AuthorityID
    /// The key as PEM text; nil if there is none.
    ///
    /// Secret.
    var key: String?
    var algorithm: String?
    var keyID: String?
    var audience: String?
    /// The path of the file with the identity token; nil for a key.
    var identityFile: String?
    /// Whether the client presented a TLS certificate at the sign-in, which every later command must do.
    let usesCertificate: Bool
    /// The sign-in of a program; nil if a user signed in.
    var program: ProgramLogin?

    /// Whether the session holds enough without it.
    var isEmpty: Bool { key == nil && identityFile == nil && !usesCertificate && program == nil }

    /// Returns a stored provider whose client can authenticate again.
    func completing(_ provider: OpenIDProvider) -> OpenIDProvider {
        guard provider.client.authentication.name == "private_key_jwt" else { return provider }
        let id = provider.client.id
        if let identityFile { return provider.with(.confidential(id: id, identity: .file(path: identityFile))) }
        return provider.with(.confidential(id: id, key: signer))
    }

    /// Returns the grant of a program that signs in with an assertion.
    func assertion(about subject: String?) -> ProgramGrant {
        if let identityFile { return .jwtBearer(.file(path: identityFile)) }
        return .jwtBearer(issuer: authority.client ?? "", subject: subject, signedBy: signer)
    }

    /// The key; if it can't be read, only a request that needs it fails: a sign-out here and the status don't.
    private var signer: ClientAssertionKey {
        do {
            var signer = try ClientAssertionKey(
                pem: key ?? "",
                algorithm: algorithm.flatMap { SignatureAlgorithm($0) },
                keyID: keyID
            )
            if let audience = audience.flatMap({ ClientAssertionKey.Audience(rawValue: $0) }) {
                signer.audience = audience
            }
            return signer
        } catch {
            return ClientAssertionKey(algorithm: .es256) { _ in throw error }
        }
    }
}
