// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Foundation
import TestSupport

@testable import SecureStore

extension StoreLocationName {
    static let keyring = StoreLocationName(trusted: "keyring")
    static let file = StoreLocationName(trusted: "file")
}

extension StoreKey {
    static let token = StoreKey(trusted: "token")
    static let other = StoreKey(trusted: "other")
}

extension SecretBytes {
    init(_ text: String) {
        self.init(text.utf8)
    }
}

/// Two places of one scope and the note's folder, which several processes of one user share.
struct PinnedFixture {
    let scope = MemoryStore().scope
    let folder: TemporaryFolder
    let keyring: FaultyStore
    let file: FaultyStore

    static func with(_ body: (PinnedFixture) async throws -> Void) async throws {
        let fixture = try PinnedFixture()
        defer { fixture.folder.remove() }
        try await body(fixture)
    }

    private init() throws {
        folder = try TemporaryFolder()
        (keyring, file) = (FaultyStore(scope: scope), FaultyStore(scope: scope))
    }

    /// Creates a store as a separate process would.
    func store(
        _ initially: StoreLocationName = .keyring,
        kill: KillSwitch? = nil,
        lockTimeout: Duration = .seconds(30)
    ) throws -> PinnedStore {
        let locations: [(StoreLocationName, any SecureStore)] = [(.keyring, keyring), (.file, file)]
        return try PinnedStore(
            locations: locations.map { name, store in
                StoreLocation(name, kill.map { KillableStore(wrapped: store, kill: $0) } ?? store)
            },
            initially: initially,
            notesIn: notes,
            lockTimeout: lockTimeout
        )
    }

    /// Creates a store that offers only one location.
    func store(only name: StoreLocationName) throws -> PinnedStore {
        let location = StoreLocation(name, name == .keyring ? keyring : file)
        return try PinnedStore(locations: [location], initially: name, notesIn: notes)
    }

    /// The folder of the note.
    var notes: String { folder.url.path }

    var notePath: String {
        folder.url.appendingPathComponent(ScopeFileName.of("stores", scope, ending: "note")).path
    }

    var note: String? {
        FileManager.default.contents(atPath: notePath).map { String(decoding: $0, as: UTF8.self) }
    }
}
