// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The server's keys, all derived from one secret in the database.
///
/// Each use has a key of its own, so that a token of one kind can't be verified as one of another kind.
struct ServerKeys: Sendable {
    private let secret: SymmetricKey

    /// Reads the secret, or creates it at the first start.
    init(database: BackendDatabase) async throws {
        let bytes = try await database.queue.write { db in
            if let known = try Data.fetchOne(db, sql: "SELECT secret FROM server_key WHERE id = 1") { return known }
            let made = Data(randomByteCount: 32)
            try db.execute(sql: "INSERT INTO server_key (id, secret) VALUES (1, ?)", arguments: [made])
            return made
        }
        secret = SymmetricKey(data: bytes)
    }

    /// Returns the key for one use.
    ///
    /// [RFC 5869](https://www.rfc-editor.org/rfc/rfc5869).
    func key(for use: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: Data(use.utf8), outputByteCount: 32)
    }
}
