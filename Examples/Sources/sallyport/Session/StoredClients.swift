// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDConnect
import OpenIDSession
import SecureStore

/// The credentials beside a session, in one item of its store: at most one for each client.
///
/// Tokens that are still to be revoked may be another client's than the session. So a sign-in leaves the credentials of
/// other clients, and each goes once neither the session nor such tokens may need it.
struct StoredClients: Codable, Redacted {
    private var version = 1
    private var all: [StoredClient] = []
    /// Differs after each sign-in.
    ///
    /// So a process that found the session gone can't remove the credential of a later sign-in.
    private var signIn = ""

    private static let item = "client"

    /// Returns the credentials that a store holds; none if they can't be decoded.
    static func stored(in store: any SecureStore) async throws -> StoredClients {
        Self(try await store.item(forKey: StoreKey(item)))
    }

    /// Creates a collection without clients.
    init() {}

    private init(_ item: SecretBytes?) {
        guard let item, let known = try? JSONDecoder().decode(Self.self, from: Data(item.unredacted)),
            known.version == 1
        else { return }
        self = known
    }

    /// The credential that holds the sign-in of a program; nil if a user signed in.
    var programClient: StoredClient? { all.first { $0.program != nil } }

    func client(of authority: AuthorityID) -> StoredClient? { all.first { $0.authority == authority } }

    /// Whether a session was signed in with a certificate.
    var usesCertificates: Bool { all.contains(where: \.usesCertificate) }

    /// Returns the kinds of backend that a stored session of a user may be at.
    ///
    /// - Parameter sends: Whether requests may be sent to a server at which the client had a certificate.
    func kinds(sendingWithCertificate sends: Bool) -> [AuthorityKind] {
        [
            AuthorityKind { record in
                if !sends, client(of: record.id)?.usesCertificate == true { throw Failure.certificateMissing }
                return nil
            },
            .firstParty,
            .openID { client(of: SessionBackend.openID($0).authority.id)?.completing($0) ?? $0 },
        ]
    }

    // MARK: Changes

    /// Stores the credential of the session, or of the program, that has just signed in.
    static func save(_ new: StoredClient, in store: any SecureStore) async throws {
        try await change(in: store) { clients in
            // This sign-in replaces one of a program, too.
            clients.removeProgram()
            clients.all.removeAll { $0.authority == new.authority }
            clients.all.append(new)
            clients.signIn = UUID().uuidString
        }
    }

    /// Removes the credentials that neither the session nor tokens that are still to be revoked need.
    ///
    /// - Parameter own: The credential of a session that has just ended here. A sign-out removes the session before it
    ///   stores the revocation, and another process may have removed the credential in between.
    static func removeUnused(in store: any SecureStore, after own: StoredClient? = nil) async throws {
        try await change(in: store) { clients in
            if let own, clients.client(of: own.authority) == nil { clients.all.append(own) }
        }
    }

    /// Ends the sign-in of a program, and removes the credentials that nothing needs.
    static func endProgram(in store: any SecureStore) async throws {
        try await change(in: store) { $0.removeProgram() }
    }

    /// Removes all credentials from a store that can't be read, also those that a revocation needs: the user signs out.
    static func removeUnread(in store: any SecureStore) async throws {
        try await store.removeItem(forKey: StoreKey(item))
    }

    private func encoded() throws -> SecretBytes {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return SecretBytes(try encoder.encode(self))
    }

    private mutating func removeProgram() {
        for index in all.indices { all[index].program = nil }
    }

    private static func change(in store: any SecureStore, _ change: (inout StoredClients) -> Void) async throws {
        let key = try StoreKey(item)
        for _ in 0..<8 {
            let known = try await store.item(forKey: key)
            var clients = Self(known)
            change(&clients)
            clients.all.removeAll(where: \.isEmpty)
            if !clients.all.isEmpty {
                let isNeeded = try await need(in: store)
                clients.all.removeAll { $0.program == nil && !isNeeded($0.authority) }
            }
            let new = clients.all.isEmpty ? nil : try clients.encoded()
            if new == known { return }
            if try await store.replaceItem(forKey: key, ifEquals: known, with: new) { return }
        }
        throw SecureStoreError(.busy)
    }

    /// Returns a function that says whether the session, or a revocation, may need the credential of an authority.
    ///
    /// The session is read first, because a sign-out removes it before it stores the revocation.
    private static func need(in store: any SecureStore) async throws -> @Sendable (AuthorityID) -> Bool {
        do {
            let kinds = StoredClients().kinds(sendingWithCertificate: false)
            let session = try await SessionSummary(in: store, of: kinds)?.backend.authority.id
            let isPending = try await store.item(forKey: StoreKey("session.ended")) != nil
            return { isPending || $0 == session }
        } catch is SessionRecordError {
            // Another version may read that session.
            return { _ in true }
        }
    }
}

extension AuthSession {
    /// Returns the credential of the session's client; nil if there is none, or the store can't be read now.
    nonisolated func storedClient(in store: any SecureStore) async -> StoredClient? {
        (try? await StoredClients.stored(in: store))?.client(of: backend.authority.id)
    }

    /// Whether the client's private key is missing or can't be read, so that it can't have tokens revoked.
    nonisolated var lacksKey: Bool {
        guard case .privateKeyJWT(let key)? = provider?.client.authentication else { return false }
        // The tool has no other keys than PEM text.
        return key.publicJWK == nil
    }
}

extension Failure {
    /// The failure of a revocation without the client's private key.
    static let keyMissing = Failure(
        .failed,
        "The tokens were not revoked, because the client's private key can't be read.",
        "To revoke them, sign in again with --private-key FILE, and sign out."
    )

    /// The failure of a command without the certificate that the session was signed in with.
    static let certificateMissing = Failure(
        .wrongArguments,
        "This session was signed in with a client certificate, which this command was not given.",
        "Give --certificate FILE and --certificate-key FILE."
    )
}
