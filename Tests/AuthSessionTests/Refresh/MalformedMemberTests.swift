// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import Testing

@testable import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The response to a refresh that consumed its token holds the only copy of the new one.
@Suite struct MalformedMemberTests {
    /// Returns a response to a refresh, with some members replaced.
    private static func response(_ members: [String: String?]) -> TransportResponse {
        var all: [String: String?] = [
            "accessToken": #""access-2""#, "refreshToken": #""refresh-2""#, "tokenType": #""Bearer""#,
            "expiresIn": "900", "scope": #""openid email profile""#,
        ]
        all.merge(members) { $1 }
        return .json(
            "{\(all.compactMap { name, value in value.map { "\"\(name)\": \($0)" } }.joined(separator: ", "))}"
        )
    }

    @Test(
        arguments: [
            "expiresIn": ["\"3600\"", "\"an hour\"", "3600.5", "1e300", "-1", "true", "null", "[3600]", "{}"],
            "scope": ["5", #"["openid"]"#, "null"],
            "tokenType": ["5", "null", #"["Bearer"]"#],
            "user": ["5", #"{"id": 5}"#, "[]"],
        ] as [String: [String]]
    )
    func `both new tokens are kept if another member has the wrong type`(member: String, values: [String]) async throws
    {
        for value in values {
            let fixture = try await Fixture.expired()
            fixture.backend.on(Backend.pairRefresh) { _ in Self.response([member: value]) }
            #expect(try await fixture.session.accessToken().unredacted == "access-2", "\(member): \(value)")
            let tokens = try await fixture.storedRecord().tokens
            #expect(tokens.accessToken.unredacted == "access-2")
            #expect(tokens.refreshToken?.unredacted == "refresh-2")
            #expect(tokens.scope == "openid email profile")
            #expect(fixture.session.state == fixture.signedInState)
            #expect(fixture.refreshes == 1)
        }
    }

    @Test(arguments: [("\"3600\"", 3_600.0), ("3600.9", 3_600), ("1e3", 1_000), ("0", 0)])
    func `a lifetime is parsed from a number or a numeric string`(value: String, seconds: Double) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in Self.response(["expiresIn": value]) }
        try await fixture.session.refresh()
        let end = try #require(fixture.session.accessTokenLifetime?.expiresAt)
        #expect(end.timeIntervalSince(fixture.clock.date) == seconds)
    }

    @Test(
        arguments: [
            ["accessToken": "5"], ["accessToken": "null"], ["accessToken": nil], ["accessToken": #""""#],
            ["accessToken": #""a b""#], ["accessToken": "{}"], ["tokenType": #""mac""#],
        ] as [[String: String?]]
    )
    func `a new refresh token is kept without a usable access token, and the next attempt sends it`(
        members: [String: String?]
    ) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in Self.response(members) }
        #expect(await code { try await fixture.session.accessToken() } == .invalidResponse)
        #expect(fixture.session.state == fixture.signedInState)
        let tokens = try await fixture.storedRecord().tokens
        #expect(tokens.accessToken.unredacted == "access-1")
        #expect(tokens.refreshToken?.unredacted == "refresh-2")
        #expect(fixture.refreshes == 1)

        fixture.clock.advance(by: .seconds(1))
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(3) }
        #expect(try await fixture.session.accessToken().unredacted == "access-3")
        let lastRequest = try #require(fixture.transport.requests.last)
        #expect(try lastRequest.members == ["refreshToken": .string("refresh-2")])
    }

    @Test func `the current access token stays in use if only the refresh token was replaced`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.clock.advance(by: .seconds(870))
        fixture.backend.on(Backend.pairRefresh) { _ in Self.response(["accessToken": "5"]) }
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
        #expect(try await fixture.storedRecord().tokens.refreshToken?.unredacted == "refresh-2")
        fixture.clock.advance(by: .seconds(31))
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(3) }
        #expect(try await fixture.session.accessToken().unredacted == "access-3")
    }

    @Test func `another process refreshes with a refresh token that arrived without an access token`() async throws {
        let fixture = try await Fixture.expired()
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        fixture.backend.on(Backend.pairRefresh) { _ in Self.response(["accessToken": "5"]) }
        #expect(await code { try await fixture.session.accessToken() } == .invalidResponse)
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(3) }
        #expect(try await other.accessToken().unredacted == "access-3")
        #expect(try fixture.transport.requests.last?.members == ["refreshToken": .string("refresh-2")])
    }

    @Test(arguments: ["5", #""""#, #""a\nb""#])
    func `an access token is kept if its refresh token can't be read`(value: String) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in Self.response(["refreshToken": value]) }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        let tokens = try await fixture.storedRecord().tokens
        #expect(tokens.accessToken.unredacted == "access-2")
        #expect(tokens.refreshToken?.unredacted == "refresh-1")
    }

    @Test(arguments: ["{}", #"{"accessToken": 5, "refreshToken": 5}"#, "[]", "5"])
    func `a refresh is sent again if the response contains no token`(text: String) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] _ in
            backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
            return .json(text)
        }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(fixture.refreshes == 2)
    }

    @Test(
        arguments: [
            ["expiresIn": "\"900\""], ["expiresIn": "[]"], ["scope": "5"], ["user": "5"],
            ["user": #"{"id": "u1", "name": 5}"#],
        ] as [[String: String?]]
    )
    func `a sign-in succeeds if only descriptive members are malformed`(members: [String: String?]) async throws {
        let fixture = try Fixture()
        fixture.backend.on(Backend.login) { _ in Self.response(members) }
        let user = try await fixture.signIn()
        #expect(user?.id == (members["user"] == #"{"id": "u1", "name": 5}"# ? "u1" : nil))
        #expect(try await fixture.storedRecord().tokens.refreshToken?.unredacted == "refresh-2")
    }

    @Test func `the next validation names a user that a sign-in with Apple describes unreadably`() async throws {
        let fixture = try Fixture(.sessionToken)
        fixture.backend.on(Backend.apple) { _ in .json(#"{"token": "\#(Backend.jwt(1))", "user": {"id": 5}}"#) }
        #expect(try await fixture.signIn() == nil)
        #expect(await fixture.session.validate() == fixture.signedInState)
        #expect(try await fixture.storedRecord().user == fixture.user)
    }

    @Test func `validation ignores user members of the wrong type`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in .json(#"{"user": {"id": "u1", "name": 5, "email": null}}"#) }
        #expect(await fixture.session.validate() == .signedIn(SessionUser(id: "u1"), .online))
    }
}
