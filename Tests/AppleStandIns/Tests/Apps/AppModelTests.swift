// SPDX-License-Identifier: Apache-2.0

import AppShell
import AuthCore
import AuthSession
import AuthUI
import Foundation
import SecureStore
import Security
import Testing
import UmuveBrands

@testable import SharedApp

extension KeychainTests {
    /// The models of the two SwiftUI apps, over an older install of each; nothing listens at their backend's address.
    @MainActor @Suite struct AppModelTests {
        private static let backend = "https://127.0.0.1:1"
        private let keychain = StandInKeychain()
        /// A token of each test's own: the restores of earlier tests may still run, and must not take it for theirs.
        private let token = "older.\(Hexadecimal.encode(RandomBytes.make(8)))"

        init() {
            keychain.setGroups(["app"])
            keychain.use()
            for key in ["authToken", "userId", "hasCompletedDriverOnboarding"] {
                UserDefaults.standard.removeObject(forKey: key)
            }
        }

        /// Stores the token, or another item, as the older version of an app has left it.
        private func addLegacyItem(by service: String, account: String = "authToken", _ text: String? = nil) {
            let attributes: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: account,
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecUseDataProtectionKeychain: true,
                kSecValueData: Data((text ?? token).utf8),
            ]
            #expect(SecItemAdd(attributes, nil) == errSecSuccess)
        }

        private func expectMigration(_ model: AppModel) async throws {
            await model.manager.restore()
            guard case .signedIn = model.manager.session.state else {
                Issue.record("\(model.manager.session.state)")
                return
            }
            #expect(Set(keychain.items.map(\.service)) == [model.brand.bundleIdentifier])
            #expect(keychain.items.map(\.account) == ["default/session"])
            #expect(try await model.manager.session.accessToken().unredacted == token)
        }

        @Test(arguments: [
            (Brand.customer, "com.goumuve.app"), (.customer, "com.goumuve.customer"),
            (.driver, "com.goumuve.pro"), (.driver, "com.goumuve.driver"),
        ])
        func `an older version's token and user ID in the keychain are migrated`(
            brand: Brand,
            service: String
        ) async throws {
            addLegacyItem(by: service)
            addLegacyItem(by: service, account: "userId", "u1")
            let model = try AppModel(brand, backend: Self.backend)
            try await expectMigration(model)
            guard case .signedIn(let user, _) = model.manager.session.state else { return }
            #expect(user?.id == "u1")
        }

        @Test func `a sign-out removes all that older versions left in the keychain and the user defaults`()
            async throws
        {
            addLegacyItem(by: "com.goumuve.customer")
            addLegacyItem(by: "com.goumuve.app", "newer.\(token)")
            addLegacyItem(by: "com.goumuve.app", account: "userId", "u1")
            UserDefaults.standard.set("older.\(token)", forKey: "authToken")
            UserDefaults.standard.set(42, forKey: "userId")
            let model = try AppModel(.customer, backend: Self.backend)
            await model.manager.signOut()
            #expect(keychain.items.isEmpty)
            #expect(UserDefaults.standard.object(forKey: "authToken") == nil)
            #expect(UserDefaults.standard.object(forKey: "userId") == nil)
        }

        @Test func `the driver's app does not show the onboarding again after an older version completed it`()
            async throws
        {
            UserDefaults.standard.removeObject(forKey: "sallyport.com.goumuve.pro")
            UserDefaults.standard.set(true, forKey: "hasCompletedDriverOnboarding")
            let model = try AppModel(.driver, backend: Self.backend)
            await model.manager.restore()
            while model.screen == .splash { await Task.yield() }
            #expect(model.screen == .signIn)
        }

        @Test(arguments: [Brand.customer, .driver])
        func `an older version's token in the user defaults is migrated`(brand: Brand) async throws {
            UserDefaults.standard.set(token, forKey: "authToken")
            try await expectMigration(AppModel(brand, backend: Self.backend))
            #expect(UserDefaults.standard.string(forKey: "authToken") == nil)
        }

        @Test func `a restored session asks the push service for a token, and a sign-out ends the delivery`()
            async throws
        {
            UserDefaults.standard.set(token, forKey: "authToken")
            let (asked, ask) = AsyncStream.makeStream(of: String.self)
            let push = PushService(requestToken: { ask.yield("token") }, endDelivery: { ask.yield("end") })
            let model = try AppModel(.driver, backend: Self.backend, push: push)
            var calls = asked.makeAsyncIterator()
            await model.manager.restore()
            #expect(await calls.next() == "token")
            #expect(model.registration.status == .notDue)
            model.registration.register(AppModel.text(of: Data([0, 0xAB])))
            #expect(model.registration.status == .due)
            await model.manager.signOut()
            #expect(await calls.next() == "end")
            #expect(model.registration.status == .notDue)
        }

        @Test func `an app does not migrate the other app's token`() async throws {
            addLegacyItem(by: "com.goumuve.driver")
            let model = try AppModel(.customer, backend: Self.backend)
            await model.manager.restore()
            #expect(model.manager.session.state == .signedOut(.noSession))
            #expect(keychain.items.map(\.service) == ["com.goumuve.driver"])
        }

        @Test(arguments: [Brand.customer, .driver])
        func `the onboarding shows until it is completed, and not at the next launch`(brand: Brand) async throws {
            let model = try AppModel(brand, backend: Self.backend)
            await model.manager.restore()
            while model.screen == .splash { await Task.yield() }
            #expect(model.screen == .onboarding)
            model.completeOnboarding()
            #expect(model.screen == .signIn)
            let next = try AppModel(brand, backend: Self.backend)
            await next.manager.restore()
            while next.screen == .splash { await Task.yield() }
            #expect(next.screen == .signIn)
        }
    }
}
