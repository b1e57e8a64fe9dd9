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
            UserDefaults.standard.removeObject(forKey: "authToken")
        }

        /// Stores the token as the older version of an app has left it.
        private func addLegacyItem(by service: String) {
            let attributes: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: "authToken",
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecUseDataProtectionKeychain: true,
                kSecValueData: Data(token.utf8),
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
            #expect(try await model.manager.session.accessToken().unredacted == token)
        }

        @Test(arguments: [(Brand.customer, "com.goumuve.customer"), (.driver, "com.goumuve.driver")])
        func `an older version's token in the keychain is migrated`(brand: Brand, service: String) async throws {
            addLegacyItem(by: service)
            try await expectMigration(AppModel(brand, backend: Self.backend))
        }

        @Test(arguments: [Brand.customer, .driver])
        func `an older version's token in the user defaults is migrated`(brand: Brand) async throws {
            UserDefaults.standard.set(token, forKey: "authToken")
            try await expectMigration(AppModel(brand, backend: Self.backend))
            #expect(UserDefaults.standard.string(forKey: "authToken") == nil)
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
