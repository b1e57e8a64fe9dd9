// SPDX-License-Identifier: Apache-2.0

import APIClient
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

/// Sessions of a program with the identity token of another program, or with assertions of its own.
///
/// [RFC 7523, 2](https://www.rfc-editor.org/rfc/rfc7523#section-2),
/// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
@Suite(.timeLimit(.minutes(5)))
struct ProgramGrantTests {
    /// The uses of an identity token.
    enum Use: CaseIterable, Sendable {
        case clientAssertion
        case assertion
        case subjectToken

        /// The name of the token in the request.
        var field: String {
            switch self {
            case .clientAssertion: "client_assertion"
            case .assertion: "assertion"
            case .subjectToken: "subject_token"
            }
        }

        func client(_ source: IdentityTokenSource) -> OpenIDClient {
            switch self {
            case .clientAssertion: .confidential(id: "program", identity: source)
            case .assertion: .anonymous
            case .subjectToken: .public(id: "program")
            }
        }

        func grant(_ source: IdentityTokenSource) -> ProgramGrant {
            switch self {
            case .clientAssertion: .clientCredentials
            case .assertion: .jwtBearer(.issued(source))
            case .subjectToken: .tokenExchange(source)
            }
        }

        var registration: InProcessProvider.Client {
            switch self {
            case .clientAssertion:
                .confidential(id: "program", issuer: IdentityIssuer.name, subject: IdentityIssuer.subject)
            case .assertion: .public(id: "")
            case .subjectToken: .public(id: "program")
            }
        }
    }

    /// A program whose identity token is in a file.
    private struct FileProgram {
        let use: Use
        let file: TemporaryFile
        let program: Program

        init(_ use: Use) async throws {
            self.use = use
            file = try TemporaryFile([])
            program = try await ProgramGrantTests.program(use, .file(path: file.path))
            _ = try await renewed()
        }

        var session: AuthSession { program.session }

        /// Writes a new identity token, as the other program does, and returns it.
        func renewed() async throws -> String {
            let token = try await IdentityIssuer.token(at: program.clock.date)
            try file.write(Array("\(token)\n".utf8))
            return token
        }

        /// The identity tokens that the provider received, in order.
        var sent: [String?] { program.requests.map { $0.formValue(use.field) } }
    }

    private static func program(
        _ use: Use,
        _ source: IdentityTokenSource,
        trusting publicKey: String = IdentityIssuer.publicKey
    ) async throws -> Program {
        try await Program(as: use.client(source), by: use.grant(source)) {
            $0.clients = [use.registration]
            $0.trustedIssuers = [IdentityIssuer.name: publicKey]
        }
    }

    @Test(arguments: Use.allCases) func `twenty tasks share one request`(use: Use) async throws {
        let file = try await FileProgram(use)
        let session = file.session
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await session.signInAsClient()
                    return try await session.accessToken().unredacted
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(file.sent.count == 1)
        #expect(session.state == .signedIn(nil, .online))
    }

    @Test(arguments: Use.allCases)
    func `the next token is requested with the file's new content`(use: Use) async throws {
        let file = try await FileProgram(use)
        let first = try await file.renewed()
        try await file.session.signInAsClient()
        let before = try await file.session.accessToken()
        file.program.clock.advance(by: .seconds(300))
        // The provider would refuse the first one, which has expired.
        let second = try await file.renewed()
        let after = try await file.session.accessToken()
        #expect(after != before)
        #expect(file.sent == [first, second])
    }

    /// The faults of a file with an identity token.
    enum FileFault: CaseIterable, Sendable {
        case malformed
        case empty
        case tooLarge
        case missing

        var reason: OpenIDError.Reason {
            switch self {
            case .malformed, .empty: .identityTokenMalformed
            case .tooLarge, .missing: .identityTokenUnreadable
            }
        }

        func apply(to file: TemporaryFile) throws {
            switch self {
            case .malformed: try file.write(Array("secret-4f1d".utf8))
            case .empty: try file.write([])
            case .tooLarge: try file.write(Array(String(repeating: "secret-4f1d", count: 6_000).utf8))
            case .missing: try FileManager.default.removeItem(atPath: file.path)
            }
        }
    }

    @Test(arguments: Use.allCases, FileFault.allCases)
    func `a file that can't be used leaves the session`(use: Use, fault: FileFault) async throws {
        let file = try await FileProgram(use)
        try await file.session.signInAsClient()
        file.program.clock.advance(by: .seconds(300))
        try fault.apply(to: file.file)
        let failure = await #expect(throws: AuthSessionError.self) { try await file.session.accessToken() }
        let error = try #require(failure)
        #expect(error.code == .refreshFailed)
        let cause = try #require(error.underlying as? OpenIDError)
        #expect(cause == OpenIDError(.clientAssertion, fault.reason))
        #expect(error.description == cause.description)
        #expect(!"\(error) \(String(reflecting: error)) \(cause)".contains("4f1d"))
        #expect(file.session.state == .signedIn(nil, .online))
        #expect(file.sent.count == 1)
        let token = try await file.renewed()
        try await file.session.refresh()
        #expect(file.sent.last == token)
    }

    @Test(arguments: Use.allCases) func `a sign-in without a token fails before a request`(use: Use) async throws {
        let program = try await Self.program(use, .file(path: "/nonexistent/token"))
        let error = await #expect(throws: OpenIDError.self) { try await program.session.signInAsClient() }
        #expect(error == OpenIDError(.clientAssertion, .identityTokenUnreadable))
        #expect(program.requests.isEmpty)
        #expect(try await program.store.item(forKey: SessionRecord.key) == nil)
    }

    @Test(arguments: Use.allCases) func `a stored session is opened again with its file`(use: Use) async throws {
        let file = try await FileProgram(use)
        try await file.session.signInAsClient()
        let stored = try await AuthSession.stored(
            in: file.program.store,
            of: [.openID, .program],
            transport: file.program.provider
        )
        let authority = try #require(stored?.backend.program)
        #expect(authority.grant == use.grant(.file(path: file.file.path)))
        #expect(authority.provider.client == file.program.openID.client)
        #expect(authority.target == Program.target)
        file.program.clock.advance(by: .seconds(300))
        _ = try await file.renewed()
        let tokens = try #require(await file.session.inMemoryTokens)
        guard case .refreshed = await authority.refresh(tokens, of: nil, sendGuard: { true }) else {
            Issue.record("A refresh of the stored session has another outcome.")
            return
        }
    }

    @Test(arguments: Use.allCases) func `neither an identity token nor the app's function is stored`(use: Use)
        async throws
    {
        let date = TestClock().date
        let token = try await IdentityIssuer.token(at: date)
        let program = try await Self.program(use, .provided(named: "job") { token })
        try await program.session.signInAsClient()
        let item = try #require(try await program.store.item(forKey: SessionRecord.key))
        #expect(!String(decoding: item.unredacted, as: UTF8.self).contains(token))
        let stored = try await AuthSession.stored(in: program.store, of: [.program], transport: program.provider)
        let authority = try #require(stored?.backend.program)
        // The app that has the function finds its session again.
        #expect(program.session.backend.authority.id == authority.id)
        let tokens = try #require(await program.session.inMemoryTokens)
        guard case .failed(let error) = await authority.refresh(tokens, of: nil, sendGuard: { true }) else {
            Issue.record("A refresh without the function has another outcome.")
            return
        }
        #expect(error.code == .refreshFailed)
        #expect((error.underlying as? OpenIDError)?.reason == .keyUnavailable)
        #expect(program.requests.count == 1)
    }

    @Test(arguments: Use.allCases) func `a token that the provider doesn't trust is refused`(use: Use) async throws {
        let token = try await IdentityIssuer.token(at: TestClock().date)
        let other = """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEB5MijEAoFeAJMoWp8kaQlJ0x4Tzu
            p2rnMjugQwZ6VoxMY3CUY46g/4IBT0HhtsZi4y2AZsCwRtH9X8vX7Lxgyw==
            -----END PUBLIC KEY-----
            """
        let program = try await Self.program(use, .provided(named: "job") { token }, trusting: other)
        let error = await #expect(throws: AuthSessionError.self) { try await program.session.signInAsClient() }
        #expect(error?.code == .signInRefused)
    }

    @Test(arguments: Use.allCases) func `a refused identity token leaves the session`(use: Use) async throws {
        let file = try await FileProgram(use)
        try await file.session.signInAsClient()
        file.program.clock.advance(by: .seconds(300))
        file.program.provider.inject(.error("invalid_grant", at: .token))
        let error = await #expect(throws: AuthSessionError.self) { try await file.session.accessToken() }
        #expect(error?.endsSession == false)
        #expect(file.session.state == .signedIn(nil, .online))
        _ = try await file.renewed()
        try await file.session.refresh()
        #expect(file.sent.count == 3)
    }

    @Test func `a token of another identity or grant is not used`() async throws {
        let file = try await FileProgram(.subjectToken)
        try await file.session.signInAsClient()
        let same = file.program.otherProcess(by: .tokenExchange(.file(path: file.file.path)))
        _ = try await same.accessToken()
        let others: [ProgramGrant] = [
            .clientCredentials, .tokenExchange(.file(path: "/other")), .tokenExchange(.provided(named: "job") { "" }),
            .jwtBearer(.issued(.file(path: file.file.path))),
        ]
        for grant in others {
            let other = file.program.otherProcess(by: grant)
            #expect(await code { try await other.accessToken() } == .notSignedIn)
            #expect(other.state == .signedOut(.unreadableRecord(.otherBackend)))
        }
        #expect(file.sent.count == 1)
    }

    @Test func `a token from an exchange is bound to the key of the sign-in`() async throws {
        let file = try await FileProgram(.subjectToken)
        try await file.session.signInAsClient(usesDPoP: true)
        #expect(await file.session.isSenderConstrained)
        file.program.clock.advance(by: .seconds(300))
        _ = try await file.renewed()
        _ = try await file.session.accessToken()
        #expect(await file.session.inMemoryTokens?.accessToken.isBound == true)
        #expect(file.sent.count == 2)
    }

    // MARK: Assertions that are signed here

    private static let claims = AssertionClaims(
        issuer: IdentityIssuer.name,
        subject: "robot",
        lifetime: .seconds(60),
        additionalClaims: ["scope": .string("email")]
    )

    private static func robot(_ claims: AssertionClaims = ProgramGrantTests.claims) throws -> ProgramGrant {
        var key = try ClientAssertionKey(pem: IdentityIssuer.privateKey, keyID: "k-1")
        key.audience = .tokenEndpoint
        return .jwtBearer(.signed(claims, by: key))
    }

    private static func robotProgram() async throws -> Program {
        try await Program(as: .anonymous, by: robot()) {
            $0.clients = [.public(id: "")]
            $0.trustedIssuers = [IdentityIssuer.name: IdentityIssuer.publicKey]
        }
    }

    @Test func `a service account signs a new assertion for each token`() async throws {
        let program = try await Self.robotProgram()
        try await program.session.signInAsClient()
        program.clock.advance(by: .seconds(300))
        _ = try await program.session.accessToken()
        let sent = program.requests.compactMap { $0.formValue("assertion") }
        #expect(Set(sent).count == 2)
        for (text, request) in zip(sent, program.requests) {
            let claims = try UnverifiedJWT(text).claims
            #expect(claims.audience == [program.provider.url(of: .token)])
            #expect(claims.subject == "robot")
            #expect(request.formValue("client_id") == nil)
        }
    }

    @Test func `a service account's key is stored with the session`() async throws {
        let program = try await Self.robotProgram()
        try await program.session.signInAsClient()
        let stored = try await AuthSession.stored(in: program.store, of: [.program], transport: program.provider)
        let authority = try #require(stored?.backend.program)
        #expect(try authority.grant == Self.robot())
        #expect(authority.provider.client == .anonymous)
        let tokens = try #require(await program.session.inMemoryTokens)
        let clock = program.clock
        let connected = authority.connected(
            over: AuthorityConnection(
                transport: program.provider,
                clock: SessionClock(date: { clock.date }, monotonic: clock)
            )
        )
        guard case .refreshed = await connected.refresh(tokens, of: nil, sendGuard: { true }) else {
            Issue.record("A refresh of the stored session has another outcome.")
            return
        }
    }

    @Test func `a token of other claims is not used, whatever the key is`() async throws {
        let program = try await Self.robotProgram()
        try await program.session.signInAsClient()
        let signer = ClientAssertionKey(algorithm: .es256) { _ in [] }
        let renewed = program.otherProcess(by: .jwtBearer(.signed(Self.claims, by: signer)))
        _ = try await renewed.accessToken()
        let claims = AssertionClaims(issuer: IdentityIssuer.name, subject: "u1")
        let other = program.otherProcess(by: try Self.robot(claims))
        #expect(await code { try await other.accessToken() } == .notSignedIn)
        #expect(program.requests.count == 1)
    }
}
