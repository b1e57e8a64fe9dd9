// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import OpenIDConnect
import OpenIDSession
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Access tokens for other APIs, by the session's refresh token.
///
/// [RFC 8707, 2.2](https://www.rfc-editor.org/rfc/rfc8707#section-2.2).
@Suite(.timeLimit(.minutes(5)))
struct ResourceTokenTests {
    private static let bills = TokenTarget(resources: ["https://bills.example"])
    private static let mail = TokenTarget(resources: ["https://mail.example"], scope: "profile")

    private static func signedIn(
        asking parameters: AuthorizationParameters = .init(),
        graceWindow: Duration? = nil
    ) async throws -> ProviderFixture {
        var configuration = InProcessProvider.Configuration()
        configuration.accessTokenFormat = .jwt
        let fixture = try await ProviderFixture.signedIn(configuration, asking: parameters, graceWindow: graceWindow)
        var client = InProcessProvider.Client.public(id: "native")
        client.exchangeAudiences = ["https://bills.example", "https://mail.example"]
        client.exchangeAudiences.formUnion((0..<9).map { "https://api\($0).example" })
        fixture.provider.register(client)
        return fixture
    }

    private static func audience(of token: AccessToken) throws -> [String] {
        try UnverifiedJWT(token.unredacted).claims.audience
    }

    /// The `resource` of each refresh, in order; empty for the session's own token.
    private static func resources(of fixture: ProviderFixture) -> [String] {
        fixture.provider.requests(at: .token)
            .filter { $0.formValue("grant_type") == "refresh_token" }
            .map { $0.formValue("resource") ?? "" }
    }

    @Test func `the token is for the API, and the session keeps its own with the new refresh token`() async throws {
        let fixture = try await Self.signedIn()
        let before = try await fixture.storedRecord()
        let token = try await fixture.session.accessToken(for: Self.mail)
        #expect(try Self.audience(of: token) == ["https://mail.example"])
        let sent = try #require(fixture.provider.requests(at: .token).last)
        #expect(sent.formValue("resource") == "https://mail.example")
        #expect(sent.formValue("scope") == "profile")
        let after = try await fixture.storedRecord()
        #expect(after.tokens.accessToken == before.tokens.accessToken)
        #expect(after.tokens.lifetime == before.tokens.lifetime)
        #expect(after.tokens.scope == before.tokens.scope)
        #expect(after.tokens.refreshToken != before.tokens.refreshToken)
        let kept = try #require(after.resourceTokens[Self.mail.byRefresh])
        #expect(kept.accessToken == token)
        let now = fixture.session.clock.reading()
        #expect(try await fixture.session.tokens(for: Self.mail) == kept.tokens(of: after.tokens, at: now))
        #expect(after.refreshBegunAt == nil && after.refreshTarget == nil)
        #expect(try await fixture.session.accessToken() == before.tokens.accessToken)
        try await fixture.session.refresh()
        #expect(fixture.provider.sessionsEndedByReuse == 0)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a kept token is returned without a request, in another process too, until it is due`() async throws {
        let fixture = try await Self.signedIn()
        let token = try await fixture.session.accessToken(for: Self.bills)
        #expect(try await fixture.session.accessToken(for: Self.bills) == token)
        let other = fixture.otherProcess()
        #expect(try await other.accessToken(for: Self.bills) == token)
        #expect(fixture.provider.refreshCount == 1)
        fixture.clock.advance(by: .seconds(300))
        let next = try await other.accessToken(for: Self.bills)
        #expect(next != token)
        #expect(try await fixture.session.accessToken(for: Self.bills) == next)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `twenty tasks for two APIs and the session make three refreshes, one after the other`() async throws {
        let fixture = try await Self.signedIn()
        fixture.clock.advance(by: .seconds(300))
        let session = fixture.session
        let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for index in 0..<21 {
                group.addTask {
                    switch index % 3 {
                    case 0: try await session.accessToken(for: Self.bills)
                    case 1: try await session.accessToken(for: Self.mail)
                    default: try await session.accessToken()
                    }
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1.unredacted) }
        }
        #expect(tokens.count == 3)
        #expect(fixture.provider.refreshCount == 3)
        #expect(Set(Self.resources(of: fixture)) == ["", "https://bills.example", "https://mail.example"])
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `a sign-out ends the tokens for other APIs with the refresh token`() async throws {
        let fixture = try await Self.signedIn()
        let server = try BaseURL(fixture.provider.url(of: .api))
        let source = fixture.session.credentials(for: Self.bills).allowing(server)
        let api = APIClient(
            baseURL: server,
            authenticatedBy: KeptCredential(kept: try await source.credential()),
            transport: fixture.provider
        )
        #expect(try await api.send(.raw(.get, "/bills")).head.status == .ok)
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(try await api.send(.raw(.get, "/bills")).head.status == .unauthorized)
    }

    @Test(arguments: ["invalid_target", "invalid_grant"])
    func `a refusal ends no session, and is remembered for that API alone`(code: String) async throws {
        let fixture = try await Self.signedIn()
        fixture.provider.inject(.error(code, at: .token))
        let error = try await sessionError { _ = try await fixture.session.accessToken(for: Self.bills) }
        #expect(error.code == .refreshRefused)
        #expect(error.serverCode?.rawValue == code)
        #expect(!error.endsSession)
        #expect(fixture.session.state == fixture.signedInState)
        let record = try await fixture.storedRecord()
        #expect(record.refreshBegunAt == nil && record.refreshTarget == nil && record.refreshRefusal == nil)
        let count = fixture.receivedRefreshTokens.count
        _ = try await sessionError { _ = try await fixture.session.accessToken(for: Self.bills) }
        #expect(fixture.receivedRefreshTokens.count == count)
        _ = try await fixture.session.accessToken(for: Self.mail)
        #expect(fixture.receivedRefreshTokens.count == count + 1)
    }

    @Test func `a lost response is requested again with the same resource`() async throws {
        let fixture = try await Self.signedIn(graceWindow: .seconds(10))
        fixture.provider.inject(.dropResponse(at: .token))
        let token = try await fixture.session.accessToken(for: Self.bills)
        #expect(try Self.audience(of: token) == ["https://bills.example"])
        #expect(Self.resources(of: fixture) == ["https://bills.example", "https://bills.example"])
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test(arguments: [0, 1_500])
    func `a response that may be for an API is not taken for the session's own`(milliseconds: Int) async throws {
        let fixture = try await Self.signedIn(graceWindow: .seconds(2))
        fixture.provider.inject(.dropResponse(at: .token), times: 2)
        #expect(await code { _ = try await fixture.session.accessToken(for: Self.bills) } == .refreshOutcomeUnknown)
        fixture.provider.clearFaults()
        #expect(try await fixture.storedRecord().refreshTarget == Self.bills)
        // Within the assumed window, and after it: the provider's is longer.
        fixture.clock.advance(by: .milliseconds(milliseconds))
        let other = fixture.otherProcess()
        await other.restore(validating: false)
        try await fixture.afterHoldOff(of: other) { try await other.refresh() }
        #expect(Self.resources(of: fixture).suffix(2) == ["https://bills.example", ""])
        let record = try await fixture.storedRecord()
        #expect(try Self.audience(of: record.tokens.accessToken) == [fixture.provider.issuer])
        #expect(record.resourceTokens.all.map(\.request.target) == [Self.bills])
        #expect(try Self.audience(of: record.resourceTokens.all[0].accessToken) == ["https://bills.example"])
        #expect(record.refreshTarget == nil && record.refreshBegunAt == nil)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
        #expect(other.state == fixture.signedInState)
    }

    @Test func `a process that dies between the two requests leaves a journal that says so`() async throws {
        let fixture = try await Self.signedIn(graceWindow: .seconds(2))
        fixture.provider.inject(.dropResponse(at: .token), times: 4)
        #expect(await code { _ = try await fixture.session.accessToken(for: Self.bills) } == .refreshOutcomeUnknown)
        #expect(await code { try await fixture.otherProcess().refresh() } == .refreshOutcomeUnknown)
        #expect(try await fixture.storedRecord().refreshTarget == Self.bills)
        fixture.provider.clearFaults()
        let last = fixture.otherProcess()
        await last.restore(validating: false)
        try await fixture.afterHoldOff(of: last) { try await last.refresh() }
        let record = try await fixture.storedRecord()
        #expect(try Self.audience(of: record.tokens.accessToken) == [fixture.provider.issuer])
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `a failure for one API does not block the session's refresh, which repeats it first`() async throws {
        let fixture = try await Self.signedIn()
        fixture.provider.inject(.status(503, at: .token))
        #expect(await code { _ = try await fixture.session.accessToken(for: Self.bills) } == .unreachable)
        fixture.clock.advance(by: .seconds(10))
        try await fixture.session.refresh()
        #expect(Self.resources(of: fixture) == ["https://bills.example", "https://bills.example", ""])
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `an abandoned request for one API is repeated, and does not block another`() async throws {
        let fixture = try await Self.signedIn(graceWindow: .seconds(2))
        try await fixture.openJournal(for: Self.bills)
        let other = fixture.otherProcess()
        await other.restore(validating: false)
        try await fixture.afterHoldOff(of: other) {
            let token = try await other.accessToken(for: Self.mail)
            #expect(try Self.audience(of: token) == Self.mail.resources)
        }
        #expect(Self.resources(of: fixture) == ["https://bills.example", "https://mail.example"])
    }

    @Test(arguments: [500, 3_000])
    func `a session that the server has ended ends, although its last refresh was for another API`(
        milliseconds: Int
    ) async throws {
        let fixture = try await Self.signedIn(graceWindow: .seconds(2))
        try await fixture.openJournal(for: Self.bills)
        let other = fixture.otherProcess()
        await other.restore(validating: false)
        fixture.clock.advance(by: .milliseconds(milliseconds))
        fixture.provider.inject(.error("invalid_grant", at: .token), times: .max)
        #expect(await code { try await other.refresh() } == .sessionEnded)
        #expect(Self.resources(of: fixture) == ["https://bills.example", ""])
        #expect(other.state == .signedOut(.refreshResponseLost))
    }

    @Test func `an API that is refused in a repeated request does not end the session`() async throws {
        let fixture = try await Self.signedIn(graceWindow: .seconds(2))
        try await fixture.openJournal(for: Self.bills)
        let other = fixture.otherProcess()
        await other.restore(validating: false)
        fixture.provider.inject(.error("invalid_grant", at: .token))
        try await other.refresh()
        #expect(Self.resources(of: fixture) == ["https://bills.example", ""])
        #expect(try Self.audience(of: try await other.accessToken()) == [fixture.provider.issuer])
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `a repeated request for an API stays open if the server fails and says that the session has ended`()
        async throws
    {
        let fixture = try await Self.signedIn(graceWindow: .seconds(2))
        try await fixture.openJournal(for: Self.bills)
        let other = fixture.otherProcess()
        await other.restore(validating: false)
        fixture.provider.inject(.error("invalid_grant", status: 500, at: .token))
        #expect(await code { try await other.refresh() } == .unreachable)
        let record = try await fixture.storedRecord()
        #expect(record.refreshBegunAt != nil && record.refreshTarget != nil)
        #expect(Self.resources(of: fixture) == ["https://bills.example"])
    }

    @Test func `an API that rejects every token does not use up the session's own refreshes`() async throws {
        let fixture = try await Self.signedIn()
        let source = fixture.session.credentials(for: Self.bills)
        var last = try await source.credential().accessToken
        var failure: AuthSessionError.Code?
        for _ in 0..<70 where failure == nil {
            failure = await code { last = try await source.credential(insteadOf: last).accessToken }
        }
        #expect(failure == .tooManyRefreshes)
        try await fixture.session.refresh()
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `tokens of the two grants are kept and refused apart`() async throws {
        let fixture = try await Self.signedIn()
        let target = TokenTarget(audiences: ["https://bills.example"])
        fixture.provider.inject(.error("invalid_target", at: .token))
        #expect(await code { _ = try await fixture.session.accessToken(for: target) } == .refreshRefused)
        let exchanged = try await fixture.session.accessToken(for: target, by: .tokenExchange)
        fixture.clock.advance(by: .seconds(40))
        let refreshed = try await fixture.session.accessToken(for: target)
        #expect(refreshed != exchanged)
        #expect(try await fixture.storedRecord().resourceTokens.all.count == 2)
    }

    @Test func `an empty target is refused without a request`() async throws {
        let fixture = try await Self.signedIn()
        let count = fixture.provider.requests(at: .token).count
        #expect(await code { _ = try await fixture.session.accessToken(for: TokenTarget()) } == .contractMismatch)
        #expect(fixture.provider.requests(at: .token).count == count)
    }

    @Test func `a token that may be used up is not presented again for another API`() async throws {
        let fixture = try await Self.signedIn()
        fixture.provider.inject(.dropResponse(at: .token))
        #expect(await code { _ = try await fixture.session.accessToken(for: Self.bills) } == .refreshOutcomeUnknown)
        fixture.clock.advance(by: .seconds(60))
        #expect(await code { _ = try await fixture.session.accessToken(for: Self.mail) } == .refreshOutcomeUnknown)
        #expect(fixture.receivedRefreshTokens.count == 1)
        _ = try await fixture.session.accessToken()
        #expect(fixture.receivedRefreshTokens.count == 1)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `a token that is due is returned while the provider can't be reached, and not after its end`()
        async throws
    {
        let fixture = try await Self.signedIn()
        let token = try await fixture.session.accessToken(for: Self.bills)
        fixture.provider.inject(.unreachable(at: .token), times: .max)
        let lifetime = try #require(try await fixture.storedRecord().resourceTokens[Self.bills.byRefresh]?.lifetime)
        let expiresAt = try #require(lifetime.expiresAt)
        fixture.clock.advance(by: .seconds(expiresAt.timeIntervalSince(fixture.clock.date) - 20))
        #expect(try await fixture.session.accessToken(for: Self.bills) == token)
        fixture.clock.advance(by: .seconds(30))
        #expect(await code { _ = try await fixture.session.accessToken(for: Self.bills) } == .unreachable)
    }

    @Test func `a rejected token is replaced, once for all`() async throws {
        let fixture = try await Self.signedIn()
        let source = fixture.session.credentials(for: Self.bills)
        let first = try await source.credential().accessToken
        let next = try await source.credential(insteadOf: first).accessToken
        #expect(next != first)
        #expect(try await source.credential(insteadOf: first).accessToken == next)
        #expect(fixture.provider.refreshCount == 2)
    }

    @Test func `an API client calls another API with it, and repeats a request that a 401 refused`() async throws {
        let fixture = try await Self.signedIn(asking: .bound)
        let server = try BaseURL(fixture.provider.url(of: .api))
        let api = APIClient(
            baseURL: server,
            authenticatedBy: fixture.session.credentials(for: Self.bills).allowing(server),
            transport: fixture.provider
        )
        #expect(try await api.send(.raw(.get, "/bills")).head.status == .ok)
        fixture.provider.invalidateAccessTokens()
        #expect(try await api.send(.raw(.get, "/bills")).head.status == .ok)
        #expect(fixture.provider.refreshCount == 2)
        #expect(try await fixture.session.accessToken(for: Self.bills).isBound)
    }

    @Test func `a token of an earlier user is not replaced by the next user's`() async throws {
        let fixture = try await Self.signedIn()
        let token = try await fixture.session.accessToken(for: Self.bills)
        await fixture.session.signOut()
        #expect(await code { _ = try await fixture.session.accessToken(for: Self.bills) } == .notSignedIn)
        fixture.provider.user = InProcessProvider.User(subject: "another")
        try await fixture.signIn()
        let source = fixture.session.credentials(for: Self.bills)
        #expect(await code { _ = try await source.credential(insteadOf: token) } == .notSignedIn)
        #expect(try await fixture.storedRecord().resourceTokens.all.isEmpty)
    }

    @Test func `a session without a refresh token gets none, and stays`() async throws {
        let fixture = try await Self.signedIn(asking: ProviderFixture.online)
        #expect(await code { _ = try await fixture.session.accessToken(for: Self.bills) } == .noRefreshToken)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `the session keeps the newest eight tokens, and returns one that is too long to keep`() async throws {
        let fixture = try await Self.signedIn()
        for index in 0..<9 {
            _ = try await fixture.session.accessToken(for: TokenTarget(resources: ["https://api\(index).example"]))
        }
        let kept = try await fixture.storedRecord().resourceTokens.all
        #expect(kept.map { $0.request.target.resources[0] } == (1..<9).map { "https://api\($0).example" })
        let long = String(repeating: "a", count: 40_000)
        fixture.provider.inject(.responseMember("access_token", .string(long)))
        #expect(try await fixture.session.accessToken(for: Self.bills).unredacted == long)
        #expect(try await fixture.storedRecord().resourceTokens[Self.bills.byRefresh] == nil)
        #expect(await fixture.session.persistenceError == nil)
        #expect(try await fixture.storedRecord().resourceTokens.all.count == 8)
        await fixture.session.signOut()
        try await fixture.signIn()
        let source = fixture.session.credentials(for: Self.bills)
        let rejected = try AccessToken(long)
        #expect(await code { _ = try await source.credential(insteadOf: rejected) } == .notSignedIn)
    }

    @Test func `a stored record keeps the tokens and their lifetimes`() async throws {
        let fixture = try await Self.signedIn()
        _ = try await fixture.session.accessToken(for: Self.mail)
        let record = try await fixture.storedRecord()
        let read = try SessionRecord(try record.encoded())
        #expect(read.resourceTokens == record.resourceTokens)
        #expect(read.resourceTokens[Self.mail.byRefresh] != nil)
    }
}

extension TokenTarget {
    fileprivate var byRefresh: ResourceRequest { ResourceRequest(target: self, grant: .refreshToken) }
}

extension ProviderFixture {
    /// Writes the journal of a process that died after it began a refresh for an API.
    fileprivate func openJournal(for target: TokenTarget) async throws {
        var record = try await storedRecord()
        (record.refreshBegunAt, record.refreshTarget) = (clock.date, target)
        try await store.setItem(try record.encoded(), forKey: SessionRecord.key)
    }

    /// Runs work of a session, and lets the window of two seconds pass in which the tokens of a repeated request are not
    /// exchanged.
    fileprivate func afterHoldOff(
        of session: AuthSession,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let task = Task { try await work() }
        while await session.current?.record.repeatedAt == nil { await Task.yield() }
        let requests = provider.requests(at: .token).count
        // No longer: a refresh without a response is sent again.
        for _ in 0..<20 where provider.requests(at: .token).count == requests {
            clock.advance(by: .milliseconds(500))
            for _ in 0..<400 { await Task.yield() }
        }
        try await task.value
    }
}

/// A credential whose holder keeps it beyond the sign-out.
private struct KeptCredential: AccessTokenSource {
    let kept: AccessCredential

    func credential() async throws -> AccessCredential { kept }
    func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential { kept }
}
