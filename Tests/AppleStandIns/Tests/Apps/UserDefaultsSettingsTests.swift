// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import SecureStore
import Testing

@testable import AppShell

/// The settings in the user defaults; Foundation's own here, in a home directory that the script creates.
@Suite struct UserDefaultsSettingsTests {
    private static let completed = AppSettings(isOnboardingCompleted: true)
    private let suiteName = "sallyport.\(UUID().uuidString)"
    private let settings: AppSettingsStore
    private let defaults: UserDefaults

    init() throws {
        settings = AppSettingsStore(app: "com.example.app", suiteName: suiteName)
        defaults = try #require(UserDefaults(suiteName: suiteName))
    }

    @Test func `the settings are those of a first launch before anything is saved`() {
        #expect(settings.load() == AppSettings())
    }

    @Test func `saved settings are loaded at the next launch, by the same app only`() throws {
        try settings.save(Self.completed)
        #expect(AppSettingsStore(app: "com.example.app", suiteName: suiteName).load() == Self.completed)
        #expect(AppSettingsStore(app: "com.example.other", suiteName: suiteName).load() == AppSettings())
    }

    @Test(arguments: ["", "{", "[]", #"{"isOnboardingCompleted":12}"#])
    func `damaged settings count as a first launch and are overwritten`(text: String) throws {
        defaults.set(Data(text.utf8), forKey: "sallyport.com.example.app")
        #expect(settings.load() == AppSettings())
        try settings.save(Self.completed)
        #expect(settings.load() == Self.completed)
    }

    @Test func `an older version's token is found beside the settings`() async throws {
        defaults.set("older token", forKey: "authToken")
        #expect(try await settings.legacyItem("authToken").value() == SecretBytes("older token".utf8))
    }

    @Test(arguments: [true as any Sendable, 1, "YES", "true", "1"])
    func `an older version's flag counts as a completed onboarding until settings are saved`(
        value: any Sendable
    ) throws {
        let settings = AppSettingsStore(
            app: "com.example.app",
            suiteName: suiteName,
            legacyOnboardingKeys: ["hasCompletedDriverOnboarding"]
        )
        #expect(settings.load() == AppSettings())
        defaults.set(value, forKey: "hasCompletedDriverOnboarding")
        #expect(settings.load() == Self.completed)
        try settings.save(AppSettings())
        #expect(settings.load() == AppSettings())
        #expect(defaults.object(forKey: "hasCompletedDriverOnboarding") == nil)
    }
}
