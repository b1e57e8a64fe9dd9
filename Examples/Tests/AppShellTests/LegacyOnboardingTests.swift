// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Foundation
import SharedTestSupport
import Testing

@testable import AppShell

/// The flag with which an older version recorded that the onboarding was completed.
@Suite struct LegacyOnboardingTests {
    private static let flag = "hasCompletedDriverOnboarding"

    private func with(_ text: String, _ body: (AppSettingsStore, _ folder: URL) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Data(text.utf8).write(to: folder.url.appending(path: "settings.json"))
        try body(AppSettingsStore(folder: folder.url, legacyOnboardingKeys: ["other", Self.flag]), folder.url)
    }

    @Test(arguments: ["true", "1", "1.0", #""true""#, #""1""#, #""YES""#, #""yes""#])
    func `a set flag counts as a completed onboarding`(value: String) throws {
        try with(#"{"\#(Self.flag)":\#(value)}"#) { store, _ in
            #expect(store.load().isOnboardingCompleted)
        }
    }

    @Test(arguments: ["false", "0", "2", "null", #""""#, #""no""#, "[true]", #"{"a":true}"#])
    func `a flag of another value counts as a first launch`(value: String) throws {
        try with(#"{"\#(Self.flag)":\#(value)}"#) { store, _ in
            #expect(!store.load().isOnboardingCompleted)
        }
    }

    @Test func `a flag that the app does not name is ignored`() throws {
        try with(#"{"hasCompletedOnboarding":true}"#) { store, folder in
            #expect(!store.load().isOnboardingCompleted)
            #expect(!AppSettingsStore(folder: folder).load().isOnboardingCompleted)
        }
    }

    @Test(arguments: [true, false])
    func `saved settings replace the flag`(isCompleted: Bool) throws {
        try with(#"{"\#(Self.flag)":true}"#) { store, _ in
            try store.save(AppSettings(isOnboardingCompleted: isCompleted))
            #expect(store.load().isOnboardingCompleted == isCompleted)
        }
    }
}
#endif
