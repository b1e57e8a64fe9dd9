// SPDX-License-Identifier: Apache-2.0

internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The devices that get notifications, each with the account that registered it last.
struct DeviceTokenStore: Sendable {
    /// The number of devices of one account, of which the newest remain.
    private static let most = 20

    let database: BackendDatabase
    let now: @Sendable () -> Date

    /// Registers a device for an account, and for no other account any more.
    ///
    /// - Parameters:
    ///   - device: The device, already checked.
    ///   - owner: The account and, in contract B, the session whose end removes the device.
    /// - Throws: ``APIFailure`` (`session_ended`) if that session ended since the token was checked; `DatabaseError`.
    func register(_ device: DeviceToken, for owner: BearerClaims) async throws {
        let now = now().timeIntervalSince1970
        try await database.queue.write { db in
            // In the same transaction as the insertion, so that no sign-out comes between them.
            if let family = owner.fam, try !FamilyStore.isAlive(family, in: db) { throw APIFailure.sessionEnded }
            try db.execute(
                sql: """
                    INSERT INTO device_token (token, account_id, family_id, platform, registered_at)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (token) DO UPDATE SET account_id = excluded.account_id, family_id = excluded.family_id,
                        platform = excluded.platform, registered_at = excluded.registered_at
                    """,
                arguments: [device.token, owner.sub, owner.fam, device.platform, now]
            )
            try db.execute(
                sql: """
                    DELETE FROM device_token WHERE account_id = ? AND token NOT IN (
                        SELECT token FROM device_token WHERE account_id = ?
                        ORDER BY registered_at DESC, token = ? DESC LIMIT \(Self.most))
                    """,
                arguments: [owner.sub, owner.sub, device.token]
            )
        }
    }

    /// Removes the devices of a session of contract B, in the transaction that ends the session.
    static func removeDevices(of family: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM device_token WHERE family_id = ?", arguments: [family])
    }

    /// Returns the tokens of an account's devices, without those of a session of contract B that is over.
    func tokens(of accountID: String) async throws -> Set<String> {
        let now = now().timeIntervalSince1970
        return try await database.queue.read { db in
            let sql = """
                SELECT token FROM device_token WHERE account_id = ? AND (family_id IS NULL OR family_id IN (
                    SELECT id FROM refresh_family WHERE ended_at IS NULL AND expires_at > ?))
                """
            return Set(try String.fetchAll(db, sql: sql, arguments: [accountID, now]))
        }
    }
}
