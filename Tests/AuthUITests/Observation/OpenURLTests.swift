// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthSession
import AuthTesting
import OpenIDConnect
import Testing

@testable import AuthSessionTests
@testable import AuthUI
@testable import OpenIDSession
@testable import OpenIDSessionTests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// URLs that open the app.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct OpenURLTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `the callback of the pending sign-in signs the user in`() async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        let callback = try await fixture.begin()
        #expect(await manager.handleOpenURL(try url(callback)))
        #expect(manager.currentUser == fixture.user)
        #expect(manager.errorMessage == nil)
        #expect(!manager.isLoading)
    }

    @Test(arguments: ["recipe://jobs/12", "recipe://callback", "recipe://callback?state=forged&code=c", "https://x.y/"])
    func `another URL keeps the sign-in pending and shows no error`(text: String) async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        let callback = try await fixture.begin()
        #expect(await !manager.handleOpenURL(try url(text)))
        #expect(manager.errorMessage == nil)
        #expect(await manager.handleOpenURL(try url(callback)))
        #expect(manager.isAuthenticated)
    }

    @Test func `every URL is left to the app if no sign-in is pending`() async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        #expect(await !manager.handleOpenURL(try url("recipe://callback?state=s&code=c")))
        #expect(manager.errorMessage == nil)
    }

    @Test func `every URL is left to the app if the backend is first-party`() async throws {
        let manager = AuthenticationManager(session: try Fixture(.sessionToken).session)
        #expect(await !manager.handleOpenURL(try url("recipe://callback?state=s&code=c")))
        #expect(manager.errorMessage == nil)
    }

    @Test func `an authorization error in the callback is shown without the provider's code`() async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        let callback = try await fixture.begin()
        let state = try #require(URLComponents(string: callback)?.queryItems?.first { $0.name == "state" }?.value)
        #expect(await manager.handleOpenURL(try url("recipe://callback?error=server_error&state=\(state)")))
        #expect(manager.errorMessage == "Something went wrong. Try again.")
        #expect(!manager.isAuthenticated)
    }

    @Test func `a denied authorization shows no error`() async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        let callback = try await fixture.begin()
        let state = try #require(URLComponents(string: callback)?.queryItems?.first { $0.name == "state" }?.value)
        #expect(await manager.handleOpenURL(try url("recipe://callback?error=access_denied&state=\(state)")))
        #expect(manager.errorMessage == nil)
    }

    @Test func `a store that can't be read shows an error and leaves the URL to the app`() async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        let callback = try await fixture.begin()
        fixture.store.faults.lock()
        #expect(await !manager.handleOpenURL(try url(callback)))
        #expect(manager.errorMessage == "Something went wrong. Try again.")
        fixture.store.faults.unlock()
        #expect(await manager.handleOpenURL(try url(callback)))
        #expect(manager.errorMessage == nil)
    }
}
