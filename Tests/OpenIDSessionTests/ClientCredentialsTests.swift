import APIClient
import AuthCore
import AuthTesting
import Logging
import OpenIDConnect
import SecureStore
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
    private static let parameters = ClientCredentialsParameters(scope: "email", audience: "https://api.example")

    /// A session of a program, with its store, clock and provider.
    private struct Program {
        let clock = TestClock(Date(timeIntervalSince1970: 1_800_000_000))
        let store = GatedStore()
        let provider: InProcessProvider
        let openID: OpenIDProvider
        let session: AuthSession

        init(
            without member: String? = nil,
            as client: OpenIDClient? = nil,
            configure: (inout InProcessProvider.Configuration) -> Void = { _ in }
        ) async throws {
            var configuration = InProcessProvider.Configuration()
            configuration.clients = [.confidential(id: "program", secret: "s-1"), .public(id: "native")]
            configure(&configuration)
            let clock = self.clock
            provider = InProcessProvider(configuration: configuration, now: { clock.date })
            if let member { provider.inject(.removingResponseMember(member, at: .discovery), times: 2) }
            var settings = ProviderSettings()
            settings.transport = provider
            settings.now = { clock.date }
            settings.clock = clock
            openID = try await .discover(
                issuer: Issuer(provider.issuer),
                client: client ?? .confidential(id: "program", secret: ClientSecret("s-1")),
                settings: settings
            )
            session = Self.session(openID, ClientCredentialsTests.parameters, store, clock)
        }

        private static func session(
            _ openID: OpenIDProvider,
            _ parameters: ClientCredentialsParameters,
            _ store: any SecureStore,
            _ clock: TestClock
        ) -> AuthSession {
            AuthSession(
                backend: .clientCredentials(openID, parameters),
                store: store,
                transport: openID.settings.transport,
                timeout: .seconds(30),
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
                clock: SessionClock(date: { clock.date }, monotonic: clock),
                lock: .none,
                randomFraction: { 0 }
            )
        }

        /// Returns a session of another process of the same program.
        func otherProcess(_ parameters: ClientCredentialsParameters? = nil) -> AuthSession {
            Self.session(openID, parameters ?? ClientCredentialsTests.parameters, store, clock)
        }

        var requests: [InProcessProvider.Request] { provider.requests(at: .token) }
    }

    private static func signedIn(
        without member: String? = nil,
        configure: (inout InProcessProvider.Configuration) -> Void = { _ in }
    ) async throws -> Program {
        let program = try await Program(without: member, configure: configure)
        try await program.session.signInWithClientCredentials()
        return program
    }

    /// Returns the different tokens that many callers get.
    private static func tokens(_ session: AuthSession, signingIn: Bool = false) async throws -> Set<String> {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    if signingIn { try await session.signInWithClientCredentials() }
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

    @Test func `two processes share a token, and the next one`() async throws {
        let program = try await Self.signedIn()
        let other = program.otherProcess()
        try await other.signInWithClientCredentials()
        let first = try await program.session.accessToken()
        #expect(try await other.accessToken() == first)
        #expect(program.requests.count == 1)
        program.clock.advance(by: .seconds(300))
        let second = try await program.session.accessToken()
        #expect(try await other.accessToken() == second)
        #expect(program.requests.count == 2)
    }

    @Test func `a new process finds the session in the store without a request`() async throws {
        let program = try await Self.signedIn()
        let token = try await program.session.accessToken()
        let kinds: [AuthorityKind] = [.firstParty(), .openID, .clientCredentials]
        let stored = try await AuthSession.stored(in: program.store, of: kinds, transport: program.provider)
        let authority = try #require(stored?.backend.authority as? ClientCredentialsAuthority)
        #expect(authority.parameters == Self.parameters)
        #expect(authority.provider.client == program.openID.client)
        #expect(await stored?.inMemoryTokens?.accessToken == token)
        let other = program.otherProcess()
        #expect(try await other.accessToken() == token)
        #expect(program.requests.count == 1)
    }

    @Test func `a token of other parameters is not used`() async throws {
        let program = try await Self.signedIn()
        let other = program.otherProcess(ClientCredentialsParameters(scope: "profile"))
        #expect(await code { try await other.accessToken() } == .notSignedIn)
        #expect(other.state == .signedOut(.unreadableRecord(.otherBackend)))
        try await other.signInWithClientCredentials()
        #expect(other.scope == "profile")
        #expect(program.requests.count == 2)
    }

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
            try await program.session.signInWithClientCredentials()
        }
        #expect(error?.code == .signInRefused)
        #expect(error?.serverCode?.rawValue == "unauthorized_client")
    }

    @Test func `a sign-in of a user is not possible, nor this one at another backend`() async throws {
        let program = try await Self.signedIn()
        #expect(await code { try await program.session.userInfo() } == .contractMismatch)
        let fixture = try await ProviderFixture()
        #expect(await code { try await fixture.session.signInWithClientCredentials() } == .contractMismatch)
    }

    @Test func `a sign-out revokes the access token`() async throws {
        let program = try await Self.signedIn()
        let token = try await program.session.accessToken()
        #expect(await program.session.signOut().revocation == .revoked)
        #expect(program.provider.requests(at: .revocation).map { $0.formValue("token") } == [token.unredacted])
        #expect(try await program.store.item(forKey: SessionRecord.key) == nil)
        #expect(await code { try await program.session.accessToken() } == .notSignedIn)
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
        try await program.session.signInWithClientCredentials(usesDPoP: true)
        #expect(await program.session.isSenderConstrained)
        let key = await program.session.inMemoryTokens?.dpopKeyBytes
        program.clock.advance(by: .seconds(300))
        _ = try await program.session.accessToken()
        #expect(await program.session.inMemoryTokens?.dpopKeyBytes == key)
        #expect(program.requests.count == 2)
    }

    /// Made for this test alone.
    private static let privateKey = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIEYAo5peeq1Gd5Xa80CEZdwHkoqe+D+h9kTcZSV/rau6oAoGCCqGSM49
        AwEHoUQDQgAEqzVyrePKvGKPVnTIzJ+sRdoWXr/FD8QN/OX3jlVTVHUc6rMD6zxc
        ZUQBCNsnKVZY+3Cm6a6FhYszRSIZw9g6lA==
        -----END EC PRIVATE KEY-----
        """

    private static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqzVyrePKvGKPVnTIzJ+sRdoWXr/F
        D8QN/OX3jlVTVHUc6rMD6zxcZUQBCNsnKVZY+3Cm6a6FhYszRSIZw9g6lA==
        -----END PUBLIC KEY-----
        """

    @Test func `a private key in PEM is stored with the session`() async throws {
        let key = try ClientAssertionKey(pem: Self.privateKey, keyID: "k-1")
        let program = try await Program(as: .confidential(id: "program", key: key)) {
            $0.clients = [.confidential(id: "program", publicKey: Self.publicKey)]
        }
        try await program.session.signInWithClientCredentials()
        try await program.session.refresh()
        let assertions = program.requests.compactMap { $0.formValue("client_assertion") }
        #expect(Set(assertions).count == 2)
        let stored = try await AuthSession.stored(in: program.store, of: [.clientCredentials])
        let authority = try #require(stored?.backend.authority as? ClientCredentialsAuthority)
        #expect(authority.provider.client == program.openID.client)
    }

    @Test func `a signer is not stored, and a refresh without it leaves the session`() async throws {
        let program = try await Self.signedIn()
        let tokens = try #require(await program.session.inMemoryTokens)
        var key = ClientAssertionKey(algorithm: .ps256, keyID: "hsm") { _ in [] }
        key.audience = .tokenEndpoint
        let client = OpenIDClient.confidential(id: "program", key: key)
        let openID = OpenIDProvider(metadata: program.openID.metadata, client: client)
        let record = ClientCredentialsAuthority(openID).record
        // The app that has the signer finds its session again, even if the metadata have changed.
        try ClientCredentialsAuthority(program.openID).check(record)
        let stored = try ClientCredentialsFormat.authority(record)
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
        #expect((error.underlying as? ClientAssertionError)?.code == .keyUnavailable)
    }
}
