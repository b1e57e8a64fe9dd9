// SPDX-License-Identifier: Apache-2.0

internal import GRDB

/// A job in the form of the API.
struct Job: Codable, Sendable {
    let id: String
    let title: String
    let address: String
    let status: String

    init(row: Row) {
        let number: Int64 = row["number"]
        id = "job-\(number)"
        title = row["title"]
        address = row["address"]
        status = row["status"]
    }
}

/// The jobs in the database, as an example of protected data.
struct JobStore: Sendable {
    let database: BackendDatabase

    /// Returns the oldest 500 jobs, the oldest first.
    func all() async throws -> [Job] {
        try await database.queue.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM job ORDER BY number LIMIT 500").map(Job.init(row:))
        }
    }

    /// Adds an open job.
    func add(title: String, address: String) async throws -> Job? {
        try await database.queue.write { db in
            let sql = "INSERT INTO job (title, address, status) VALUES (?, ?, 'open') RETURNING *"
            return try Row.fetchOne(db, sql: sql, arguments: [title, address]).map(Job.init(row:))
        }
    }
}
