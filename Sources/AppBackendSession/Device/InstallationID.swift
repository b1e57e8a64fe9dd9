// SPDX-License-Identifier: Apache-2.0

import SecureStore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The random ID of an app's installation, made at the first launch and kept in the app's configuration folder.
///
/// Not secret, but it identifies the installation: other users of the machine can't read it, and each app has its own,
/// so that two apps can't be linked by it.
enum InstallationID {
    private static let fileName = "installation-id"
    /// The size of a file that may hold an ID, in bytes.
    private static let maximumSize = 1_024

    /// The IDs that this process would write, by app.
    private static let candidates = Mutex<[String: UUID]>([:])

    /// Returns the ID of an app's installation.
    ///
    /// Makes it at the first call. Processes that make it at the same time agree on one. A damaged file is replaced. If
    /// the folder can't be used, the ID lasts as long as this process.
    ///
    /// - Returns: The UUID, in upper case.
    static func current(of app: String) -> String {
        // All sign-ins of this process have the same ID, even if it can't be written.
        let made = candidates.withLock { ids in
            let id = ids[app] ?? UUID()
            ids[app] = id
            return id
        }
        let known = try? ConfigurationFile(fileName, of: app).installationID(orNew: made)
        return (known ?? made).uuidString
    }

    fileprivate static func read(_ file: ConfigurationFile) throws(SecureStoreError) -> UUID? {
        do throws(SecureStoreError) {
            guard let bytes = try file.read(atMost: maximumSize) else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            return UUID(uuidString: String(text.prefix { !$0.isWhitespace }))
        } catch {
            guard error.code == .damaged else { throw error }
            // Too large.
            return nil
        }
    }
}

extension ConfigurationFile {
    /// Returns the ID in this file, or writes one if it has none.
    ///
    /// - Returns: The ID in the file, which is another process's if that was faster.
    /// - Throws: `SecureStoreError` (`denied`, `full`, `failed`; `busy` if another process holds the file's lock).
    func installationID(orNew new: UUID, waitingAtMost limit: Duration = .seconds(1)) throws -> UUID {
        if let known = try InstallationID.read(self) { return known }
        try makeFolder()
        // The lock is on the file itself. Whoever waits for it finds the replaced file under its name, and reads again.
        let end = ContinuousClock.now + limit
        let lock = try FileLock.blocking(at: path, "installation ID") { ContinuousClock.now < end }
        defer { withExtendedLifetime(lock) {} }
        if let known = try InstallationID.read(self) { return known }
        try replace(with: Array("\(new.uuidString)\n".utf8))
        return new
    }
}
