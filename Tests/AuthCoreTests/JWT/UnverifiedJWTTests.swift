// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import Testing

@Suite struct UnverifiedJWTTests {
    private static let apple = CompactJWT.make(
        header: #"{"kid":"Sf2lFqwkpX","alg":"RS256"}"#,
        payload: """
            {"iss":"https://appleid.apple.com","aud":"com.example.app","exp":1800086400,"iat":1800000000,\
            "sub":"000123.0123456789abcdef0123456789abcdef.0456","nonce":"6d1f","c_hash":"Wc1bVYRxWeQ0jPrT0xzQ5A",\
            "email":"qz8xk2@privaterelay.appleid.com","email_verified":true,"is_private_email":"true",\
            "auth_time":1800000000,"nonce_supported":true}
            """
    )

    @Test func `a token in Apple's format is read`() throws {
        let token = try UnverifiedJWT(IDToken(Self.apple))
        #expect(token.header.algorithm == "RS256")
        #expect(token.header.keyID == "Sf2lFqwkpX")
        #expect(token.header.type == nil)
        #expect(token.header.critical.isEmpty)
        #expect(token.claims.issuer == "https://appleid.apple.com")
        #expect(token.claims.audience == ["com.example.app"])
        #expect(token.claims.subject == "000123.0123456789abcdef0123456789abcdef.0456")
        #expect(token.claims.issuedAt == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(token.claims.expiration == Date(timeIntervalSince1970: 1_800_086_400))
        #expect(token.claims.notBefore == nil)
    }

    @Test func `custom claims are read by name`() throws {
        let claims = try UnverifiedJWT(Self.apple).claims
        #expect(claims["email"]?.string == "qz8xk2@privaterelay.appleid.com")
        #expect(claims["email_verified"] == .boolean(true))
        #expect(claims["is_private_email"] == .string("true"))
        #expect(claims["auth_time"] == .integer(1_800_000_000))
        #expect(claims["absent"] == nil)
    }

    private struct AppleClaims: Decodable {
        let email: String
        let email_verified: Bool
        let auth_time: Date
        let picture: String?
    }

    @Test func `custom claims are decoded as the caller's type`() throws {
        let claims = try UnverifiedJWT(Self.apple).claims.decode(as: AppleClaims.self)
        #expect(claims.email == "qz8xk2@privaterelay.appleid.com")
        #expect(claims.email_verified)
        #expect(claims.auth_time == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(claims.picture == nil)
    }

    @Test(arguments: ["{}", #"{"email":1,"email_verified":true,"auth_time":1}"#, #"{"email":null}"#])
    func `claims that do not match the caller's type are a mismatch`(payload: String) throws {
        let claims = try UnverifiedJWT(CompactJWT.make(payload: payload)).claims
        let error = #expect(throws: JWTDecodingError.self) { try claims.decode(as: AppleClaims.self) }
        #expect(error?.code == .claimsMismatch)
    }

    @Test(
        arguments: [
            (#"{}"#, []), (#"{"aud":"one"}"#, ["one"]), (#"{"aud":["one"]}"#, ["one"]),
            (#"{"aud":["one","two"]}"#, ["one", "two"]), (#"{"aud":[]}"#, []), (#"{"aud":""}"#, [""]),
        ] as [(String, [String])]
    )
    func `an audience is a string or a list`(payload: String, audience: [String]) throws {
        #expect(try UnverifiedJWT(CompactJWT.make(payload: payload)).claims.audience == audience)
    }

    @Test(
        arguments: [
            ("0", 0), ("1300819380", 1_300_819_380), ("1300819380.5", 1_300_819_380.5), ("1.3e9", 1_300_000_000),
            ("253402300799", 253_402_300_799),
        ] as [(String, Double)]
    )
    func `dates are seconds with or without a fraction`(text: String, seconds: Double) throws {
        let claims = try UnverifiedJWT(CompactJWT.make(payload: #"{"exp":\#(text),"nbf":\#(text)}"#)).claims
        #expect(claims.expiration == Date(timeIntervalSince1970: seconds))
        #expect(claims.notBefore == Date(timeIntervalSince1970: seconds))
    }

    @Test func `the lifetime runs from iat to exp`() throws {
        let claims = try UnverifiedJWT(Self.apple).claims
        let end = Date(timeIntervalSince1970: 1_800_086_400)
        #expect(claims.lifetime() == TokenLifetime(issuedAt: end - 86_400, expiresAt: end))
        #expect(claims.lifetime().freshness(at: end, window: .longLivedToken) == .expired)
    }

    @Test func `values of every JSON type are kept`() throws {
        let payload = #"{"n":null,"b":false,"i":-5,"d":1.5,"s":"é","a":[1,"x",[]],"o":{"k":{}}}"#
        let claims = try UnverifiedJWT(CompactJWT.make(payload: payload)).claims
        #expect(
            claims.all == [
                "n": .null, "b": .boolean(false), "i": .integer(-5), "d": .number(1.5), "s": .string("\u{E9}"),
                "a": .array([.integer(1), .string("x"), .array([])]), "o": .object(["k": .object([:])]),
            ]
        )
    }

    /// Other readers, including Foundation, treat `1.0` and `1` as one number.
    @Test(
        arguments: [
            ("1.0", .integer(1)), ("1e3", .integer(1_000)), ("-0.0", .integer(0)), ("-0", .integer(0)),
            ("1.5", .number(1.5)), ("1e19", .number(1e19)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("5e-1", .number(0.5)),
            ("9007199254740993.0", .integer(9_007_199_254_740_993)), ("0e999", .integer(0)),
            ("90071992547409930e-1", .integer(9_007_199_254_740_993)), ("1e18", .integer(1_000_000_000_000_000_000)),
            ("1.50e1", .integer(15)), ("10.00E+1", .integer(100)),
        ] as [(String, JSONValue)]
    )
    func `a whole number is an integer, however it is written`(text: String, value: JSONValue) throws {
        let claims = try UnverifiedJWT(CompactJWT.make(payload: #"{"n":\#(text)}"#)).claims
        #expect(claims["n"] == value)
        #expect(try claims.decode(as: [String: JSONValue].self) == ["n": value])
    }

    /// Found by the fuzzer and in review: the nearest double is a whole number, but the number itself is not.
    @Test(arguments: [
        "92233720368562408.8", "9007199254740993.5", "4503599627370496.3", "0.99999999999999999999", "1e19",
        "1.00000000000000000000000000001", "1e-1", "123e-2",
    ])
    func `a number with a fraction is not an integer`(text: String) throws {
        let claims = try UnverifiedJWT(CompactJWT.make(payload: #"{"n":\#(text)}"#)).claims
        #expect(try claims["n"] == .number(#require(Double(text))))
    }

    /// [RFC 7515, 5.3](https://www.rfc-editor.org/rfc/rfc7515#section-5.3): names are compared without normalization.
    @Test func `names are compared without Unicode normalization`() throws {
        let claims = try UnverifiedJWT(CompactJWT.make(payload: #"{"is_O\u212A":true,"e\u0301":1}"#)).claims
        #expect(claims["is_OK"] == nil)
        #expect(claims["is_O\u{212A}"] == .boolean(true))
        #expect(claims["\u{E9}"] == nil)
        #expect(claims["e\u{301}"] == .integer(1))
    }

    /// Two such names can't be told apart in a dictionary.
    ///
    /// They are refused, although RFC 7515 treats them as two names.
    @Test func `two canonically equivalent names are refused`() {
        let token = CompactJWT.make(payload: #"{"K":1,"\u212A":2}"#)
        TokenFault.duplicateMember.expect(of: token, in: .payload)
    }

    @Test func `registered members are validated only in their own part`() {
        for member in ["alg", "crit", "b64", "x5t#S256", "x5c", "jwk"] {
            #expect(throws: JWTDecodingError.self) {
                try UnverifiedJWT(CompactJWT.make(header: #"{"alg":"ES256","\#(member)":null}"#))
            }
        }
        // A header parameter's name in the payload is an ordinary claim, and a claim's name in the header an ordinary
        // parameter.
        #expect(throws: Never.self) { try UnverifiedJWT(CompactJWT.make(payload: #"{"typ":5,"crit":1,"alg":null}"#)) }
        #expect(throws: Never.self) { try UnverifiedJWT(CompactJWT.make(header: #"{"alg":"ES256","exp":"x"}"#)) }
    }

    @Test func `a value is read by its JSON type`() throws {
        let payload = #"{"s":"x","b":true,"i":5,"a":[1],"o":{"k":null}}"#
        let all = try UnverifiedJWT(CompactJWT.make(payload: payload)).claims
        #expect(all["s"]?.string == "x")
        #expect(all["b"]?.boolean == true)
        #expect(all["i"]?.integer == 5)
        #expect(all["i"]?.number == 5)
        #expect(JSONValue.number(1.5).number == 1.5)
        #expect(JSONValue.number(1.5).integer == nil && all["s"]?.number == nil)
        #expect(all["a"]?.array == [.integer(1)])
        #expect(all["o"]?.object == ["k": .null])
        let wrong = all["s"]
        #expect(wrong?.boolean == nil && wrong?.integer == nil && wrong?.array == nil && wrong?.object == nil)
        #expect(all["b"]?.string == nil)
    }

    @Test func `integers beyond the precision of a double stay exact`() throws {
        let claims = try UnverifiedJWT(CompactJWT.make(payload: #"{"id":9007199254740993}"#)).claims
        struct Numbered: Decodable { let id: Int64 }
        #expect(claims["id"] == .integer(9_007_199_254_740_993))
        #expect(try claims.decode(as: Numbered.self).id == 9_007_199_254_740_993)
    }

    @Test func `a name that only resembles a registered name is another claim`() throws {
        let payload = #"{"exp":1,"\u0000exp":9,"EXP":8,"exp ":7,"expx":6}"#
        let claims = try UnverifiedJWT(CompactJWT.make(payload: payload)).claims
        #expect(claims.expiration == Date(timeIntervalSince1970: 1))
        #expect(claims["\u{0}exp"] == .integer(9))
        #expect(claims.all.count == 5)
    }

    @Test func `an empty signature is accepted, because nothing is verified`() throws {
        let token = try UnverifiedJWT(CompactJWT.make(header: #"{"alg":"none"}"#, signature: ""))
        #expect(token.header.algorithm == "none")
    }

    @Test func `critical extensions are listed`() throws {
        let token = try UnverifiedJWT(CompactJWT.make(header: #"{"alg":"ES256","crit":["x","b64"],"b64":true,"x":1}"#))
        #expect(token.header.critical == ["x", "b64"])
    }

    @Test func `a token of the maximum length is read`() throws {
        let frame = CompactJWT.make(payload: "{}", signature: "").utf8.count
        let token =
            CompactJWT.make(signature: "") + String(repeating: "A", count: UnverifiedJWT.maximumLength - frame)
        try #require(token.utf8.count == UnverifiedJWT.maximumLength)
        // The length of base64url is never one more than a multiple of four. Up to three bytes don't matter here.
        let signature = UnverifiedJWT.maximumLength - frame
        let fitting = signature % 4 == 1 ? String(token.dropLast()) : token
        #expect(try UnverifiedJWT(fitting).claims.all.isEmpty)
    }
}
