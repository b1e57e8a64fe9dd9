import APIClient
import AuthCore
import AuthTesting
import OpenIDConnect
import Testing

@testable import AuthSession

/// What a person reads where a sign-in comes to nothing, and what they don't.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ShownErrorTests {
    /// By status; nil where the connection is refused.
    @Test(arguments: [nil, 500, 503] as [Int?])
    func `a backend that is away makes one sentence, whatever is the matter with it`(status: Int?) async throws {
        let fixture = try Fixture()
        let manager = AuthenticationManager(session: fixture.session, device: Fixture.device)
        await manager.restore()
        fixture.backend.on(Backend.login) { request in
            guard let status else { return try await Backend.unreachable(request) }
            return Backend.failure(status, code: "down", message: "The database is down.")
        }
        await manager.signIn(email: "ada@example.org", password: Password("p"))
        #expect(manager.errorMessage == "Something went wrong. Try again.")
        #expect(!manager.isAuthenticated)
        #expect(!manager.isLoading)
    }

    @Test func `a sign-in that a sign-out came in between of shows nothing`() async throws {
        let fixture = try Fixture()
        let manager = AuthenticationManager(session: fixture.session, device: Fixture.device)
        let gate = fixture.holdSignIn()
        let signIn = Task { await manager.signIn(email: "ada@example.org", password: Password("p")) }
        await gate.somebodyWaits()
        await fixture.session.signOut()
        gate.open()
        await signIn.value
        #expect(manager.errorMessage == nil)
        #expect(!manager.isLoading)
        #expect(manager.state == .signedOut(.signedOutByPerson))
    }

    @Test func `who says no on the other device has cancelled, and reads nothing`() async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        await manager.restore()
        let denied = Event()
        let signIn = Task {
            await manager.signIn { [provider = fixture.provider] session in
                try await session.signInOnAnotherDevice { device in
                    provider.denyDevice(userCode: device.userCode)
                    denied.happen()
                }
            }
        }
        await denied.wait()
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(5))
        await signIn.value
        #expect(fixture.provider.requests(at: .token).count == 1)
        #expect(manager.errorMessage == nil)
        #expect(!manager.isLoading)
        #expect(!manager.isAuthenticated)
    }
}
