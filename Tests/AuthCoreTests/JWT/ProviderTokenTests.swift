// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import Testing

@Suite struct ProviderTokenTests {
    /// A token in the form that a provider issues, and all values expected from it.
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        struct Expectation: Decodable, Sendable {
            let alg: String
            let kid: String?
            let typ: String?
            let critical: [String]
            let iss: String?
            let sub: String?
            let aud: [String]
            let exp: Double?
            let nbf: Double?
            let iat: Double?
            let jti: String?
            let claims: [String: JSONValue]
        }

        let comment: String
        let input: String
        let expect: Expectation

        var testDescription: String { comment }
    }

    static func vectors() throws -> [Vector] {
        try Vectors.load("provider_tokens")
    }

    private static func claims(_ comment: String) throws -> UnverifiedClaims {
        let vector = try #require(try vectors().first { $0.comment == comment })
        return try UnverifiedJWT(vector.input).claims
    }

    private static func date(_ seconds: Double?) -> Date? {
        seconds.map { Date(timeIntervalSince1970: $0) }
    }

    // MARK: All providers

    @Test(arguments: try vectors())
    func `the header of a provider's token is read`(vector: Vector) throws {
        let header = try UnverifiedJWT(vector.input).header
        #expect(header.algorithm == vector.expect.alg)
        #expect(header.keyID == vector.expect.kid)
        #expect(header.type == vector.expect.typ)
        #expect(header.critical == vector.expect.critical)
    }

    @Test(arguments: try vectors())
    func `a provider's registered claims are read`(vector: Vector) throws {
        let claims = try UnverifiedJWT(vector.input).claims
        #expect(claims.issuer == vector.expect.iss)
        #expect(claims.subject == vector.expect.sub)
        #expect(claims.audience == vector.expect.aud)
        #expect(claims.expiration == Self.date(vector.expect.exp))
        #expect(claims.notBefore == Self.date(vector.expect.nbf))
        #expect(claims.issuedAt == Self.date(vector.expect.iat))
        #expect(claims["jti"]?.string == vector.expect.jti)
    }

    @Test(arguments: try vectors())
    func `each of a provider's claims is read by its name`(vector: Vector) throws {
        let claims = try UnverifiedJWT(vector.input).claims
        for (name, value) in vector.expect.claims {
            #expect(claims[name] == value, "\(name)")
        }
        #expect(claims["absent"] == nil)
    }

    @Test(arguments: try vectors())
    func `a provider's claims are read completely`(vector: Vector) throws {
        #expect(try UnverifiedJWT(vector.input).claims.all == vector.expect.claims)
    }

    @Test(arguments: try vectors())
    func `decoding the claims gives the same values as reading them by name`(vector: Vector) throws {
        let claims = try UnverifiedJWT(vector.input).claims
        #expect(try claims.decode(as: [String: JSONValue].self) == vector.expect.claims)
    }

    // MARK: Apple and Google

    private struct AppleClaims: Decodable {
        let email: String
        let email_verified: Bool
        let is_private_email: Bool
        let auth_time: Date
        let real_user_status: Int
    }

    @Test func `Apple's claims are decoded as a type`() throws {
        let claims = try Self.claims("Apple ID token").decode(as: AppleClaims.self)
        #expect(claims.email == "qz8xk2m4vn@privaterelay.appleid.com")
        #expect(claims.email_verified)
        #expect(claims.is_private_email)
        #expect(claims.auth_time == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(claims.real_user_status == 2)
    }

    /// Apple's documentation allows booleans and strings.
    @Test func `a boolean that Apple wrote as a string is not decoded as a Bool`() throws {
        let claims = try Self.claims("Apple ID token whose booleans are strings")
        let error = #expect(throws: JWTDecodingError.self) { try claims.decode(as: AppleClaims.self) }
        #expect(error?.code == .claimsMismatch)
    }

    private struct GoogleClaims: Decodable {
        let hd: String?
        let email: String
        let email_verified: Bool
        let given_name: String
        let picture: URL
    }

    @Test func `Google's claims are decoded as a type`() throws {
        let claims = try Self.claims("Google ID token").decode(as: GoogleClaims.self)
        #expect(claims.hd == "example.com")
        #expect(claims.email == "mira@example.com")
        #expect(claims.email_verified)
        #expect(claims.given_name == "Mira")
        #expect(claims.picture.host() == "lh3.googleusercontent.com")
    }

    // MARK: Cognito

    private struct CognitoIdentity: Decodable, Equatable {
        let providerName: String
        let issuer: String?
        let dateCreated: String
    }

    private struct CognitoClaims: Decodable {
        let tokenUse: String
        let username: String
        let groups: [String]
        let identities: [CognitoIdentity]

        enum CodingKeys: String, CodingKey {
            case tokenUse = "token_use"
            case username = "cognito:username"
            case groups = "cognito:groups"
            case identities
        }
    }

    @Test func `Cognito's claims are decoded as a type, including names with a colon`() throws {
        let claims = try Self.claims("Amazon Cognito ID token").decode(as: CognitoClaims.self)
        #expect(claims.tokenUse == "id")
        #expect(claims.username == "mira")
        #expect(claims.groups == ["editors", "us-west-2_Example00_LoginWithAmazon"])
        let identity = CognitoIdentity(providerName: "LoginWithAmazon", issuer: nil, dateCreated: "1790000000273")
        #expect(claims.identities == [identity])
    }

    // MARK: Auth0 and Keycloak

    private struct Auth0Claims: Decodable {
        struct Metadata: Decodable {
            struct Plan: Decodable {
                let name: String
                let seats: Int
                let price: Double
            }

            let plan: Plan
            let coupon: String?
        }

        let roles: [String]
        let metadata: Metadata

        enum CodingKeys: String, CodingKey {
            case roles = "https://example.com/roles"
            case metadata = "https://example.com/app_metadata"
        }
    }

    @Test func `Auth0's claims are decoded as a type, including names that are URLs`() throws {
        let claims = try Self.claims("Auth0 ID token").decode(as: Auth0Claims.self)
        #expect(claims.roles == ["admin", "editor"])
        #expect(claims.metadata.plan.name == "team")
        #expect(claims.metadata.plan.seats == 12)
        #expect(claims.metadata.plan.price == 9.5)
        #expect(claims.metadata.coupon == nil)
    }

    private struct KeycloakClaims: Decodable {
        struct Access: Decodable {
            let roles: [String]
        }

        let typ: String
        let realm_access: Access
        let resource_access: [String: Access]
    }

    @Test func `Keycloak's claims are decoded as a type, including nested roles`() throws {
        let claims = try Self.claims("Keycloak access token, with a claim named typ").decode(as: KeycloakClaims.self)
        #expect(claims.typ == "Bearer")
        #expect(claims.realm_access.roles == ["default-roles-example", "offline_access", "uma_authorization"])
        #expect(claims.resource_access["notes-api"]?.roles == ["reader", "writer"])
        #expect(claims.resource_access.keys.sorted() == ["account", "notes-api"])
    }
}
