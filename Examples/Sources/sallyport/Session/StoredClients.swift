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
    /// So a process that found the session gone, or signs a program out, leaves the credential of a later sign-in.
    private(set) var signIn = ""

    private static let item = "client"

    /// Returns the credentials that a store holds.
    ///
    /// - Throws: `SecureStoreError`; `SessionRecordError` if another version wrote them, or they are damaged.
    static func stored(in store: any SecureStore) async throws -> StoredClients {
        try Self(try await store.item(forKey: StoreKey(item)))
    }

    /// Returns the credentials that a store holds; if they can't be read, no credentials, and the error.
    ///
    /// A user's session may not need them.
    static func readable(
        in store: any SecureStore
    ) async throws -> (clients: StoredClients, unreadable: SessionRecordError?) {
        do {
            return (try await stored(in: store), nil)
        } catch let error as SessionRecordError {
            return (Self(), error)
        }
    }

    /// Creates a collection without clients.
    init() {}

    private init(_ item: SecretBytes?) throws(SessionRecordError) {
        struct Header: Decodable { let version: Int }
        guard let item else { return }
        let (decoder, data) = (JSONDecoder(), Data(item.unredacted))
        guard let header = try? decoder.decode(Header.self, from: data) else { throw SessionRecordError(.damaged) }
        guard header.version == version else { throw SessionRecordError(.unknownVersion) }
        guard let known = try? decoder.decode(Self.self, from: data) else { throw SessionRecordError(.damaged) }
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
    ///
    /// - Throws: Also `SessionRecordError` if there are others that can't be read: they stay until a logout.
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
    /// - Parameters:
    ///   - own: The credential of a session that has just ended here. A sign-out removes the session before it stores
    ///     the revocation, and another process may have removed the credential in between.
    ///   - isLogout: Whether credentials that can't be read are removed, too: another version may need them, but for
    ///     the user's word.
    static func removeUnused(
        in store: any SecureStore,
        after own: StoredClient? = nil,
        isLogout: Bool = false
    ) async throws {
        do {
            try await change(in: store, after: own) { _ in }
        } catch is SessionRecordError {
            if isLogout { try await removeUnread(in: store) }
        }
    }

    /// Ends the sign-in of a program, and removes the credentials that nothing needs.
    ///
    /// - Parameter signIn: The mark of that sign-in. Another one, as of a process that signed in meanwhile, stays.
    static func endProgram(of signIn: String?, in store: any SecureStore) async throws {
        do {
            try await change(in: store) { if $0.signIn == signIn { $0.removeProgram() } }
        } catch is SessionRecordError {
            // The item is not that of the sign-in any more.
        }
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

    private static func change(
        in store: any SecureStore,
        after own: StoredClient? = nil,
        _ change: (inout StoredClients) -> Void
    ) async throws {
        let key = try StoreKey(item)
        for _ in 0..<8 {
            let known = try await store.item(forKey: key)
            var clients = try Self(known)
            change(&clients)
            clients.all.removeAll(where: \.isEmpty)
            if own != nil || !clients.all.isEmpty {
                let need = try await Need(in: store)
                if var own, need.isPending(own.authority), clients.client(of: own.authority) == nil {
                    own.program = nil
                    clients.all.append(own)
                }
                clients.all.removeAll { $0.program == nil && !need.includes($0.authority) }
            }
            let new = clients.all.isEmpty ? nil : try clients.encoded()
            if new == known { return }
            if try await store.replaceItem(forKey: key, ifEquals: known, with: new) { return }
        }
        throw SecureStoreError(.busy)
    }

    /// The clients that a store's session, and the tokens that are still to be revoked, may need.
    private struct Need {
        private var session: AuthorityID?
        private var pending: Set<AuthorityID> = []
        /// Whether another version may read what this one can't.
        private var isUnknown = false

        /// Reads the session first, because a sign-out removes it before it stores the revocation.
        init(in store: any SecureStore) async throws {
            do {
                let kinds = StoredClients().kinds(sendingWithCertificate: false)
                session = try await SessionSummary(in: store, of: kinds)?.backend.authority.id
                pending = try await SessionSummary.pendingRevocations(in: store)
            } catch is SessionRecordError {
                isUnknown = true
            }
        }

        func includes(_ authority: AuthorityID) -> Bool {
            isUnknown || authority == session || pending.contains(authority)
        }

        /// Whether a revocation alone needs the credential: a session there may have replaced it.
        func isPending(_ authority: AuthorityID) -> Bool { authority != session && pending.contains(authority) }
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
