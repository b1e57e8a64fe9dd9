// SPDX-License-Identifier: Apache-2.0

internal import GRDB

/// The database file that holds everything.
///
/// Uses SQLite's rollback journal, not its write-ahead log: after a clean stop there is a single file.
struct BackendDatabase: Sendable {
    let queue: DatabaseQueue

    /// Opens the file, created if absent, readable by its owner only because it holds the server's keys.
    ///
    /// - Throws: ``BackendStartError`` (`databaseUnusable`).
    init(path: String) throws {
        do {
            try DatabaseFile.prepare(path)
            var configuration = Configuration()
            configuration.journalMode = .default
            configuration.busyMode = .timeout(5)
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try BackendSchema.migrator.migrate(queue)
        } catch let error as BackendStartError {
            throw error
        } catch {
            throw BackendStartError(
                .databaseUnusable,
                "The database \(path) can't be opened.",
                underlying: error
            )
        }
    }

    /// Closes the file.
    func close() throws {
        try queue.close()
    }
}
