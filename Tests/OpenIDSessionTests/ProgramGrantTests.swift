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

/// The tokens of a program with the identity token of another program, or with assertions of its own.
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
            case .assertion: .jwtBearer(source)
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

        init(_ use: Use, usesDPoP: Bool = false) async throws {
            self.use = use
            file = try TemporaryFile([])
            program = try await ProgramGrantTests.program(use, .file(path: file.path), usesDPoP: usesDPoP)
            _ = try await renewed()
        }

        var credentials: ProgramCredentials { program.credentials }

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
        trusting publicKey: String = IdentityIssuer.publicKey,
        usesDPoP: Bool = false
    ) async throws -> Program {
        try await Program(as: use.client(source), by: use.grant(source), usesDPoP: usesDPoP) {
            $0.clients = [use.registration]
            $0.trustedIssuers = [IdentityIssuer.name: publicKey]
        }
    }

    @Test(arguments: Use.allCases) func `twenty tasks share one request`(use: Use) async throws {
        let file = try await FileProgram(use)
        let credentials = file.credentials
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await credentials.accessToken().unredacted } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(file.sent.count == 1)
    }

    @Test(arguments: Use.allCases)
    func `the next token is requested with the file's new content`(use: Use) async throws {
        let file = try await FileProgram(use)
        let first = try await file.renewed()
        let before = try await file.credentials.accessToken()
        file.program.clock.advance(by: .seconds(300))
        // The provider would refuse the first one, which has expired.
        let second = try await file.renewed()
        let after = try await file.credentials.accessToken()
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
    func `a file that can't be used fails before a request, and its next content is used`(
        use: Use,
        fault: FileFault
    ) async throws {
        let file = try await FileProgram(use)
        _ = try await file.credentials.accessToken()
        file.program.clock.advance(by: .seconds(300))
        try fault.apply(to: file.file)
        let failure = await #expect(throws: OpenIDError.self) { try await file.credentials.accessToken() }
        let error = try #require(failure)
        #expect(error == OpenIDError(.clientAssertion, fault.reason))
        #expect(!"\(error) \(String(reflecting: error))".contains("4f1d"))
        #expect(file.sent.count == 1)
        let token = try await file.renewed()
        try await file.credentials.renew()
        #expect(file.sent.last == token)
    }

    @Test(arguments: Use.allCases) func `a program without a token fails before a request`(use: Use) async throws {
        let program = try await Self.program(use, .file(path: "/nonexistent/token"))
        let error = await #expect(throws: OpenIDError.self) { try await program.credentials.accessToken() }
        #expect(error == OpenIDError(.clientAssertion, .identityTokenUnreadable))
        #expect(program.requests.isEmpty)
        #expect(try await program.item == nil)
    }

    @Test(arguments: Use.allCases) func `an identity token is not stored`(use: Use) async throws {
        let date = TestClock().date
        let token = try await IdentityIssuer.token(at: date)
        let program = try await Self.program(use, .provided(named: "job") { token })
        _ = try await program.credentials.accessToken()
        let item = try #require(try await program.item)
        #expect(!String(decoding: item.unredacted, as: UTF8.self).contains(token))
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
        await #expect(throws: OpenIDError(.token, .refused)) { try await program.credentials.accessToken() }
    }

    @Test(arguments: Use.allCases) func `a refused identity token may be replaced`(use: Use) async throws {
        let file = try await FileProgram(use)
        _ = try await file.credentials.accessToken()
        file.program.clock.advance(by: .seconds(300))
        file.program.provider.inject(.error("invalid_grant", at: .token))
        await #expect(throws: OpenIDError(.token, .refused)) { try await file.credentials.accessToken() }
        _ = try await file.renewed()
        try await file.credentials.renew()
        #expect(file.sent.count == 3)
    }

    @Test func `a token of another identity or grant is not used`() async throws {
        let file = try await FileProgram(.subjectToken)
        let token = try await file.credentials.accessToken()
        let same = file.program.otherProcess(by: .tokenExchange(.file(path: file.file.path)))
        #expect(try await same.accessToken() == token)
        #expect(file.sent.count == 1)
        let others: [ProgramGrant] = [
            .clientCredentials, .tokenExchange(.file(path: "/other")), .tokenExchange(.provided(named: "job") { "" }),
            .jwtBearer(.file(path: file.file.path)),
        ]
        for grant in others {
            let other = file.program.otherProcess(by: grant)
            #expect(await other.knownTokens == nil)
        }
    }

    @Test func `a token from an exchange is bound to a key`() async throws {
        let file = try await FileProgram(.subjectToken, usesDPoP: true)
        #expect(try await file.credentials.accessToken().isBound)
        file.program.clock.advance(by: .seconds(300))
        _ = try await file.renewed()
        #expect(try await file.credentials.accessToken().isBound)
        #expect(file.sent.count == 2)
    }

    // MARK: Assertions that are signed here

    private static func robot(
        for subject: String = "robot",
        signedBy other: ClientAssertionKey? = nil
    ) throws -> ProgramGrant {
        var key = try ClientAssertionKey(pem: IdentityIssuer.privateKey, keyID: "k-1")
        key.audience = .tokenEndpoint
        return .jwtBearer(
            issuer: IdentityIssuer.name,
            subject: subject,
            lifetime: .seconds(60),
            additionalClaims: ["scope": .string("email")],
            signedBy: other ?? key
        )
    }

    private static func robotProgram() async throws -> Program {
        try await Program(as: .anonymous, by: robot()) {
            $0.clients = [.public(id: "")]
            $0.trustedIssuers = [IdentityIssuer.name: IdentityIssuer.publicKey]
        }
    }

    @Test func `a service account signs a new assertion for each token`() async throws {
        let program = try await Self.robotProgram()
        _ = try await program.credentials.accessToken()
        program.clock.advance(by: .seconds(300))
        _ = try await program.credentials.accessToken()
        let sent = program.requests.compactMap { $0.formValue("assertion") }
        #expect(Set(sent).count == 2)
        for (text, request) in zip(sent, program.requests) {
            let claims = try UnverifiedJWT(text).claims
            #expect(claims.audience == [program.provider.url(of: .token)])
            #expect(claims.subject == "robot")
            #expect(request.formValue("client_id") == nil)
        }
    }

    @Test func `a token of other claims is not used, whatever the key is`() async throws {
        let program = try await Self.robotProgram()
        let token = try await program.credentials.accessToken()
        let signer = ClientAssertionKey(algorithm: .es256) { _ in [] }
        let renewed = program.otherProcess(by: try Self.robot(signedBy: signer))
        #expect(try await renewed.accessToken() == token)
        let other = program.otherProcess(by: try Self.robot(for: "u1"))
        #expect(await other.knownTokens == nil)
        #expect(program.requests.count == 1)
    }
}
