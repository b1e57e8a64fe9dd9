// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

/// An access token that a server has refused, as a program reports it that needs no other one now.
@Suite struct InvalidatedTokenTests {
    @Test func `an invalidated token is refreshed before the next use, in this process`() async throws {
        let fixture = try await Fixture.signedIn()
        try await fixture.session.invalidate(AccessToken("access-1"))
        #expect(fixture.refreshes == 0)
        #expect(fixture.session.freshCredential == nil)
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test func `an invalidated token is refreshed before the next use, in a later process`() async throws {
        let fixture = try await Fixture.signedIn()
        try await fixture.otherProcess().invalidate(AccessToken("access-1"))
        let third = try fixture.otherProcess()
        #expect(try await third.accessToken().unredacted == "access-2")
        #expect(fixture.refreshes == 1)
        #expect(try await fixture.otherProcess().accessToken().unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test func `an invalidation sends no request and leaves the user signed in`() async throws {
        let fixture = try await Fixture.signedIn()
        let requests = fixture.transport.requests.count
        try await fixture.session.invalidate(AccessToken("access-1"))
        #expect(fixture.transport.requests.count == requests)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().tokens.refreshToken?.unredacted == "refresh-1")
    }

    @Test func `an invalidated token is not returned if it can't be refreshed, and the session stays`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        try await fixture.session.invalidate(AccessToken("access-1"))
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        #expect(try await fixture.stored() != nil)
        #expect(fixture.isOffline)
    }

    @Test func `an invalidation of another token changes nothing`() async throws {
        let fixture = try await Fixture.signedIn()
        let stored = try await fixture.stored()
        try await fixture.session.invalidate(AccessToken("access-0"))
        #expect(try await fixture.stored() == stored)
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
        #expect(fixture.refreshes == 0)
    }

    @Test func `an invalidation of a token that another process has replaced changes nothing`() async throws {
        let fixture = try await Fixture.signedIn()
        try await fixture.otherProcess().refresh()
        let stored = try await fixture.stored()
        try await fixture.session.invalidate(AccessToken("access-1"))
        #expect(try await fixture.stored() == stored)
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test func `an invalidation fails if no user is signed in`() async throws {
        let fixture = try Fixture()
        #expect(await code { try await fixture.session.invalidate(AccessToken("access-1")) } == .notSignedIn)
    }
}
