// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthTesting
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

/// A record of a provider's session with one wrong member.
@Suite(.timeLimit(.minutes(5)))
struct DamagedRecordTests {
    /// Returns the record of a confidential client's session, with one member changed.
    private func record(_ path: String, _ value: JSONValue?) async throws -> SecretBytes {
        let fixture = try await ProviderFixture.confidential(.basic)
        try await fixture.signIn(.bound)
        let item = try #require(await fixture.stored())
        let members = try JSONDecoder().decode(JSONValue.self, from: Data(item.unredacted))
        var path = path.split(separator: ".").map(String.init)[...]
        var value = value
        if path.starts(with: ["authority", "details"]), path.count > 2 {
            let details = try #require(try SessionRecord(item).authority.details)
            let known = try JSONDecoder().decode(JSONValue.self, from: details)
            let changed = try JSONEncoder().encode(Self.changing(known, path.dropFirst(2), value))
            (path, value) = (path.prefix(2), .string(changed.base64EncodedString()))
        }
        let changed = Self.changing(members, path, value)
        return SecretBytes(try JSONEncoder().encode(changed))
    }

    private static func changing(_ json: JSONValue, _ path: ArraySlice<String>, _ value: JSONValue?) -> JSONValue? {
        guard let name = path.first else { return value }
        var members = json.object ?? [:]
        members[name] = changing(members[name] ?? .null, path.dropFirst(), value)
        return .object(members)
    }

    @Test(
        arguments: [
            ("version", nil), ("version", .string("2")), ("tokenGeneration", nil), ("tokenGeneration", .integer(-1)),
            ("tokenGeneration", .string("0")), ("tokens.accessToken", nil), ("tokens.accessToken", .string("")),
            ("tokens.accessToken", .string("a b")), ("tokens.refreshToken", .string("")),
            ("tokens.refreshToken", .integer(1)), ("tokens.idToken", .string("\n")), ("tokens.scope", .array([])),
            ("tokens.issuedAt", .number(1e300)), ("tokens.expiresAt", .integer(-1)),
            ("refreshBegunAt", .string("now")), ("repeatedAt", .number(-0.5)), ("user", .string("u1")),
            ("tokens.issuedAtBoot", .object([:])), ("refreshBegunAtBoot", .integer(1)),
            ("user", .object([:])), ("tokens.dpopKey", .string("***")), ("tokens.dpopKey", .string("")),
            ("tokens.dpopKey", .string("AAAA")), ("tokens.dpopKey", .boolean(true)),
            ("signIn", nil), ("signIn", .integer(1)), ("authority", nil), ("authority", .object([:])),
            ("authority.id", .integer(1)), ("authority.id", .object([:])), ("authority.details", .integer(1)),
            ("authority.resources", nil), ("receivedIDToken", .object(["token": .string("a.b.c")])),
            (
                "receivedIDToken",
                .object(["token": .string("a.b.c"), "receivedAt": .number(1e300)])
            ),
        ] as [(String, JSONValue?)]
    )
    func `a session record with an invalid member is damaged`(path: String, value: JSONValue?) async throws {
        let item = try await record(path, value)
        let authority = try await ProviderFixture().session.authority
        #expect(throws: SessionRecordError(.damaged)) { try SessionRecord(item, of: authority) }
    }

    @Test(
        arguments: [
            ("clientID", nil), ("clientID", .string("")),
            ("clientSecret", nil), ("clientSecret", .string("")),
            ("clientSecret", .integer(1)), ("authentication", nil),
            ("authentication", .string("tls_client_auth")),
            ("allowsInsecureHTTP", .string("yes")),
            ("signatureAlgorithms", nil), ("signatureAlgorithms", .array([.string("none")])),
            ("refreshGraceWindow", .integer(-1)), ("refreshGraceWindow", .number(1e300)),
            ("document", nil), ("document", .array([])), ("document", .object([:])),
            ("document.issuer", nil), ("document.issuer", .integer(1)), ("document.issuer", .string("id")),
            ("document.issuer", .string("http://provider.example")),
            ("document.token_endpoint", nil), ("document.token_endpoint", .integer(1)),
            ("document.token_endpoint", .string("http://provider.example/token")),
            ("document.token_endpoint", .string("file:///etc/passwd")), ("document.jwks_uri", nil),
            ("document.authorization_endpoint", .string("")),
            ("document.revocation_endpoint", .string("javascript:alert(1)")),
            ("document.id_token_signing_alg_values_supported", .string("ES256")),
            ("document.require_pushed_authorization_requests", .string("true")),
        ] as [(String, JSONValue?)]
    )
    func `a provider record with an invalid member is damaged`(path: String, value: JSONValue?) async throws {
        let record = try SessionRecord(await record("authority.details." + path, value))
        #expect(throws: SessionRecordError(.damaged)) { try [AuthorityKind.openID].authority(of: record.authority) }
    }

    @Test func `a record of a newer version throws unknownVersion`() async throws {
        let item = try await record("version", .integer(3))
        #expect(throws: SessionRecordError(.unknownVersion)) { try SessionRecord(item) }
    }

    @Test func `a damaged record does not sign the user in and stays in the store`() async throws {
        let fixture = try await ProviderFixture()
        let item = try await record("tokens.dpopKey", .string("AAAA"))
        try await fixture.store.setItem(item, forKey: SessionRecord.key)
        await fixture.session.restore(validating: false)
        #expect(fixture.session.state == .signedOut(.unreadableRecord(.damaged)))
        #expect(try await fixture.stored() == item)
        await #expect(throws: SessionRecordError(.damaged)) {
            try await AuthSession.stored(in: fixture.store, of: [.firstParty, .openID], transport: fixture.provider)
        }
    }

    @Test func `a record with an unknown member can be read`() async throws {
        let record = try SessionRecord(await record("unknown", .integer(1)))
        #expect(throws: Never.self) { try StoredProvider.provider(of: record.authority) }
    }
}
