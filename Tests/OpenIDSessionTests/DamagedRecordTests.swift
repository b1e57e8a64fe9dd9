// SPDX-License-Identifier: Apache-2.0

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
        let changed = Self.changing(members, path.split(separator: ".").map(String.init)[...], value)
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
            ("version", nil), ("version", .string("2")), ("generation", nil), ("generation", .integer(-1)),
            ("generation", .string("0")), ("accessToken", nil), ("accessToken", .string("")),
            ("accessToken", .string("a b")), ("refreshToken", .string("")), ("refreshToken", .integer(1)),
            ("idToken", .string("\n")), ("scope", .array([])), ("issuedAt", .number(1e300)),
            ("expiresAt", .integer(-1)), ("refreshBegunAt", .string("now")), ("repeatedAt", .number(-0.5)),
            ("user", .string("u1")), ("user", .object([:])), ("proofKey", .string("***")), ("proofKey", .string("")),
            ("proofKey", .string("AAAA")), ("proofKey", .boolean(true)), ("backend", nil), ("backend", .object([:])),
            ("backend.baseURL", .integer(1)), ("backend.provider", .integer(1)), ("backend.provider", .object([:])),
            ("backend.provider", nil),
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
            ("clientSecret", .integer(1)), ("clientAuthentication", nil),
            ("clientAuthentication", .string("tls_client_auth")),
            ("insecureHTTP", .string("yes")), ("graceWindow", .string("long")),
            ("metadata", nil), ("metadata", .array([])), ("metadata", .object([:])),
            ("metadata.issuer", nil), ("metadata.issuer", .integer(1)), ("metadata.issuer", .string("id")),
            ("metadata.issuer", .string("http://provider.example")),
            ("metadata.token_endpoint", nil), ("metadata.token_endpoint", .integer(1)),
            ("metadata.token_endpoint", .string("http://provider.example/token")),
            ("metadata.token_endpoint", .string("file:///etc/passwd")), ("metadata.jwks_uri", nil),
            ("metadata.authorization_endpoint", .string("")),
            ("metadata.revocation_endpoint", .string("javascript:alert(1)")),
            ("metadata.id_token_signing_alg_values_supported", .string("ES256")),
            ("metadata.require_pushed_authorization_requests", .string("true")),
        ] as [(String, JSONValue?)]
    )
    func `a provider record with an invalid member is damaged`(path: String, value: JSONValue?) async throws {
        let item = try await record("backend.provider." + path, value)
        let authority = try await ProviderFixture().session.authority
        #expect(throws: SessionRecordError(.damaged)) { try SessionRecord(item, of: authority) }
    }

    @Test(arguments: [JSONValue.integer(-1), .number(1e300), .integer(3_601)])
    func `a grace window out of range is ignored`(value: JSONValue) async throws {
        let record = try SessionRecord(await record("backend.provider.graceWindow", value))
        #expect(try ProviderFormat.provider(record.authority).settings.refreshGraceWindow == nil)
    }

    @Test func `a record of a newer version throws unknownVersion`() async throws {
        let item = try await record("version", .integer(3))
        #expect(throws: SessionRecordError(.unknownVersion)) { try SessionRecord(item) }
    }

    @Test func `a damaged record does not sign the user in and stays in the store`() async throws {
        let fixture = try await ProviderFixture()
        let item = try await record("proofKey", .string("AAAA"))
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
        #expect(throws: Never.self) { try ProviderFormat.provider(record.authority) }
    }
}
