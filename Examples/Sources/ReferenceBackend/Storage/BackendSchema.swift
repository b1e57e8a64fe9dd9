// SPDX-License-Identifier: Apache-2.0

internal import GRDB

/// The tables, and the migrations between their versions.
enum BackendSchema {
    /// The migrator from any earlier version to this one.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: accounts, families of refresh tokens, jobs") { db in
            try db.execute(sql: accounts)
            try db.execute(sql: families)
            try db.execute(sql: jobs)
        }
        migrator.registerMigration("devices that get notifications") { db in try db.execute(sql: devices) }
        return migrator
    }

    private static let accounts = """
        CREATE TABLE server_key (id INTEGER PRIMARY KEY CHECK (id = 1), secret BLOB NOT NULL);
        CREATE TABLE account (
            id TEXT PRIMARY KEY, name TEXT, email TEXT, phone_number TEXT, role TEXT
        ) WITHOUT ROWID;
        CREATE TABLE password (
            email TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), hash TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE apple_identity (
            issuer TEXT NOT NULL, subject TEXT NOT NULL, account_id TEXT NOT NULL REFERENCES account (id),
            PRIMARY KEY (issuer, subject)
        ) WITHOUT ROWID;
        """

    /// The families of refresh tokens, without a token: the valid one follows from the counter and the server's key.
    private static let families = """
        CREATE TABLE refresh_family (
            id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), counter INTEGER NOT NULL,
            rotated_at REAL NOT NULL, expires_at REAL NOT NULL, ended_at REAL,
            platform TEXT NOT NULL, installation_id TEXT NOT NULL
        ) WITHOUT ROWID;
        """

    /// The devices, each with the account that registered it last.
    private static let devices = """
        CREATE TABLE device_token (
            token TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), family_id TEXT,
            platform TEXT NOT NULL, registered_at REAL NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX device_token_account ON device_token (account_id);
        CREATE INDEX device_token_family ON device_token (family_id);
        """

    private static let jobs = """
        CREATE TABLE job (
            number INTEGER PRIMARY KEY, title TEXT NOT NULL, address TEXT NOT NULL, status TEXT NOT NULL
        );
        INSERT INTO job (title, address, status) VALUES
            ('Move a piano', '12 Harbour Street', 'open'),
            ('Three rooms, second floor', '4 Mill Lane', 'assigned'),
            ('Office desks', '90 Station Road', 'done');
        """
}
