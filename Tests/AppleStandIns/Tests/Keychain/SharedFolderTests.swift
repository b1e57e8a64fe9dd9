// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import SecureStore
import Security
import Testing

extension KeychainTests {
    /// The folder of an App Group, for the locks and notes of an app and its extension.
    @Suite struct SharedFolderTests {
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

        @Test func `a store keeps its locks and notes in the folder of the App Group`() async throws {
            let attributes = [FileAttributeKey.posixPermissions: 0o755]
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: false,
                attributes: attributes
            )
            defer { try? FileManager.default.removeItem(at: folder) }
            StandInGroups.use(["group.com.example.app": folder.path])
            StandInKeychain().use()
            let shared = try SharedFolder(appGroup: "group.com.example.app")
            let scope = try StoreScope(service: "com.example.app", sharedFolder: shared)
            let store = PendingRemovals(KeychainStore(scope: scope))
            try await store.setItem(SecretBytes("a token".utf8), forKey: try StoreKey("session"))
            let list = FileManager.default.contentsOfDirectory(atPath:)
            #expect(try list(folder.path) == ["sallyport"])
            #expect(try list(folder.path + "/sallyport/locks").count == 1)
            #expect(try list(folder.path + "/sallyport/stores").count == 1)
        }

        @Test func `an App Group that the program does not belong to throws denied and names the entitlement`() {
            StandInGroups.use([:])
            let error = #expect(throws: SecureStoreError(.denied)) {
                try SharedFolder(appGroup: "group.com.example.other")
            }
            #expect(
                error?.description
                    == """
                    The store refused this program (its developer must sign it with the entitlement \
                    com.apple.security.application-groups).
                    """
            )
        }
    }
}
