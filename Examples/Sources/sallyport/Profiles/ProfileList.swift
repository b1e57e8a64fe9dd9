// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthSession
import FoundationEssentials
import OpenIDConnect
import OpenIDSession
import SecureStore

/// The profiles whose sessions are kept in a store.
///
/// Reading them sends no request to a server and never prompts.
struct ProfileList {
    private let fileSecret: FileStoreSecret
    /// Whether the keyring did not respond in time; it is then not asked again.
    private var isKeyringMute = false

    /// Creates a list that is not read yet.
    ///
    /// - Parameter fileSecret: What opens the encrypted files.
    init(fileSecret: FileStoreSecret) {
        self.fileSecret = fileSecret
    }

    /// Reads all profiles, one after the other.
    ///
    /// - Returns: The profiles, sorted by name. One that can't be read has a state that says so.
    /// - Throws: `SecureStoreError` if the profiles are unknown; `CancellationError`.
    mutating func read() async throws -> [ProfileEntry] {
        var entries: [ProfileEntry] = []
        for scope in try SessionLocation.recordedScopes() {
            try Task.checkCancellation()
            entries.append(try await entry(scope.account))
        }
        return entries
    }

    private mutating func entry(_ name: String) async throws -> ProfileEntry {
        var entry = ProfileEntry(name: name, state: .locked)
        do {
            // Nothing is changed, so that nothing waits.
            let location = try SessionLocation(
                profile: name,
                choice: nil,
                fileSecret: fileSecret,
                lockTimeout: .zero
            )
            entry.store = location.choice.rawValue
            guard location.choice != .keyring || !isKeyringMute else { return entry }
            let store = try location.open(prompting: false)
            let (clients, unreadable) = try await StoredClients.readable(in: store)
            if let program = clients.programClient?.program {
                entry.server = try program.provider.provider().metadata.issuer.baseURL.description
                entry.state = .signedIn
                return entry
            }
            let kinds = clients.kinds(sendingWithCertificate: true)
            guard let session = try await SessionSummary(in: store, of: kinds) else {
                if let unreadable { throw unreadable }
                entry.state = .ended
                return entry
            }
            entry.user = session.user?.displayName ?? session.user?.id
            entry.server = session.backend.baseURL.description
            entry.state = session.hasExpired(at: Date()) ? .ended : .signedIn
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            if entry.store == StoreChoice.keyring.rawValue, (error as? SecureStoreError)?.code == .timedOut {
                isKeyringMute = true
            }
            entry.state = Self.state(for: error)
        }
        return entry
    }

    /// Returns the state of a session that can't be read.
    private static func state(for error: any Error) -> ProfileEntry.State {
        switch error {
        case let error as SecureStoreError where damage.contains(error.code): .damaged
        case is SecureStoreError, is Failure: .locked
        default: .damaged
        }
    }

    private static let damage: [SecureStoreError.Code] = [.damaged, .newerFormat]
}
