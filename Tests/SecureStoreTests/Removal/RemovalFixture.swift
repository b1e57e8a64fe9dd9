// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Foundation
import TestSupport

@testable import SecureStore

extension StoreKey {
    static let token = StoreKey(trusted: "token")
    static let other = StoreKey(trusted: "other")
}

extension SecretBytes {
    init(_ text: String) {
        self.init(text.utf8)
    }
}

/// A keyring and the folder of its note, which several processes of one user share.
struct RemovalFixture {
    let folder: TemporaryFolder
    let keyring = FaultyStore()

    static func with(_ body: (RemovalFixture) async throws -> Void) async throws {
        let fixture = RemovalFixture(folder: try TemporaryFolder())
        defer { fixture.folder.remove() }
        try await body(fixture)
    }

    /// Creates a store as a separate process would.
    func store(kill: KillSwitch? = nil, lockTimeout: Duration = .seconds(30)) -> PendingRemovals {
        let store: any SecureStore = kill.map { KillableStore(wrapped: keyring, kill: $0) } ?? keyring
        return PendingRemovals(store, named: "keyring", lockTimeout: lockTimeout, notesIn: folder.url.path)
    }

    /// The note's file and lock, as another process finds them.
    var note: RemovalNote { RemovalNote(of: keyring.scope, "keyring", in: folder.url.path) }

    var notePath: String {
        let name = ScopeFileName.of("removals", keyring.scope, onBus: "keyring", ending: "note")
        return folder.url.appendingPathComponent(name).path
    }

    var text: String? {
        FileManager.default.contents(atPath: notePath).map { String(decoding: $0, as: UTF8.self) }
    }
}
