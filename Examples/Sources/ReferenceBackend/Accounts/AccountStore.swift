// SPDX-License-Identifier: Apache-2.0

internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The accounts in the database, by id, e-mail address and identity at Apple.
struct AccountStore: Sendable {
    let database: BackendDatabase

    /// Returns the account with an id, or nil if there is no such account.
    func account(id: String) async throws -> Account? {
        try await database.queue.read { db in try Self.account(id: id, in: db) }
    }

    /// Returns the account and password hash for an e-mail address, or nil if there is no such account.
    func passwordAccount(email: String) async throws -> (account: Account, hash: String)? {
        try await database.queue.read { db in
            let sql = """
                SELECT account.*, password.hash AS password_hash FROM password
                JOIN account ON account.id = password.account_id WHERE password.email = ?
                """
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [Self.normalized(email)]) else { return nil }
            return (Account(row: row), row["password_hash"])
        }
    }

    /// Creates an account with a password, or replaces the password of an existing one.
    ///
    /// - Throws: ``AccountError`` (`otherRole`).
    func setPassword(email: String, hash: String, for new: NewAccount) async throws -> Account {
        let email = Self.normalized(email)
        return try await database.queue.write { db in
            let known = try String.fetchOne(
                db,
                sql: "SELECT account_id FROM password WHERE email = ?",
                arguments: [email]
            )
            if let known, let expected = new.expectedRole, let role = try Self.existing(id: known, in: db).role,
                role != expected
            {
                throw AccountError.otherRole(role)
            }
            let id = try known ?? Self.insert(name: new.name, email: email, role: new.role, in: db)
            try db.execute(
                sql: """
                    INSERT INTO password (email, account_id, hash) VALUES (?, ?, ?)
                    ON CONFLICT (email) DO UPDATE SET hash = excluded.hash
                    """,
                arguments: [email, id, hash]
            )
            return try Self.existing(id: id, in: db)
        }
    }

    /// Finds or creates the account of a verified identity.
    ///
    /// - Parameters:
    ///   - identity: The identity.
    ///   - name: The user's name, kept if the account has none.
    ///   - role: The role that the app requests; nil leaves the account's role as it is, or open.
    /// - Returns: The account.
    /// - Throws: ``APIFailure`` (`role_conflict`) if the account has another role than the app requests.
    func account(for identity: VerifiedIdentity, name: AccountName?, role: AccountRole?) async throws -> Account {
        try await database.queue.write { db in
            guard let known = try Self.accountID(issuer: identity.issuer, subject: identity.subject, in: db) else {
                let id = try Self.insert(name: name?.text, email: identity.email, role: role, in: db)
                try Self.link(id, issuer: identity.issuer, subject: identity.subject, in: db)
                return try Self.existing(id: id, in: db)
            }
            let account = try Self.existing(id: known, in: db)
            if let role, let registered = account.role, registered != role {
                throw APIFailure.roleConflict(registered: registered, requested: role)
            }
            // Adds values that were unknown or unproven before. Existing values are never replaced: Apple sends the
            // name only once, and the user may have changed it since.
            try db.execute(
                sql: """
                    UPDATE account SET role = coalesce(role, ?), email = coalesce(email, ?), name = coalesce(name, ?)
                    WHERE id = ?
                    """,
                arguments: [role?.rawValue, identity.email, name?.text, known]
            )
            return try Self.existing(id: known, in: db)
        }
    }

    /// Finds the account of an unproven identifier, or creates one without a role.
    func account(unprovenIdentifier: String, issuers: [String], name: AccountName?) async throws -> Account {
        try await database.queue.write { db in
            for issuer in issuers {
                if let id = try Self.accountID(issuer: issuer, subject: unprovenIdentifier, in: db) {
                    return try Self.existing(id: id, in: db)
                }
            }
            let id = try Self.insert(name: name?.text, email: nil, role: nil, in: db)
            try Self.link(id, issuer: issuers.first ?? "", subject: unprovenIdentifier, in: db)
            return try Self.existing(id: id, in: db)
        }
    }

    /// Changes the profile of an account, and returns the account as changed.
    func apply(_ update: ProfileUpdate, to id: String) async throws -> Account {
        try await database.queue.write { db in
            try db.execute(
                sql: """
                    UPDATE account SET name = coalesce(?, name), phone_number = coalesce(?, phone_number) WHERE id = ?
                    """,
                arguments: [update.name, update.phoneNumber, id]
            )
            return try Self.existing(id: id, in: db)
        }
    }

    /// Returns an address in the form used for comparison: without surrounding space, in lower case.
    static func normalized(_ email: String) -> String {
        email.trimmed.lowercased()
    }
}

extension AccountStore {
    private static func account(id: String, in db: Database) throws -> Account? {
        try Row.fetchOne(db, sql: "SELECT * FROM account WHERE id = ?", arguments: [id]).map(Account.init(row:))
    }

    private static func existing(id: String, in db: Database) throws -> Account {
        guard let account = try account(id: id, in: db) else {
            throw RecordError.recordNotFound(databaseTableName: "account", key: [:])
        }
        return account
    }

    private static func accountID(issuer: String, subject: String, in db: Database) throws -> String? {
        try String.fetchOne(
            db,
            sql: "SELECT account_id FROM apple_identity WHERE issuer = ? AND subject = ?",
            arguments: [issuer, subject]
        )
    }

    private static func insert(name: String?, email: String?, role: AccountRole?, in db: Database) throws -> String {
        let id = UUID().uuidString.lowercased()
        try db.execute(
            sql: "INSERT INTO account (id, name, email, role) VALUES (?, ?, ?, ?)",
            arguments: [id, name, email, role?.rawValue]
        )
        return id
    }

    private static func link(_ id: String, issuer: String, subject: String, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO apple_identity (issuer, subject, account_id) VALUES (?, ?, ?)",
            arguments: [issuer, subject, id]
        )
    }
}
