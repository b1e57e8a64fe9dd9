// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Testing

@testable import OpenIDConnect

/// The names of an issuer that a profile accepts beside the exact one, and the names that no other profile accepts.
@Suite struct IssuerRuleTests {
    private static let host = "https://login.microsoftonline.com"
    private static let template = "\(host)/{tenantid}/v2.0"
    private static let tenant = "1a111111-2222-4333-8444-555555555555"
    private static let other = "99999999-2222-4333-8444-555555555555"
    private static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

    private static func issuer(of tenant: String) -> String { "\(host)/\(tenant)/v2.0" }

    /// Returns an app at an address whose document names another issuer.
    private static func app(
        at address: String,
        naming said: String? = nil,
        profile: ProviderProfile? = nil,
        keyIssuer: String? = nil
    ) async throws -> RelyingParty {
        try await RelyingParty(
            issuer: address,
            profile: profile,
            fault: { server in
                if let said { server.inject(.responseMember("issuer", .string(said), at: .discovery), times: 2) }
            },
            through: { server in
                ChangedTransport(
                    base: server,
                    changeResponse: { request, answer in
                        guard let keyIssuer, request.path.hasSuffix("/jwks") else { return }
                        try answer.changeMembers { members in
                            let keys = members["keys"]?.array?.compactMap(\.object) ?? []
                            members["keys"] = .array(
                                keys.map { .object($0.merging(["issuer": .string(keyIssuer)]) { $1 }) }
                            )
                        }
                    }
                )
            }
        )
    }

    /// Makes the next ID token name an issuer and a tenant.
    private func name(_ issuer: String?, _ tenant: String?, by app: RelyingParty) {
        let issuer = issuer.map { InProcessProvider.Fault.claim("iss", .string($0)) }
        let tenant = tenant.map { InProcessProvider.Fault.claim("tid", .string($0)) }
        switch (issuer, tenant) {
        case (let issuer?, let tenant?): app.server.inject(issuer, tenant)
        case (let one?, nil), (nil, let one?): app.server.inject(one)
        case (nil, nil): break
        }
    }

    private func refusal(_ app: RelyingParty, _ issuer: String?, _ tenant: String?) async throws -> IDTokenError? {
        name(issuer, tenant, by: app)
        // The provider would name the address that was asked for.
        app.server.inject(.callbackParameter("iss", app.provider.metadata.issuer.identifier))
        do {
            _ = try await app.signIn(AuthorizationParameters(scope: "openid"))
            return nil
        } catch let error as OpenIDError {
            return try #require(error.underlying as? IDTokenError)
        }
    }

    // MARK: Tenants

    @Test(arguments: [("common", tenant), ("common", consumers), ("organizations", tenant), ("consumers", consumers)])
    func `a token of an accepted tenant is accepted at an address for several`(address: String, tenant: String)
        async throws
    {
        let app = try await Self.app(at: Self.issuer(of: address), naming: Self.template)
        #expect(app.provider.metadata.issuer.identifier == Self.issuer(of: address))
        #expect(try await refusal(app, Self.issuer(of: tenant), tenant) == nil)
    }

    @Test(
        arguments: [
            ("common", issuer(of: tenant), other), ("common", issuer(of: tenant), nil),
            ("common", issuer(of: tenant), "common"), ("common", issuer(of: tenant), tenant.uppercased()),
            ("common", template, "{tenantid}"), ("common", template, tenant),
            ("common", issuer(of: "common"), "common"),
            ("common", "https://login.evil.example/\(tenant)/v2.0", tenant), ("common", "\(host)/\(tenant)", tenant),
            ("common", "\(host)/\(tenant)/v2.0/", tenant), ("common", "\(host)/x/\(tenant)/v2.0", tenant),
            ("organizations", issuer(of: consumers), consumers), ("consumers", issuer(of: tenant), tenant),
        ] as [(String, String, String?)]
    )
    func `a token whose issuer and tenant don't match each other or the address is refused`(
        address: String,
        issuer: String,
        tenant: String?
    ) async throws {
        let app = try await Self.app(at: Self.issuer(of: address), naming: Self.template)
        #expect(try await refusal(app, issuer, tenant)?.code == .issuerMismatch)
    }

    @Test func `a tenant's domain and personal accounts are known by the ID in their document`() async throws {
        for (address, tenant) in [("example.com", Self.tenant), ("consumers", Self.consumers)] {
            let app = try await Self.app(at: Self.issuer(of: address), naming: Self.issuer(of: tenant))
            #expect(app.provider.metadata.issuer.identifier == Self.issuer(of: tenant))
            #expect(try await refusal(app, Self.issuer(of: tenant), nil) == nil)
            #expect(try await refusal(app, Self.issuer(of: Self.other), Self.other)?.code == .issuerMismatch)
        }
    }

    @Test(arguments: [
        ("common", issuer(of: tenant)), ("organizations", issuer(of: tenant)), ("consumers", issuer(of: tenant)),
        (tenant, issuer(of: other)), (tenant, template), ("example.com", template),
        ("common", "https://login.evil.example/{tenantid}/v2.0"), ("common", "\(host)/{tenantid}"),
    ])
    func `a document that names another tenant or origin is refused`(address: String, said: String) async throws {
        let error = await #expect(throws: OpenIDError.self) {
            try await Self.app(at: Self.issuer(of: address), naming: said)
        }
        #expect(error == OpenIDError(.discovery, .issuerMismatch))
    }

    @Test func `a refresh that names another tenant is refused`() async throws {
        let app = try await Self.app(at: Self.issuer(of: "common"), naming: Self.template)
        name(Self.issuer(of: Self.tenant), Self.tenant, by: app)
        let tokens = try await app.signIn()
        name(Self.issuer(of: Self.other), Self.other, by: app)
        let error = await #expect(throws: OpenIDError.self) { try await app.refresh(tokens) }
        #expect((error?.underlying as? IDTokenError)?.code == .issuerMismatch)
    }

    @Test(
        arguments: [
            (template, tenant, nil), (issuer(of: tenant), tenant, nil), (issuer(of: consumers), tenant, .unknownKey),
            (issuer(of: consumers), consumers, nil),
            ("https://login.evil.example/{tenantid}/v2.0", tenant, .unknownKey),
        ] as [(String, String, IDTokenError.Code?)]
    )
    func `a key that is limited to an issuer signs no token of another`(
        keyIssuer: String,
        tenant: String,
        expected: IDTokenError.Code?
    ) async throws {
        let app = try await Self.app(at: Self.issuer(of: "common"), naming: Self.template, keyIssuer: keyIssuer)
        #expect(try await refusal(app, Self.issuer(of: tenant), tenant)?.code == expected)
    }

    /// RFC 7517, 4: members that are not understood are ignored.
    @Test func `the member issuer of a key means nothing at another provider`() async throws {
        let app = try await Self.app(at: "https://provider.example", keyIssuer: "https://elsewhere.example")
        #expect(try await refusal(app, nil, nil) == nil)
    }

    // MARK: No other provider

    private static let others = [ProviderProfile.standard] + ProviderProfile.known

    @Test(arguments: others.filter { $0.issuerRule != .tenant })
    func `only Microsoft's profile accepts a placeholder or another tenant`(profile: ProviderProfile) async throws {
        let address = "https://provider.example/common/v2.0"
        let error = await #expect(throws: OpenIDError.self) {
            try await Self.app(at: address, naming: "https://provider.example/{tenantid}/v2.0", profile: profile)
        }
        #expect(error == OpenIDError(.discovery, .issuerMismatch))
        let app = try await Self.app(at: address, profile: profile)
        let said = "https://provider.example/\(Self.tenant)/v2.0"
        #expect(try await refusal(app, said, Self.tenant)?.code == .issuerMismatch)
    }

    @Test(arguments: [
        "https://provider.example", "https://provider.example/common", "https://provider.example/a/b/v2.0",
    ])
    func `Microsoft's profile compares an issuer of another form exactly`(address: String) async throws {
        let app = try await Self.app(at: address, profile: .microsoft)
        #expect(try await refusal(app, nil, Self.tenant) == nil)
        let said = "https://provider.example/\(Self.tenant)/v2.0"
        #expect(try await refusal(app, said, Self.tenant)?.code == .issuerMismatch)
    }

    @Test func `Google's tokens may name the issuer without its scheme`() async throws {
        let app = try await Self.app(at: "https://accounts.google.com")
        #expect(try await refusal(app, "accounts.google.com", nil) == nil)
        #expect(try await refusal(app, "http://accounts.google.com", nil)?.code == .issuerMismatch)
        #expect(try await refusal(app, "google.com", nil)?.code == .issuerMismatch)
    }

    @Test(arguments: others) func `no other issuer may be named without its scheme`(profile: ProviderProfile)
        async throws
    {
        let app = try await Self.app(at: "https://provider.example", profile: profile)
        #expect(try await refusal(app, "provider.example", nil)?.code == .issuerMismatch)
        guard profile.issuerRule != .optionalScheme else { return }
        let google = try await Self.app(at: "https://accounts.google.com", profile: profile)
        #expect(try await refusal(google, "accounts.google.com", nil)?.code == .issuerMismatch)
    }

    @Test func `an authorization response must name this issuer or a tenant that it accepts`() throws {
        let common = try Issuer(Self.issuer(of: "common"))
        #expect(common.isNamed(inResponse: Self.issuer(of: Self.tenant)))
        #expect(!common.isNamed(inResponse: "https://login.evil.example/\(Self.tenant)/v2.0"))
        #expect(!(try Issuer(Self.issuer(of: "organizations"))).isNamed(inResponse: Self.issuer(of: Self.consumers)))
        #expect(!(try Issuer(Self.issuer(of: Self.tenant))).isNamed(inResponse: Self.issuer(of: Self.other)))
        #expect(!(try Issuer("https://accounts.google.com")).isNamed(inResponse: "accounts.google.com"))
    }
}
