// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import OpenIDConnect
import Testing

@testable import AuthSession
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored forms of a program's authority and of its client's authentication.
@Suite struct ProgramFormatTests {
    private static let provider = """
        {"authentication":"client_secret_basic","clientID":"app","clientSecret":"s3cret","document":{\
        "authorization_endpoint":"https://op.example/authorize","issuer":"https://op.example",\
        "jwks_uri":"https://op.example/keys","token_endpoint":"https://op.example/token"},\
        "issuer":"https://op.example","allowsInsecureHTTP":false,"isNamedByResource":false,"issuesIDTokens":true,\
        "profile":"standard","scope":"openid","redirect":{"usesLocalhost":false,"path":"/callback","port":0},\
        "policy":"standard","certificateBoundTokens":false}
        """

    /// Returns the record of a program, with more members beside the provider's.
    private static func record(_ provider: String = provider, _ more: String = "") -> AuthorityRecord {
        let text = #"{"provider":\#(provider),"target":{"audiences":[],"resources":[]}\#(more)}"#
        let id = AuthorityID(kind: "program", server: "https://op.example", client: "app")
        return AuthorityRecord(id: id, details: Data(text.utf8))
    }

    private static func openID(_ client: OpenIDClient) throws -> OpenIDProvider {
        OpenIDProvider(metadata: try ProgramFormat.program(record()).provider.metadata, client: client)
    }

    private static let targets = [
        TokenTarget(), TokenTarget(audiences: ["a"]), TokenTarget(audiences: ["a", "b"], scope: "email"),
        TokenTarget(resources: ["https://api.example/a", "https://api.example/b"]),
    ]

    @Test(arguments: targets) func `the target is stored, and sessions of another one are not used`(target: TokenTarget)
        throws
    {
        let provider = try Self.openID(.public(id: "app"))
        let record = ProgramAuthority(provider, target: target).record
        #expect(try ProgramFormat.authority(record).target == target)
        for other in Self.targets {
            let authority = ProgramAuthority(provider, target: other)
            #expect((authority.id == record.id) == (other == target))
        }
    }

    private static let grants: [ProgramGrant] = [
        .clientCredentials,
        .tokenExchange(.provided(named: "a") { "" }), .tokenExchange(.provided(named: "b") { "" }),
        .jwtBearer(.issued(.provided(named: "a") { "" })), .jwtBearer(.issued(.provided(named: "b") { "" })),
        // One character, two names.
        .tokenExchange(.provided(named: "\u{E9}") { "" }), .tokenExchange(.provided(named: "e\u{301}") { "" }),
        .tokenExchange(.file(path: "a")),
    ]

    @Test(arguments: grants.indices)
    func `a program without a client ID is known by the name of its identity`(index: Int) throws {
        let provider = try Self.openID(.anonymous)
        let record = ProgramAuthority(provider, grant: Self.grants[index]).record
        for other in Self.grants.indices {
            let authority = ProgramAuthority(provider, grant: Self.grants[other])
            #expect((authority.id == record.id) == (other == index))
        }
    }

    private static let clients: [OpenIDClient] = [
        .anonymous, .public(id: "app"), .confidential(id: "app", identity: .file(path: "/var/token")),
    ]

    @Test(arguments: clients) func `a client's authentication is stored`(client: OpenIDClient) throws {
        let authority = ProgramAuthority(try Self.openID(client))
        #expect(try ProgramFormat.authority(authority.record).provider.client == client)
    }

    @Test func `an app's function is not stored, and the way to authenticate is`() throws {
        let client = OpenIDClient.confidential(id: "app", identity: .provided(named: "job") { "" })
        let stored = try ProgramFormat.authority(ProgramAuthority(try Self.openID(client)).record)
        guard case .identityToken(let source) = stored.provider.client.authentication else {
            Issue.record("The authentication method is lost.")
            return
        }
        #expect(source.path == nil)
        #expect(source.name == "job")
    }

    /// A record as it would be if the member were another one.
    private static let damaged = [
        (#""authentication":"private_key_jwt","clientID":"""#, #","clientIdentity":{"path":"/t"}"#),
        (#""authentication":"private_key_jwt","clientID":"app""#, #","clientIdentity":{"path":1}"#),
        (#""authentication":"private_key_jwt","clientID":"app""#, #","clientIdentity":{}"#),
        (#""authentication":"private_key_jwt","clientID":"app""#, ""),
        (
            #""authentication":"private_key_jwt","clientID":"app""#,
            #","clientIdentity":{"path":"/t"},"clientKey":{"algorithm":"ES256","audience":"issuer"}"#
        ),
        (#""authentication":"tls_client_auth","clientID":"""#, ""),
        (#""authentication":"tls_client_auth","clientID":"app","clientSecret":"s""#, ""),
        (#""authentication":"none","clientID":"""#, ""),
    ]

    @Test(arguments: damaged) func `an unclear authentication is damaged`(members: String, more: String) throws {
        let text = Self.provider.replacing(
            #""authentication":"client_secret_basic","clientID":"app","clientSecret":"s3cret""#,
            with: members
        )
        try #require(text != Self.provider)
        #expect(throws: SessionRecordError(.damaged)) { try ProgramFormat.authority(Self.record(text, more)) }
    }

    @Test(arguments: [
        "{}", #"{"kind":"password"}"#, #"{"kind":"jwtBearer"}"#, #"{"kind":"tokenExchange"}"#,
        #"{"kind":"tokenExchange","identity":{"path":1}}"#, #"{"kind":"tokenExchange","identity":{}}"#,
        #"{"kind":"tokenExchange","identity":{"name":1}}"#,
        #"{"kind":"tokenExchange","identity":{"path":"/t","name":"job"}}"#,
        #"{"kind":"jwtBearer","assertion":{"issuer":"a","lifetime":60,"additionalClaims":{}}}"#,
        #"""
        {"kind":"tokenExchange","assertion":{"issuer":"a","lifetime":60,"additionalClaims":{},\#
        "key":{"algorithm":"ES256","audience":"issuer"}}}
        """#,
        #"""
        {"kind":"jwtBearer","identity":{},"assertion":{"issuer":"a","lifetime":60,"additionalClaims":{},\#
        "key":{"algorithm":"ES256","audience":"issuer"}}}
        """#,
    ])
    func `an unclear grant is damaged`(grant: String) throws {
        let record = Self.record(Self.provider, #","grant":\#(grant)"#)
        #expect(throws: SessionRecordError(.damaged)) { try ProgramFormat.authority(record) }
    }

    @Test func `a stored lifetime out of range becomes one within it`() throws {
        let grant = #"""
            {"kind":"jwtBearer","assertion":{"issuer":"a","lifetime":1e300,"additionalClaims":{},\#
            "key":{"algorithm":"ES256","audience":"issuer"}}}
            """#
        let record = Self.record(Self.provider, #","grant":\#(grant)"#)
        guard case .jwtBearer(.signed(let claims, by: _)) = try ProgramFormat.authority(record).grant else {
            Issue.record("The grant is lost.")
            return
        }
        #expect(claims.lifetime == .seconds(3_600))
    }
}
