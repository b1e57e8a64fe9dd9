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

    @Test func `the answer to the pending sign-in signs the person in`() async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        let callback = try await fixture.begin()
        #expect(await manager.handleOpenURL(try url(callback)))
        #expect(manager.currentUser == fixture.user)
        #expect(manager.errorMessage == nil)
        #expect(!manager.isLoading)
    }

    @Test(arguments: ["recipe://jobs/12", "recipe://callback", "recipe://callback?state=forged&code=c", "https://x.y/"])
    func `another address leaves the sign-in pending, and shows nothing`(text: String) async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        let callback = try await fixture.begin()
        #expect(await !manager.handleOpenURL(try url(text)))
        #expect(manager.errorMessage == nil)
        #expect(await manager.handleOpenURL(try url(callback)))
        #expect(manager.isAuthenticated)
    }

    @Test func `where no sign-in is pending every address is the app's own`() async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        #expect(await !manager.handleOpenURL(try url("recipe://callback?state=s&code=c")))
        #expect(manager.errorMessage == nil)
    }

    @Test func `at an app's own backend every address is the app's own`() async throws {
        let manager = AuthenticationManager(session: try Fixture(.sessionToken).session)
        #expect(await !manager.handleOpenURL(try url("recipe://callback?state=s&code=c")))
        #expect(manager.errorMessage == nil)
    }

    @Test func `an answer that the provider refuses is told`() async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        let callback = try await fixture.begin()
        let state = try #require(URLComponents(string: callback)?.queryItems?.first { $0.name == "state" }?.value)
        #expect(await manager.handleOpenURL(try url("recipe://callback?error=server_error&state=\(state)")))
        #expect(manager.errorMessage == "The provider refused the sign-in (server_error).")
        #expect(!manager.isAuthenticated)
    }

    @Test func `that the person said no is no failure`() async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        let callback = try await fixture.begin()
        let state = try #require(URLComponents(string: callback)?.queryItems?.first { $0.name == "state" }?.value)
        #expect(await manager.handleOpenURL(try url("recipe://callback?error=access_denied&state=\(state)")))
        #expect(manager.errorMessage == nil)
    }

    @Test func `a store that can't be read is told, and the address stays the app's`() async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        let callback = try await fixture.begin()
        fixture.store.faults.lock()
        #expect(await !manager.handleOpenURL(try url(callback)))
        #expect(manager.errorMessage == "The keyring is locked.")
        fixture.store.faults.unlock()
        #expect(await manager.handleOpenURL(try url(callback)))
        #expect(manager.errorMessage == nil)
    }
}
