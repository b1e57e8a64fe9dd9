// SPDX-License-Identifier: Apache-2.0

internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The families of refresh tokens in the database.
struct FamilyStore: Sendable {
    /// The result of a refresh with a token that this server issued.
    enum Rotation: Sendable {
        /// The current family: rotated, or unchanged for a repeated request.
        case issue(RefreshFamily)
        /// A used token was sent again, and the family has been ended.
        case reused
        /// The family had ended before.
        case ended
        /// The token has expired.
        case expired
        /// There is no such family.
        case unknown
    }

    let database: BackendDatabase
    let lifetime: Duration
    let grace: Duration
    let now: @Sendable () -> Date
    /// The closure to call with every refresh, in the order of the decisions.
    let onRefresh: (@Sendable (RefreshCall) -> Void)?

    /// Creates a family.
    func begin(account: Account, device: DeviceInfo) async throws -> RefreshFamily {
        let now = now()
        let family = RefreshFamily(
            id: Data(randomByteCount: 16).base64URL,
            accountID: account.id,
            rotated: now,
            expires: now.addingTimeInterval(lifetime.timeInterval)
        )
        try await database.queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO refresh_family
                    (id, account_id, counter, rotated_at, expires_at, platform, installation_id)
                    VALUES (?, ?, 0, ?, ?, ?, ?)
                    """,
                arguments: [
                    family.id, family.accountID, family.rotated.timeIntervalSince1970,
                    family.expires.timeIntervalSince1970, device.platform, device.installationID.uuidString,
                ]
            )
        }
        return family
    }

    /// Rotates a family by its current token, in one transaction that serializes concurrent requests.
    ///
    /// [RFC 9700, 4.14.2](https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2): two parties hold a token that is sent
    /// again after its rotation, and the server can't tell them apart. The grace window is for a client that lost the
    /// response.
    func rotate(_ token: RefreshToken) async throws -> Rotation {
        let now = now()
        let lifetime = lifetime.timeInterval
        return try await database.queue.write { db in
            let found = try Self.family(token.family, in: db)
            let outcome = outcome(of: token, in: found, at: now)
            onRefresh?(RefreshCall(outcome, of: token, in: found, at: now))
            guard var family = found else { return .unknown }
            switch outcome {
            case .rotated:
                family.counter += 1
                family.rotated = now
                family.expires = now.addingTimeInterval(lifetime)
                try db.execute(
                    sql: "UPDATE refresh_family SET counter = ?, rotated_at = ?, expires_at = ? WHERE id = ?",
                    arguments: [
                        family.counter, now.timeIntervalSince1970, family.expires.timeIntervalSince1970, family.id,
                    ]
                )
                return .issue(family)
            case .repeated:
                return .issue(family)
            case .reused:
                try Self.end(family.id, at: now, in: db)
                return .reused
            case .ended: return .ended
            case .expired: return .expired
            case .unknown: return .unknown
            }
        }
    }

    private func outcome(of token: RefreshToken, in family: RefreshFamily?, at now: Date) -> RefreshCall.Outcome {
        guard let family else { return .unknown }
        if family.ended != nil { return .ended }
        if now >= family.expires { return .expired }
        if token.counter == family.counter { return .rotated }
        let isLast = token.counter == family.counter - 1
        return isLast && now.timeIntervalSince(family.rotated) <= grace.timeInterval ? .repeated : .reused
    }

    /// Ends a family; does nothing if it has ended already.
    func end(_ id: String) async throws {
        let now = now()
        try await database.queue.write { db in try Self.end(id, at: now, in: db) }
    }

    /// Returns whether a family exists and has not ended.
    func isAlive(_ id: String) async throws -> Bool {
        try await database.queue.read { db in try Self.isAlive(id, in: db) }
    }

    /// Returns whether a family exists and has not ended, in a transaction.
    static func isAlive(_ id: String, in db: Database) throws -> Bool {
        guard let family = try family(id, in: db) else { return false }
        return family.ended == nil
    }

    private static func family(_ id: String, in db: Database) throws -> RefreshFamily? {
        try Row.fetchOne(db, sql: "SELECT * FROM refresh_family WHERE id = ?", arguments: [id])
            .map(RefreshFamily.init(row:))
    }

    /// Ends a family, also for its devices, which get no notifications any more.
    private static func end(_ id: String, at date: Date, in db: Database) throws {
        try db.execute(
            sql: "UPDATE refresh_family SET ended_at = ? WHERE id = ? AND ended_at IS NULL",
            arguments: [date.timeIntervalSince1970, id]
        )
        try DeviceTokenStore.removeDevices(of: id, in: db)
    }
}
