// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import Synchronization
import Testing

@testable import AuthSession

/// Hooks if one user replaces another without a sign-out in between.
@Suite(.timeLimit(.minutes(5)))
struct ReplacedUserTests {
    /// The response to another user's sign-in.
    private static var another: TransportResponse {
        .json(
            """
            {"user": {"id": "u2"}, "accessToken": "access-70", "refreshToken": "refresh-70", \
            "tokenType": "Bearer", "expiresIn": 900}
            """
        )
    }

    /// Returns a signed-in session, and the calls of its hooks after that sign-in.
    private func signedIn() async throws -> (Fixture, calls: AsyncStream<String>) {
        let (calls, inbox) = AsyncStream.makeStream(of: String.self)
        var options = SessionOptions.still
        options.didSignIn = { inbox.yield("in \($0?.id ?? "nobody")") }
        options.didSignOut = { inbox.yield("out \($0)") }
        let fixture = try await Fixture.signedIn(options: options)
        for await text in calls {
            #expect(text == "in u1")
            break
        }
        fixture.backend.on(Backend.login) { _ in Self.another }
        return (fixture, calls)
    }

    private func next(_ count: Int, of calls: AsyncStream<String>) async -> [String] {
        var texts: [String] = []
        for await text in calls {
            texts.append(text)
            if texts.count == count { break }
        }
        return texts
    }

    @Test func `a sign-in over another user calls didSignOut and then didSignIn`() async throws {
        let (fixture, calls) = try await signedIn()
        try await fixture.signIn()
        #expect(fixture.session.state == .signedIn(SessionUser(id: "u2"), .online))
        #expect(await next(2, of: calls) == ["out userSignedOut", "in u2"])
    }

    @Test func `another user's sign-in in another process calls didSignOut and then didSignIn`() async throws {
        let (fixture, calls) = try await signedIn()
        let other = try fixture.otherProcess()
        _ = try await other.signIn(email: "b@example.org", password: Password("p"), device: Fixture.device)
        #expect(await next(1, of: calls) == ["in u2"])
        fixture.clock.advance(by: .seconds(900))
        await #expect(throws: AuthSessionError(.notSignedIn)) { try await fixture.session.accessToken() }
        #expect(await next(2, of: calls) == ["out signedOutElsewhere", "in u2"])
    }

    @Test func `a sign-out that waits for a hook does not end another user's later sign-in`() async throws {
        let gate = Gate()
        var options = SessionOptions.still
        options.willSignOut = { await gate.pass() }
        let fixture = try await Fixture.signedIn(options: options)
        let signOut = Task { await fixture.session.signOut() }
        await gate.waitForArrival()
        fixture.backend.on(Backend.login) { _ in Self.another }
        try await fixture.signInElsewhere()
        await fixture.session.validate()
        #expect(fixture.session.state == .signedIn(SessionUser(id: "u2"), .online))
        gate.open()
        #expect(await signOut.value == SignOutResult(revocation: .notApplicable, storeError: nil))
        #expect(fixture.session.state == .signedIn(SessionUser(id: "u2"), .online))
        #expect(try await fixture.stored() != nil)
    }

    @Test func `a repeated sign-in of the same user calls only didSignIn`() async throws {
        let (fixture, calls) = try await signedIn()
        fixture.backend.on(Backend.login) { _ in Backend.pair(7, user: true) }
        try await fixture.signIn()
        #expect(await next(1, of: calls) == ["in u1"])
        await fixture.session.signOut()
        #expect(await next(1, of: calls) == ["out userSignedOut"])
    }
}
