// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import TestSupport
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sessions of a program itself.
///
/// [RFC 6749, 4.4](https://www.rfc-editor.org/rfc/rfc6749#section-4.4).
@Suite(.timeLimit(.minutes(5)))
struct ClientCredentialsTests {
    private static func signedIn(
        without member: String? = nil,
        configure: (inout InProcessProvider.Configuration) -> Void = { _ in }
    ) async throws -> Program {
        let program = try await Program(without: member, configure: configure)
        try await program.session.signInAsClient()
        return program
    }

    /// Returns the different tokens that many callers get.
    private static func tokens(_ session: AuthSession, signingIn: Bool = false) async throws -> Set<String> {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    if signingIn { try await session.signInAsClient() }
                    return try await session.accessToken().unredacted
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
    }

    @Test func `a hundred callers share the first request`() async throws {
        let program = try await Program()
        #expect(try await Self.tokens(program.session, signingIn: true).count == 1)
        #expect(program.session.state == .signedIn(nil, .online))
        let request = try #require(program.requests.first)
        #expect(program.requests.count == 1)
        #expect(request.formValue("grant_type") == "client_credentials")
        #expect(request.formValue("scope") == "email")
        #expect(request.formValue("audience") == "https://api.example")
        #expect(program.session.scope == "email")
        #expect(await program.session.canRefresh)
    }

    @Test func `a hundred callers with an expired token share one more request`() async throws {
        let program = try await Self.signedIn()
        let first = try await program.session.accessToken().unredacted
        program.clock.advance(by: .seconds(300))
        let tokens = try await Self.tokens(program.session)
        #expect(tokens.count == 1)
        #expect(!tokens.contains(first))
        #expect(program.requests.count == 2)
    }

    @Test func `a session is kept in memory unless a store is given`() async throws {
        let program = try await Program()
        let session = AuthSession(program: program.session.backend, transport: program.provider)
        try await session.signInAsClient()
        _ = try await session.accessToken()
        #expect(await session.protection == .memory)
        let backend = program.session.backend
        let kept = AuthSession(program: backend, store: program.store, transport: program.provider)
        try await kept.signInAsClient()
        #expect(try await program.store.item(forKey: SessionRecord.key) != nil)
        #expect(program.requests.count == 2)
    }

    @Test func `two processes share a token, and the next one`() async throws {
        let program = try await Self.signedIn()
        let other = program.otherProcess()
        try await other.signInAsClient()
        let first = try await program.session.accessToken()
        #expect(try await other.accessToken() == first)
        #expect(program.requests.count == 1)
        program.clock.advance(by: .seconds(300))
        let second = try await program.session.accessToken()
        #expect(try await other.accessToken() == second)
        #expect(program.requests.count == 2)
    }

    @Test func `two processes that found no session share one request if they sign in at once`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let lock = SessionLock(for: MemoryStore().scope, in: folder.url.path)
        let program = try await Program(lock: .one(lock))
        let (session, other) = (program.session, program.otherProcess())
        for session in [session, other] {
            await session.restore()
            #expect(session.state == .signedOut(.noSession))
        }
        async let first: Void = session.signInAsClient()
        async let second: Void = other.signInAsClient()
        _ = try await (first, second)
        #expect(program.requests.count == 1)
        #expect(try await session.accessToken() == other.accessToken())
    }

    @Test func `a session that a sign-out could not remove is not taken over again`() async throws {
        let program = try await Self.signedIn()
        let token = try await program.session.accessToken()
        program.store.faults.failWrites(with: SecureStoreError(.full))
        #expect(await program.session.signOut().storeError != nil)
        program.store.faults.failWrites(with: nil)
        try await program.session.signInAsClient()
        #expect(program.requests.count == 2)
        #expect(try await program.session.accessToken() != token)
    }

    @Test func `a new process finds the session in the store without a request`() async throws {
        let program = try await Self.signedIn()
        let token = try await program.session.accessToken()
        let kinds: [AuthorityKind] = [.firstParty, .openID, .program]
        let stored = try await AuthSession.stored(in: program.store, of: kinds, transport: program.provider)
        let authority = try #require(stored?.backend.program)
        #expect(authority.target == Program.target)
        #expect(authority.provider.client == program.openID.client)
        #expect(await stored?.inMemoryTokens?.accessToken == token)
        let other = program.otherProcess()
        #expect(try await other.accessToken() == token)
        #expect(program.requests.count == 1)
    }

    @Test func `a token of another target is not used`() async throws {
        let program = try await Self.signedIn()
        let other = program.otherProcess(TokenTarget(scope: "profile"))
        #expect(await code { try await other.accessToken() } == .notSignedIn)
        #expect(other.state == .signedOut(.unreadableRecord(.otherBackend)))
        try await other.signInAsClient()
        #expect(other.scope == "profile")
        #expect(program.requests.count == 2)
    }

    // MARK: Tokens for other APIs

    private static let mail = TokenTarget(audiences: ["https://mail.example"], scope: "profile")

    @Test func `twenty tasks share one request for another API's token, which the session keeps`() async throws {
        let program = try await Self.signedIn { $0.accessTokenFormat = .jwt }
        let session = program.session
        let own = try await session.accessToken()
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await session.accessToken(for: Self.mail).unredacted } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        let token = try #require(tokens.first)
        #expect(tokens.count == 1)
        #expect(try UnverifiedJWT(token).claims.audience == ["https://mail.example"])
        #expect(program.requests.count == 2)
        let request = try #require(program.requests.last)
        #expect(request.formValue("grant_type") == "client_credentials")
        #expect(request.formValue("audience") == "https://mail.example")
        #expect(request.formValue("scope") == "profile")
        #expect(try await session.accessToken() == own)
        #expect(try await program.otherProcess().accessToken(for: Self.mail).unredacted == token)
        #expect(program.requests.count == 2)
        program.clock.advance(by: .seconds(300))
        #expect(try await session.accessToken(for: Self.mail).unredacted != token)
        #expect(program.requests.last?.formValue("audience") == "https://mail.example")
    }

    @Test func `another API's token is bound to the session's key, and a refused API leaves the session`() async throws
    {
        let program = try await Program()
        try await program.session.signInAsClient(usesDPoP: true)
        #expect(try await program.session.accessToken(for: Self.mail).isBound)
        program.provider.inject(.error("invalid_target", at: .token))
        let other = TokenTarget(audiences: ["https://bills.example"])
        let error = await #expect(throws: AuthSessionError.self) {
            _ = try await program.session.accessToken(for: other)
        }
        #expect(error?.code == .refreshRefused)
        #expect(error?.endsSession == false)
        #expect(program.session.state == .signedIn(nil, .online))
    }

    @Test func `a program's access token is exchanged for another API's`() async throws {
        let program = try await Self.signedIn {
            var client = InProcessProvider.Client.confidential(id: "program", secret: "s-1")
            client.exchangeAudiences = ["billing"]
            $0.clients = [client]
        }
        let own = try await program.session.accessToken()
        let target = TokenTarget(audiences: ["billing"])
        let token = try await program.session.accessToken(for: target, by: .tokenExchange)
        #expect(token != own)
        #expect(try await program.session.accessToken(for: target, by: .tokenExchange) == token)
        let request = try #require(program.requests.last)
        #expect(request.formValue("subject_token") == own.unredacted)
        #expect(request.formValue("audience") == "billing")
        #expect(program.requests.count == 2)
    }

    // MARK: Failures and the end

    @Test(arguments: ["invalid_client", "unauthorized_client", "invalid_scope", "invalid_grant"])
    func `a refused client leaves the session`(code refusal: String) async throws {
        let program = try await Self.signedIn()
        program.clock.advance(by: .seconds(300))
        program.provider.inject(.error(refusal, at: .token))
        let error = await #expect(throws: AuthSessionError.self) { try await program.session.accessToken() }
        #expect(error?.endsSession == false)
        #expect(error?.serverCode?.rawValue == refusal)
        #expect(program.session.state == .signedIn(nil, .online))
        try await program.session.refresh()
        #expect(program.requests.count == 3)
    }

    @Test func `a public client may not sign in`() async throws {
        let program = try await Program(as: .public(id: "native"))
        let error = await #expect(throws: AuthSessionError.self) {
            try await program.session.signInAsClient()
        }
        #expect(error?.code == .signInRefused)
        #expect(error?.serverCode?.rawValue == "unauthorized_client")
    }

    @Test func `a sign-in of a user is not possible, nor this one at another backend`() async throws {
        let program = try await Self.signedIn()
        #expect(await code { try await program.session.userInfo() } == .contractMismatch)
        let fixture = try await ProviderFixture()
        #expect(await code { try await fixture.session.signInAsClient() } == .contractMismatch)
    }

    @Test func `a sign-out revokes the access token`() async throws {
        let program = try await Self.signedIn()
        let token = try await program.session.accessToken()
        #expect(await program.session.signOut().revocation == .revoked)
        #expect(program.provider.requests(at: .revocation).map { $0.formValue("token") } == [token.unredacted])
        #expect(try await program.store.item(forKey: SessionRecord.key) == nil)
        #expect(await code { try await program.session.accessToken() } == .notSignedIn)
    }

    @Test func `a sign-out revokes the tokens for other APIs too`() async throws {
        let program = try await Self.signedIn()
        let tokens = [try await program.session.accessToken(), try await program.session.accessToken(for: Self.mail)]
        #expect(await program.session.signOut().revocation == .revoked)
        let revoked = program.provider.requests(at: .revocation).map { $0.formValue("token") }
        #expect(revoked == tokens.map(\.unredacted))
    }

    @Test func `a server without a revocation endpoint gets no revocation`() async throws {
        let program = try await Self.signedIn(without: "revocation_endpoint")
        #expect(await program.session.signOut().revocation == .notApplicable)
        #expect(program.provider.requests(at: .revocation).isEmpty)
    }

    @Test func `a lost response is requested again`() async throws {
        let program = try await Self.signedIn()
        program.clock.advance(by: .seconds(300))
        program.provider.inject(.dropResponse(at: .token))
        _ = try await program.session.accessToken()
        #expect(program.requests.count == 3)
    }

    @Test func `tokens stay bound to the key of the sign-in`() async throws {
        let program = try await Program()
        try await program.session.signInAsClient(usesDPoP: true)
        #expect(await program.session.isSenderConstrained)
        let key = await program.session.inMemoryTokens?.dpopKeyBytes
        program.clock.advance(by: .seconds(300))
        _ = try await program.session.accessToken()
        #expect(await program.session.inMemoryTokens?.dpopKeyBytes == key)
        #expect(program.requests.count == 2)
    }

    @Test func `a sign-in with a key replaces a session without, once`() async throws {
        let program = try await Self.signedIn()
        for _ in 0..<2 {
            try await program.session.signInAsClient(usesDPoP: true)
            #expect(await program.session.isSenderConstrained)
            #expect(program.requests.count == 2)
        }
        try await program.session.signInAsClient()
        #expect(program.requests.count == 2)
    }

    @Test func `tasks that sign in at once, some with a key, all get a session with one`() async throws {
        let program = try await Program()
        let session = program.session
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                // The first of them begins the sign-in.
                let usesDPoP = index > 0
                group.addTask {
                    try await session.signInAsClient(usesDPoP: usesDPoP)
                    if usesDPoP { #expect(await session.isSenderConstrained) }
                }
            }
            try await group.waitForAll()
        }
        #expect(program.requests.count <= 2)
    }

    @Test func `two processes that replace a session without a key share one request`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let lock = SessionLock(for: MemoryStore().scope, in: folder.url.path)
        let program = try await Program(lock: .one(lock))
        let (session, other) = (program.session, program.otherProcess())
        try await session.signInAsClient()
        try await other.signInAsClient()
        async let first: Void = session.signInAsClient(usesDPoP: true)
        async let second: Void = other.signInAsClient(usesDPoP: true)
        _ = try await (first, second)
        #expect(program.requests.count == 2)
        #expect(await session.isSenderConstrained)
        #expect(try await session.accessToken() == other.accessToken())
    }

    @Test func `a private key in PEM is stored with the session`() async throws {
        let key = try ClientAssertionKey(pem: IdentityIssuer.privateKey, keyID: "k-1")
        let program = try await Program(as: .confidential(id: "program", key: key)) {
            $0.clients = [.confidential(id: "program", publicKey: IdentityIssuer.publicKey)]
        }
        try await program.session.signInAsClient()
        try await program.session.refresh()
        let assertions = program.requests.compactMap { $0.formValue("client_assertion") }
        #expect(Set(assertions).count == 2)
        let stored = try await AuthSession.stored(in: program.store, of: [.program])
        let authority = try #require(stored?.backend.program)
        #expect(authority.provider.client == program.openID.client)
    }

    @Test func `a signer is not stored, and a refresh without it leaves the session`() async throws {
        let program = try await Self.signedIn()
        let tokens = try #require(await program.session.inMemoryTokens)
        var key = ClientAssertionKey(algorithm: .ps256, keyID: "hsm") { _ in [] }
        key.audience = .tokenEndpoint
        let client = OpenIDClient.confidential(id: "program", key: key)
        let openID = OpenIDProvider(metadata: program.openID.metadata, client: client)
        let record = ProgramAuthority(openID).record
        // The app that has the signer finds its session again, even if the metadata have changed.
        #expect(ProgramAuthority(program.openID).id == record.id)
        let stored = try ProgramFormat.authority(record)
        guard case .privateKeyJWT(let known) = stored.provider.client.authentication else {
            Issue.record("The authentication method is lost.")
            return
        }
        #expect(known.algorithm == .ps256)
        #expect(known.keyID == "hsm")
        #expect(known.audience == .tokenEndpoint)
        guard case .failed(let error) = await stored.refresh(tokens, of: nil, sendGuard: { true }) else {
            Issue.record("A refresh without a key has another outcome.")
            return
        }
        #expect(error.code == .refreshFailed)
        #expect((error.underlying as? OpenIDError)?.reason == .keyUnavailable)
    }
}
