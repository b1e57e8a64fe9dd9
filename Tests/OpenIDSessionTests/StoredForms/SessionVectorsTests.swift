// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import OpenIDConnect
import SecureStore
import TestSupport
import Testing

@testable import AppBackendSession
@testable import AuthSession
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored forms, which every version must read and write in the same way once one is released.
///
/// Then never change a vector or a line of `SHA256SUMS`: add one.
@Suite struct SessionVectorsTests {
    @Test func `no vector has changed, and each is listed`() throws {
        let names = SessionVector.folder.names()
        let sums = try names.map { Hexadecimal.encode(SecretBytes(try SessionVector.folder.bytes($0)).sha256) }
        #expect(try SessionVector.folder.listedSums() == Dictionary(uniqueKeysWithValues: zip(names, sums)))
    }

    // MARK: Sessions

    @Test(arguments: try SessionVector.all("session"))
    func `a session is read, and written byte for byte or with the members of its vector`(
        vector: SessionVector
    ) throws {
        guard vector.expect == "success" else {
            let error = #expect(throws: SessionRecordError.self) { try SessionRecord(vector.item) }
            #expect(error?.code.description == vector.expect)
            return
        }
        let record = try SessionRecord(vector.item)
        #expect(record.tokens.accessToken.isBound == (record.tokens.dpopKeyBytes != nil))
        #expect(record.resourceTokens.all.allSatisfy { $0.accessToken.isBound == record.tokens.accessToken.isBound })
        guard vector.writes == .string("members") else {
            #expect(try SessionVector.members(of: record.encoded()) == vector.writes)
            return
        }
        #expect(try record.encoded() == vector.item)
    }

    @Test func `every member of a session is read`() throws {
        let vector: SessionVector = try SessionVector.folder.read("session/all-members.json")
        let record = try SessionRecord(vector.item)
        func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
        let bootID = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        func boot(_ seconds: Double) -> BootTime { BootTime(bootID: bootID, seconds: seconds) }
        #expect(record.tokenGeneration == 7)
        #expect(record.tokens.accessToken.unredacted == "not-a-real-access-token")
        #expect(record.tokens.refreshToken?.unredacted == "not-a-real-refresh-token")
        #expect(record.tokens.idToken?.unredacted == "not.areal.token")
        #expect(record.tokens.scope == "openid")
        #expect(record.tokens.lifetime.issuedAt == date(1_800_000_000))
        #expect(record.tokens.lifetime.issuedAtBoot == boot(100.25))
        #expect(record.tokens.lifetime.expiresAt == date(1_800_000_900))
        #expect(record.tokens.dpopKeyBytes == SecretBytes([UInt8](repeating: 1, count: 32)))
        #expect(record.tokens.resources == ["https://api.example.org"])
        let user = SessionUser(
            id: "u1",
            name: "Ada",
            email: "ada@example.org",
            phoneNumber: "+1",
            role: "driver",
            missing: [.phoneNumber]
        )
        #expect(record.user == user)
        #expect(record.authority.id == AuthorityID(kind: "openID", server: "https://op.example", client: "app"))
        let provider = try StoredProvider.provider(of: record.authority)
        #expect(provider.client == .public(id: "app"))
        #expect(provider.metadata.tokenEndpoint.description == "https://op.example/token")
        #expect(provider.settings.signatureAlgorithms == [.es256, .rs256])
        #expect(provider.settings.refreshGraceWindow == .seconds(30))
        #expect(record.refreshBegunAt == date(1_800_000_800.5))
        #expect(record.refreshBegunAtBoot == boot(900.5))
        #expect(record.refreshTarget == TokenTarget(audiences: ["https://a.example"], scope: "read"))
        #expect(record.signIn == "00ff")
        #expect(record.repeatedAt == date(1_800_000_001))
        #expect(record.repeatedAtBoot == boot(101))
        #expect(record.requestedScope == "openid email")
        #expect(record.missingScope == "email")
        #expect(record.appleUser == "001.abc")
        #expect(record.refreshRefusal?.code?.rawValue == "invalid_scope")
        #expect(record.refreshRefusal?.message == "No.")
        #expect(record.refreshRefusal?.since == date(1_800_000_700.25))
        #expect(record.receivedIDToken?.token.unredacted == "not-a-real-id-token-2")
        #expect(record.receivedIDToken?.receivedAt == date(1_800_000_003))
        #expect(record.lacksNewIDToken == true)
        let parcels = ResourceRequest(
            target: TokenTarget(resources: ["https://parcels.example"]),
            grant: .refreshToken
        )
        var lifetime = TokenLifetime(issuedAt: date(1_800_000_002), expiresAt: date(1_800_003_602))
        lifetime.issuedAtBoot = boot(102)
        #expect(record.resourceTokens.all.count == 2)
        #expect(record.resourceTokens[parcels]?.accessToken.unredacted == "not-a-real-access-token-2")
        #expect(record.resourceTokens[parcels]?.lifetime == lifetime)
        let depot = ResourceRequest(target: TokenTarget(audiences: ["depot"], scope: "read"), grant: .tokenExchange)
        #expect(record.resourceTokens[depot]?.accessToken.unredacted == "not-a-real-access-token-3")
        #expect(record.resourceTokens[depot]?.scope == "read")
    }

    // MARK: The items beside a session

    private struct Revocation: Encodable {
        let subject: String?
        let refreshToken: String?
        let accessToken: String?
        let exchangedTokens: [String]
        let endedAt: Double
        /// The client at a provider; nil at another authority.
        let client: String?

        init(_ grant: EndedGrant) {
            (subject, endedAt) = (grant.subject, grant.endedAt)
            refreshToken = grant.tokens?.refreshToken?.unredacted
            accessToken = grant.tokens?.accessToken?.unredacted
            exchangedTokens = grant.tokens?.exchangedTokens.map(\.unredacted) ?? []
            client = try? StoredProvider.provider(of: grant.authority).client.id
        }
    }

    @Test(arguments: try SessionVector.all("ended"))
    func `pending revocations are read exactly, and written byte for byte`(
        vector: SessionVector
    ) throws {
        let pending = try PendingRevocations(vector.item)
        #expect(try SessionVector.json(pending.grants.map { Revocation($0) }) == vector.value)
        #expect(try pending.encoded() == vector.item)
    }

    private struct Provider: Encodable {
        let kind: String
        let client: String?
        let authentication: String
        let tokenEndpoint: String
        let userEndpoint: String?
        let profile: String

        init(_ provider: OpenIDProvider) {
            (kind, client) = (provider.id.kind, provider.id.client)
            authentication = provider.client.authentication.name
            tokenEndpoint = provider.metadata.tokenEndpoint.description
            userEndpoint = provider.userEndpoint?.url.description
            profile = provider.profile.name
        }
    }

    @Test(arguments: try SessionVector.all("provider"))
    func `the provider of a session is read exactly, and written byte for byte`(vector: SessionVector) throws {
        let id = AuthorityID(kind: "openID", server: "https://op.example")
        let record = AuthorityRecord(id: id, details: Data(vector.input.utf8))
        let provider = try StoredProvider.provider(of: record)
        #expect(try SessionVector.json(Provider(provider)) == vector.value)
        #expect(OpenIDAuthority(provider).record.details == record.details)
    }

    @Test(arguments: try SessionVector.all("program"))
    func `tokens of programs are read exactly, and written byte for byte`(vector: SessionVector) throws {
        let form = try JSONDecoder.ofStoredForms.decode(ProgramTokenStore.Form.self, from: Data(vector.input.utf8))
        let tokens = form.tokens.mapValues { $0.tokens.accessToken.unredacted }
        #expect(try SessionVector.json(tokens) == vector.value)
        #expect(try form.encoded() == vector.item)
        let lifetime = try #require(form.tokens.values.first).tokens.lifetime
        #expect(lifetime.issuedAt == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(lifetime.expiresAt == Date(timeIntervalSince1970: 1_800_000_900))
        // The names of the tokens belong to the form.
        let provider = OpenIDProvider(metadata: try Self.metadata(), client: .public(id: "app"))
        let target = TokenTarget(audiences: ["https://api.example"], scope: "read")
        let names = ProgramTokenStore.Names(.clientCredentials, provider, target, usesDPoP: false)
        #expect(form.tokens.keys.first == names.token)
    }

    private struct Accounts: Encodable {
        let current: String?
        let accounts: [String]
        let left: [String]
    }

    @Test(arguments: try SessionVector.all("accounts"))
    func `a list of accounts is read exactly, and written byte for byte`(
        vector: SessionVector
    ) throws {
        let list = try AccountList(vector.item)
        let reading = Accounts(current: list.current, accounts: list.accounts.map(\.id), left: list.left)
        #expect(try SessionVector.json(reading) == vector.value)
        #expect(list.accounts.first?.user == SessionUser(id: "u1", name: "Ada"))
        #expect(String(decoding: try list.encoded().unredacted, as: UTF8.self) == vector.input)
    }

    private struct Authorization: Encodable {
        let redirectURI: String
        let scope: String?
        let nonce: String
        let state: String
        let codeVerifier: String
        let hasKey: Bool
        let maximumAge: Double?
        let resources: [String]
        let stepUp: StepUpRequirement?

        init(_ request: AuthorizationRequest) {
            (redirectURI, nonce) = (request.redirectURI, request.nonce)
            (state, codeVerifier) = (request.state.unredacted, request.codeVerifier.unredacted)
            hasKey = request.dpopKey != nil
            let parameters = request.parameters
            (scope, resources, stepUp) = (parameters.scope?.description, parameters.resources, parameters.stepUp)
            maximumAge = parameters.maximumAge?.timeInterval
        }
    }

    @Test(arguments: try SessionVector.all("pending/authorization"))
    func `a pending sign-in at a provider is read exactly, and written byte for byte`(
        vector: SessionVector
    ) throws {
        let pending = try #require(PendingAuthorization(vector.item))
        let client = OpenIDClient.public(id: try #require(pending.authority.client))
        let provider = OpenIDProvider(metadata: try Self.metadata(), client: client)
        let now = Date(timeIntervalSince1970: 1_800_000_060)
        let request = try #require(PendingAuthorization(vector.item, of: provider, at: now)?.request(at: provider))
        #expect(try SessionVector.json(Authorization(request)) == vector.value)
        #expect(try pending.encoded() == vector.item)
    }

    private static func metadata() throws -> ProviderMetadata {
        try ProviderMetadata(
            Array(
                #"""
                {"issuer":"https://op.example","authorization_endpoint":"https://op.example/authorize",
                "token_endpoint":"https://op.example/token","jwks_uri":"https://op.example/keys"}
                """#.utf8
            ),
            of: Issuer("https://op.example")
        )
    }

    private struct AppleSignIn: Encodable {
        let clientID: String
        let redirectURI: String
        let nonce: String
        let state: String
        let codeVerifier: String

        init(_ signIn: AppleRedirectSignIn, redirectURI: String) {
            (clientID, self.redirectURI) = (signIn.clientID, redirectURI)
            (nonce, state) = (signIn.nonce.unredacted, signIn.state.unredacted)
            codeVerifier = signIn.codeVerifier.unredacted
        }
    }

    @Test(arguments: try SessionVector.all("pending/apple"))
    func `a pending sign-in with Apple is read exactly, and written byte for byte`(
        vector: SessionVector
    ) throws {
        let pending = try #require(PendingAppleSignIn(vector.item))
        let now = Date(timeIntervalSince1970: 1_800_000_060)
        let signIn = try #require(pending.signIn(at: try BaseURL("https://api.example.org"), at: now))
        #expect(try SessionVector.json(AppleSignIn(signIn, redirectURI: pending.redirectURI)) == vector.value)
        #expect(try pending.encoded() == vector.item)
    }

    @Test func `the items have their names`() throws {
        let names: [String: String] = try SessionVector.folder.read("keys.json")
        #expect(SessionRecord.key.name == names["session"])
        #expect(PendingRevocations.key.name == names["ended"])
        #expect(StoreKey.pendingSignIn.name == names["pending"])
        #expect(AccountList.key.name == names["accounts"])
        #expect(ProgramTokenStore.key.name == names["program"])
    }
}
