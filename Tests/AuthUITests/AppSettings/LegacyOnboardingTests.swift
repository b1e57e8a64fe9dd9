// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import AuthCore
import Foundation
import SecureStore
import Testing
import TestSupport

@testable import AuthUI

/// The flag with which an older version recorded that the onboarding was completed.
@Suite struct LegacyOnboardingTests {
    private static let flag = "hasCompletedDriverOnboarding"

    private func with(_ text: String, _ body: (AppSettingsStore, _ file: URL) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.url.appendingPathComponent("settings.json")
        try Data(text.utf8).write(to: file)
        try await body(AppSettingsStore(folder: folder.url.path, legacyOnboardingKeys: ["other", Self.flag]), file)
    }

    @Test(arguments: ["true", "1", "1.0", #""true""#, #""1""#, #""YES""#, #""yes""#])
    func `a set flag counts as a completed onboarding`(value: String) async throws {
        try await with(#"{"\#(Self.flag)":\#(value)}"#) { store, _ in
            #expect(store.load().isOnboardingCompleted)
        }
    }

    @Test(arguments: ["false", "0", "2", "null", #""""#, #""no""#, "[true]", #"{"a":true}"#])
    func `a flag of another value counts as a first launch`(value: String) async throws {
        try await with(#"{"\#(Self.flag)":\#(value)}"#) { store, _ in
            #expect(!store.load().isOnboardingCompleted)
        }
    }

    @Test func `a flag that the app does not name is ignored`() async throws {
        try await with(#"{"hasCompletedOnboarding":true}"#) { store, file in
            #expect(!store.load().isOnboardingCompleted)
            let other = AppSettingsStore(folder: file.deletingLastPathComponent().path)
            #expect(!other.load().isOnboardingCompleted)
        }
    }

    @Test(arguments: [true, false])
    func `saved settings replace the flag, and leave the values of the other members`(isCompleted: Bool) async throws {
        try await with(#"{"a":1.50,"\#(Self.flag)":true,"authToken":"t"}"#) { store, file in
            try store.save(AppSettings(isOnboardingCompleted: isCompleted))
            #expect(store.load().isOnboardingCompleted == isCompleted)
            #expect(
                String(decoding: try Data(contentsOf: file), as: UTF8.self)
                    == #"{"a":1.5,"authToken":"t","sallyport":{"onboardingCompleted":\#(isCompleted),"version":1}}"#
                    + "\n"
            )
        }
    }

    @Test func `the flag counts beside a session's migration, which leaves it`() async throws {
        try await with(#"{"\#(Self.flag)":true,"authToken":"t","userId":42}"#) { store, file in
            let items = try (token: store.legacyItem("authToken"), userID: store.legacyItem("userId"))
            #expect(try await items.token.value() == SecretBytes("t".utf8))
            #expect(try await items.userID.value() == SecretBytes("42".utf8))
            let target = MemoryStore()
            let migrating = try MigratingStore(
                target,
                migrating: StoreKey("session"),
                from: [.init(items.token, with: [items.userID])],
                locksIn: file.deletingLastPathComponent().path
            )
            #expect(try await migrating.item(forKey: StoreKey("session")) == SecretBytes("t".utf8))
            #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == #"{"\#(Self.flag)":true}"#)
            #expect(store.load().isOnboardingCompleted)
        }
    }
}
#endif
