import APIClient
import AuthCore
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The text of every stored form that was ever written, which every later version must read.
///
/// Never change a text: add one.
@Suite struct StoredFormsTests {
    /// The key `proofKey` is 32 bytes of 1, in Base64url.
    private static let key = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"
    private static let provider = """
        {"clientAuthentication":"none","clientID":"app","clockSkew":60,"graceWindow":10,"metadata":{\
        "authorization_endpoint":"https://op.example/authorize",\
        "authorization_response_iss_parameter_supported":true,"issuer":"https://op.example",\
        "jwks_uri":"https://op.example/keys","require_pushed_authorization_requests":false,\
        "revocation_endpoint":"https://op.example/revoke","token_endpoint":"https://op.example/token"},\
        "signatureAlgorithms":["ES256"]}
        """
    /// Of the first providers' sessions: without a clock skew, a grace window and algorithms.
    private static let firstProvider = """
        {"clientAuthentication":"client_secret_basic","clientID":"app","clientSecret":"s3cret","metadata":{\
        "authorization_endpoint":"https://op.example/authorize","issuer":"https://op.example",\
        "jwks_uri":"https://op.example/keys","token_endpoint":"https://op.example/token"}}
        """

    /// A stored session, with the members that its release had.
    struct Stored: Sendable, CustomTestStringConvertible {
        let release: String
        let text: String
        var generation = 7
        var refreshToken: String? = "r-1"
        var user: SessionUser? = SessionUser(id: "u1", name: "Ada")
        var hasJournal = false
        var signIn: String?
        var isAtProvider = false
        var isSenderConstrained = false
        var appleUser: String?

        var testDescription: String { release }
    }

    private static let sessions = [
        Stored(
            release: "the first release, own backend",
            text: """
                {"version":1,"generation":7,"accessToken":"a-1","refreshToken":"r-1","scope":"openid email",\
                "issuedAt":1800000000,"expiresAt":1800000900,"user":{"id":"u1","name":"Ada"},\
                "backend":{"baseURL":"https://api.example.org","contract":"tokenPair","apiKey":"key-1"}}
                """
        ),
        Stored(
            release: "the first release, session token without a user",
            text: """
                {"version":1,"generation":0,"accessToken":"a-1",\
                "backend":{"baseURL":"https://api.example.org","contract":"sessionToken"}}
                """,
            generation: 0,
            refreshToken: nil,
            user: nil
        ),
        Stored(
            release: "with a journal",
            text: """
                {"version":1,"generation":7,"accessToken":"a-1","refreshToken":"r-1","refreshBegunAt":1800000800.5,\
                "grantedScope":"openid email","user":{"id":"u1","name":"Ada"},\
                "backend":{"baseURL":"https://api.example.org","contract":"tokenPair"}}
                """,
            hasJournal: true
        ),
        Stored(
            release: "with the name of its sign-in",
            text: """
                {"version":1,"generation":7,"accessToken":"a-1","refreshToken":"r-1","refreshBegunAt":1800000800.5,\
                "repeatedAt":1800000001,"signIn":"00ff","user":{"id":"u1","name":"Ada"},\
                "backend":{"baseURL":"http://api.internal","contract":"tokenPair","insecureHTTP":true}}
                """,
            hasJournal: true,
            signIn: "00ff"
        ),
        Stored(
            release: "the first release with providers",
            text: """
                {"version":2,"generation":7,"accessToken":"a-1","refreshToken":"r-1","idToken":"a.b.c",\
                "user":{"id":"u1","name":"Ada"},"signIn":"00ff",\
                "backend":{"baseURL":"https://op.example","provider":\(firstProvider)}}
                """,
            signIn: "00ff",
            isAtProvider: true
        ),
        Stored(
            release: "with a DPoP key",
            text: """
                {"version":2,"generation":7,"accessToken":"a-1","refreshToken":"r-1","proofKey":"\(key)",\
                "user":{"id":"u1","name":"Ada"},"signIn":"00ff",\
                "backend":{"baseURL":"https://op.example","provider":\(provider)}}
                """,
            signIn: "00ff",
            isAtProvider: true,
            isSenderConstrained: true
        ),
        Stored(
            release: "with what the account lacks",
            text: """
                {"version":1,"generation":7,"accessToken":"a-1","refreshToken":"r-1","signIn":"00ff",\
                "user":{"id":"u1","name":"Ada","role":"driver","missing":["phoneNumber"]},\
                "backend":{"baseURL":"https://api.example.org","contract":"sessionToken"}}
                """,
            user: SessionUser(id: "u1", name: "Ada", role: "driver", missing: [.phoneNumber]),
            signIn: "00ff"
        ),
        Stored(
            release: "with an Apple Account",
            text: """
                {"version":1,"generation":7,"accessToken":"a-1","refreshToken":"r-1","appleUser":"001.abc",\
                "user":{"id":"u1","name":"Ada"},"signIn":"00ff",\
                "backend":{"baseURL":"https://api.example.org","contract":"sessionToken"}}
                """,
            signIn: "00ff",
            appleUser: "001.abc"
        ),
    ]

    private static func item(_ text: String) -> SecretBytes { SecretBytes(Array(text.utf8)) }

    @Test(arguments: sessions) func `a session of every release can be read`(stored: Stored) throws {
        let record = try SessionRecord(Self.item(stored.text))
        #expect(record.tokenGeneration == stored.generation)
        #expect(record.tokens.accessToken.unredacted == "a-1")
        #expect(record.tokens.refreshToken?.unredacted == stored.refreshToken)
        #expect(record.user == stored.user)
        #expect((record.refreshBegunAt != nil) == stored.hasJournal)
        #expect(record.signIn == stored.signIn)
        #expect(record.appleUser == stored.appleUser)
        #expect((record.tokens.dpopKeyBytes != nil) == stored.isSenderConstrained)
        #expect(record.tokens.accessToken.isBound == stored.isSenderConstrained)
        if stored.isAtProvider {
            #expect(try ProviderFormat.provider(record.authority).client.id == "app")
        } else {
            let address = try FirstPartyFormat(record.authority).baseURL.description
            #expect(["https://api.example.org", "http://api.internal"].contains(address))
        }
    }

    @Test(arguments: sessions) func `a session that was read is written with the same members`(stored: Stored) throws {
        let before = try JSONDecoder().decode(JSONValue.self, from: Data(stored.text.utf8))
        let written = try SessionRecord(Self.item(stored.text)).encoded()
        let after = try JSONDecoder().decode(JSONValue.self, from: Data(written.unredacted))
        let names = Set(try #require(before.object).keys)
        #expect(names.isSubset(of: Set(try #require(after.object).keys)))
    }

    @Test func `a pending sign-in of the first release can be read`() throws {
        let text = """
            {"version":1,"provider":\(Self.provider),"redirectURI":"com.example.app:/callback","scope":"openid",\
            "maximumAge":300,"resources":["https://api.example.org"],"nonce":"n-1",\
            "state":"\(String(repeating: "s", count: 43))","codeVerifier":"\(String(repeating: "v", count: 43))",\
            "proofKey":"\(Self.key)","beganAt":1800000000}
            """
        let format = try JSONDecoder().decode(ProviderFormat.self, from: Data(Self.provider.utf8))
        let provider = try format.provider()
        let now = Date(timeIntervalSince1970: 1_800_000_060)
        let pending = try #require(PendingAuthorization(Self.item(text), of: provider, at: now))
        let request = try #require(pending.request(at: provider))
        #expect(request.redirectURI == "com.example.app:/callback")
        #expect(request.state.unredacted == String(repeating: "s", count: 43))
        #expect(request.codeVerifier.unredacted == String(repeating: "v", count: 43))
        #expect(request.dpopKey != nil)
        #expect(request.parameters.maximumAge == .seconds(300))
        #expect(request.parameters.resources == ["https://api.example.org"])
    }

    @Test func `a pending sign-in that an API required can be read`() throws {
        let text = """
            {"version":1,"provider":\(Self.provider),"redirectURI":"com.example.app:/callback","scope":"openid",\
            "maximumAge":300,"resources":[],"nonce":"n-1","state":"\(String(repeating: "s", count: 43))",\
            "codeVerifier":"\(String(repeating: "v", count: 43))","beganAt":1800000000,\
            "stepUp":{"userID":"u1","acrValues":["phr"]}}
            """
        let provider = try JSONDecoder().decode(ProviderFormat.self, from: Data(Self.provider.utf8)).provider()
        let now = Date(timeIntervalSince1970: 1_800_000_060)
        let pending = try #require(PendingAuthorization(Self.item(text), of: provider, at: now))
        let request = try #require(pending.request(at: provider))
        #expect(request.parameters.stepUp == StepUpRequirement(userID: "u1", acrValues: ["phr"]))
    }

    @Test func `pending revocations of every release can be read`() throws {
        let text = """
            {"version":1,"grants":[\
            {"provider":\(Self.firstProvider),"subject":"u1","refreshToken":"r-1","endedAt":1800000000},\
            {"authority":{"parcels":"https://parcels.example.org"},"accessToken":"a-1","endedAt":1800000000}]}
            """
        let grants = try PendingRevocations(Self.item(text)).grants
        try #require(grants.count == 2)
        #expect(grants[0].subject == "u1")
        #expect(grants[0].tokens?.refreshToken?.unredacted == "r-1")
        #expect(try ProviderFormat.provider(grants[0].authority).client.id == "app")
        #expect(grants[1].tokens?.accessToken?.unredacted == "a-1")
        #expect(grants[1].authority.members["parcels"]?.string == "https://parcels.example.org")
    }

    @Test func `a list of accounts of every release can be read`() throws {
        let text = """
            {"current":"a","entries":[{"id":"a","user":{"id":"u1","name":"Ada"}},{"id":"b"},\
            {"hasLeft":true,"id":"c"}],"version":1}
            """
        let list = try AccountList(Self.item(text))
        #expect(list.current == "a")
        #expect(list.accounts.map(\.id) == ["a", "b"])
        #expect(list.accounts.first?.user == SessionUser(id: "u1", name: "Ada"))
    }
}
