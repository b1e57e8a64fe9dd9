// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import OpenIDConnect
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The tokens of a program itself, by its client's credentials.
///
/// [RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4).
@Suite(.timeLimit(.minutes(5)))
struct ProgramCredentialsTests {
    /// Returns the different tokens that many callers get.
    private static func tokens(_ credentials: ProgramCredentials) async throws -> Set<String> {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await credentials.accessToken().unredacted } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
    }

    @Test func `a hundred callers share the first request`() async throws {
        let program = try await Program()
        #expect(try await Self.tokens(program.credentials).count == 1)
        let request = try #require(program.requests.first)
        #expect(program.requests.count == 1)
        #expect(request.formValue("grant_type") == "client_credentials")
        #expect(request.formValue("scope") == "email")
        #expect(request.formValue("audience") == "https://api.example")
        #expect(try await program.credentials.tokens().scope == "email")
    }

    @Test func `a hundred callers with an expired token share one more request`() async throws {
        let program = try await Program()
        let first = try await program.credentials.accessToken().unredacted
        program.clock.advance(by: .seconds(300))
        let tokens = try await Self.tokens(program.credentials)
        #expect(tokens.count == 1)
        #expect(!tokens.contains(first))
        #expect(program.requests.count == 2)
    }

    @Test func `a token is replaced before it ends, and sent while it is valid if that fails`() async throws {
        let program = try await Program()
        let first = try await program.credentials.accessToken()
        program.clock.advance(by: .seconds(299))
        program.provider.inject(.error("invalid_client", at: .token))
        #expect(program.credentials.freshCredential == nil)
        #expect(try await program.credentials.accessToken() == first)
        program.clock.advance(by: .seconds(1))
        #expect(try await program.credentials.accessToken() != first)
        #expect(program.requests.count == 3)
    }

    @Test func `a token that is too short-lived for the caller is replaced`() async throws {
        let program = try await Program()
        let first = try await program.credentials.accessToken(validFor: .seconds(200))
        program.clock.advance(by: .seconds(150))
        #expect(try await program.credentials.accessToken() == first)
        #expect(try await program.credentials.accessToken(validFor: .seconds(200)) != first)
        #expect(await code { try await program.credentials.accessToken(validFor: .seconds(301)) } == .lifetimeTooShort)
    }

    @Test(.enabled(if: BootTime.now != nil))
    func `a token keeps its lifetime in another process although the wall clock is set`() async throws {
        let program = try await Program()
        var settings = program.openID.settings
        // The system's clock, by which the time since the machine's start is known.
        settings.clock = ContinuousClock()
        let openID = program.openID.with(settings)
        let token = try await program.otherProcess(at: openID).accessToken()
        program.clock.stepDate(by: .seconds(3_600))
        let tokens = try await program.otherProcess(at: openID).tokens()
        #expect(tokens.accessToken == token)
        #expect(tokens.lifetime.expiresAt.map { $0 > program.clock.date } == true)
        #expect(program.requests.count == 1)
    }

    @Test func `a token that is over when it comes is used once, by one request a call`() async throws {
        let program = try await Program()
        let clock = program.clock
        program.provider.inject(
            .responseMember("expires_in", .integer(0)),
            .delayResponse(at: .token) { clock.advance(by: .seconds(1)) },
            times: .max
        )
        let first = try await program.credentials.accessToken()
        #expect(program.requests.count == 1)
        #expect(try await program.credentials.accessToken() != first)
        #expect(program.requests.count == 2)
    }
    // MARK: Other APIs

    private static let mail = TokenTarget(audiences: ["https://mail.example"], scope: "profile")

    @Test func `another API's token is requested by the same grant, and kept beside the own one`() async throws {
        let program = try await Program { $0.accessTokenFormat = .jwt }
        let own = try await program.credentials.accessToken()
        let mail = program.otherProcess(Self.mail)
        let tokens = try await Self.tokens(mail)
        let token = try #require(tokens.first)
        #expect(tokens.count == 1)
        #expect(try UnverifiedJWT(token).claims.audience == ["https://mail.example"])
        #expect(program.requests.count == 2)
        let request = try #require(program.requests.last)
        #expect(request.formValue("grant_type") == "client_credentials")
        #expect(request.formValue("audience") == "https://mail.example")
        #expect(request.formValue("scope") == "profile")
        #expect(try await program.otherProcess().accessToken() == own)
        #expect(try await program.otherProcess(Self.mail).accessToken().unredacted == token)
        #expect(program.requests.count == 2)
        program.clock.advance(by: .seconds(300))
        #expect(try await mail.accessToken().unredacted != token)
        #expect(program.requests.last?.formValue("audience") == "https://mail.example")
    }

    @Test func `another API's token is bound, too, and a refused API leaves the own token`() async throws {
        let program = try await Program(usesDPoP: true)
        let own = try await program.credentials.accessToken()
        #expect(try await program.otherProcess(Self.mail, usesDPoP: true).accessToken().isBound)
        program.provider.inject(.error("invalid_target", at: .token))
        let other = program.otherProcess(TokenTarget(audiences: ["https://bills.example"]), usesDPoP: true)
        let error = await #expect(throws: OpenIDError.self) { try await other.accessToken() }
        #expect(error == OpenIDError(.token, .refused))
        #expect(try await program.otherProcess(usesDPoP: true).accessToken() == own)
    }

    @Test func `a program's access token is exchanged for another API's`() async throws {
        let program = try await Program {
            var client = InProcessProvider.Client.confidential(id: "program", secret: "s-1")
            client.exchangeAudiences = ["billing"]
            $0.clients = [client]
        }
        let own = try await program.credentials.accessToken()
        let token = try await program.credentials.exchange(for: TokenTarget(audiences: ["billing"])).accessToken
        #expect(token != own)
        let request = try #require(program.requests.last)
        #expect(request.formValue("subject_token") == own.unredacted)
        #expect(request.formValue("audience") == "billing")
        #expect(program.requests.count == 2)
        #expect(try await program.credentials.accessToken() == own)
    }

    // MARK: Failures

    @Test(arguments: ["invalid_client", "unauthorized_client", "invalid_scope", "invalid_grant"])
    func `a refused client may be allowed again`(code refusal: String) async throws {
        let program = try await Program()
        _ = try await program.credentials.accessToken()
        program.clock.advance(by: .seconds(300))
        program.provider.inject(.error(refusal, at: .token))
        let error = await #expect(throws: OpenIDError.self) { try await program.credentials.accessToken() }
        #expect(error?.code == .refused)
        #expect(error?.oauthCode?.rawValue == refusal)
        try await program.credentials.renew()
        #expect(program.requests.count == 3)
    }

    @Test func `a failure is remembered, so that a loop sends one request, and longer each time`() async throws {
        let program = try await Program()
        program.provider.inject(.error("invalid_client", at: .token), times: 2)
        for pause in [1, 2] {
            for _ in 0..<50 {
                await #expect(throws: OpenIDError(.token, .refused)) { try await program.credentials.accessToken() }
            }
            #expect(program.requests.count == pause)
            program.clock.advance(by: .seconds(pause))
        }
        _ = try await program.credentials.accessToken()
        #expect(program.requests.count == 3)
    }

    @Test func `a hundred callers share one failure`() async throws {
        let program = try await Program()
        program.provider.inject(.error("invalid_client", at: .token))
        await #expect(throws: OpenIDError(.token, .refused)) { try await Self.tokens(program.credentials) }
        #expect(program.requests.count == 1)
    }

    @Test func `a rejected token is replaced once for all callers and processes`() async throws {
        let program = try await Program()
        let first = try await program.credentials.accessToken()
        let other = program.otherProcess()
        #expect(try await other.accessToken() == first)
        let credentials = program.credentials
        let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for _ in 0..<20 { group.addTask { try await credentials.credential(insteadOf: first).accessToken } }
            return try await group.reduce(into: [AccessToken]()) { $0.append($1) }
        }
        #expect(tokens.allSatisfy { $0 == tokens.first && $0 != first })
        #expect(try await other.credential(insteadOf: first).accessToken == tokens.first)
        #expect(program.requests.count == 2)
    }

    @Test func `a server whose tokens are all rejected is not asked endlessly`() async throws {
        let program = try await Program()
        var token = try await program.credentials.accessToken()
        for _ in 1..<60 { token = try await program.credentials.credential(insteadOf: token).accessToken }
        #expect(await code { try await program.credentials.credential(insteadOf: token) } == .tooManyRefreshes)
        #expect(program.requests.count == 60)
    }

    @Test func `an invalidated token is not used again, here or elsewhere`() async throws {
        let program = try await Program()
        let token = try await program.credentials.accessToken()
        try await program.otherProcess().invalidate(token)
        #expect(try await program.otherProcess().accessToken() != token)
        #expect(program.requests.count == 2)
    }

    @Test func `a cancelled caller returns at once, and the request goes on for the others`() async throws {
        let (called, call) = AsyncStream.makeStream(of: Void.self)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let token = try await IdentityIssuer.token(at: TestClock(Date(timeIntervalSince1970: 1_800_000_000)).date)
        let source = IdentityTokenSource.provided(named: "job") {
            call.yield()
            for await _ in released { break }
            return token
        }
        let program = try await Program(as: .anonymous, by: .jwtBearer(source)) {
            $0.clients = [.public(id: "")]
            $0.trustedIssuers = [IdentityIssuer.name: IdentityIssuer.publicKey]
        }
        let credentials = program.credentials
        let cancelled = Task { try await credentials.accessToken() }
        for await _ in called { break }
        let other = Task { try await credentials.accessToken() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        release.yield()
        _ = try await other.value
        #expect(program.requests.count == 1)
    }

    @Test func `a public client may not sign in`() async throws {
        let program = try await Program(as: .public(id: "native"))
        let error = await #expect(throws: OpenIDError.self) { try await program.credentials.accessToken() }
        #expect(error?.code == .refused)
        #expect(error?.oauthCode?.rawValue == "unauthorized_client")
    }

    @Test func `a lost response is requested again`() async throws {
        let program = try await Program()
        _ = try await program.credentials.accessToken()
        program.clock.advance(by: .seconds(300))
        program.provider.inject(.dropResponse(at: .token))
        _ = try await program.credentials.accessToken()
        #expect(program.requests.count == 3)
    }

    // MARK: Revocation

    @Test func `the tokens are forgotten and revoked, also those for other APIs`() async throws {
        let program = try await Program()
        let own = try await program.credentials.accessToken()
        let mail = try await program.otherProcess(Self.mail).accessToken()
        try await program.credentials.revoke()
        let revoked = program.provider.requests(at: .revocation).map { $0.formValue("token") }
        #expect(revoked == [own.unredacted, mail.unredacted])
        #expect(try await program.item == nil)
        #expect(await program.credentials.knownTokens == nil)
    }

    @Test func `another program's tokens stay`() async throws {
        let program = try await Program()
        _ = try await program.credentials.accessToken()
        let other = OpenIDClient.confidential(id: "program2", secret: try ClientSecret("s-2"))
        try await program.otherProcess(at: program.openID.with(other)).revoke()
        #expect(program.provider.requests(at: .revocation).isEmpty)
        #expect(try await program.item != nil)
    }

    @Test func `a server without a revocation endpoint gets no revocation`() async throws {
        let program = try await Program(without: "revocation_endpoint")
        _ = try await program.credentials.accessToken()
        await #expect(throws: OpenIDError(.revocation, .unsupported)) { try await program.credentials.revoke() }
        #expect(program.provider.requests(at: .revocation).isEmpty)
        #expect(try await program.item == nil)
    }

    // MARK: Keys

    @Test func `tokens stay bound to one key, in all processes`() async throws {
        let program = try await Program(usesDPoP: true)
        let first = try await program.credentials.tokens()
        #expect(first.accessToken.isBound)
        program.clock.advance(by: .seconds(300))
        let second = try await program.otherProcess(usesDPoP: true).tokens()
        #expect(second.accessToken != first.accessToken)
        #expect(second.dpopKeyBytes == first.dpopKeyBytes)
        #expect(program.requests.count == 2)
    }

    @Test func `credentials with a key do not use a token without`() async throws {
        let program = try await Program()
        let bearer = try await program.credentials.accessToken()
        for _ in 0..<2 {
            #expect(try await program.otherProcess(usesDPoP: true).accessToken().isBound)
            #expect(program.requests.count == 2)
        }
        #expect(try await program.otherProcess().accessToken() == bearer)
    }

    @Test func `a private key signs a new assertion for each request, and is not stored`() async throws {
        let key = try ClientAssertionKey(pem: IdentityIssuer.privateKey, keyID: "k-1")
        let program = try await Program(as: .confidential(id: "program", key: key)) {
            $0.clients = [.confidential(id: "program", publicKey: IdentityIssuer.publicKey)]
        }
        _ = try await program.credentials.accessToken()
        try await program.credentials.renew()
        let assertions = program.requests.compactMap { $0.formValue("client_assertion") }
        #expect(Set(assertions).count == 2)
        let item = try #require(try await program.item)
        #expect(!String(decoding: item.unredacted, as: UTF8.self).contains("BEGIN"))
    }

    @Test func `printed credentials show no token`() async throws {
        let program = try await Program()
        let token = try await program.credentials.accessToken().unredacted
        var dumped = ""
        dump(program.credentials, to: &dumped)
        #expect(!"\(program.credentials) \(dumped)".contains(token))
    }
}
