import AuthCore
import Testing

@Suite struct MalformedJWTTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let token: String
        let code: JWTDecodingError.Code
        let part: JWTDecodingError.Part?
        let member: String?

        init(
            _ comment: String,
            _ token: String,
            _ code: JWTDecodingError.Code,
            _ part: JWTDecodingError.Part? = nil,
            member: String? = nil
        ) {
            testDescription = comment
            self.token = token
            self.code = code
            self.part = part
            self.member = member
        }

        static func header(_ header: String, _ code: JWTDecodingError.Code, member: String? = nil) -> Case {
            Case("header \(header)", CompactJWT.make(header: header), code, .header, member: member)
        }

        static func payload(_ payload: String, _ code: JWTDecodingError.Code, member: String? = nil) -> Case {
            Case("payload \(payload)", CompactJWT.make(payload: payload), code, .payload, member: member)
        }
    }

    private static let header = CompactJWT.encode(CompactJWT.header)
    private static let payload = CompactJWT.encode("{}")

    static let shapes: [Case] = [
        Case("empty", "", .notThreeParts),
        Case("no dot", "abc", .notThreeParts),
        Case("one dot", CompactJWT.join(header, payload), .notThreeParts),
        Case("four parts", CompactJWT.join(header, payload, "", ""), .notThreeParts),
        Case("six parts", CompactJWT.join(header, payload, "", "", "", ""), .notThreeParts),
        Case("five parts, as an encrypted token has", CompactJWT.join(header, "", "", "", ""), .encrypted),
        Case("one byte too long", String(repeating: "A", count: UnverifiedJWT.maximumLength + 1), .tooLong),
        Case("far too long, and of dots", String(repeating: ".", count: 1_000_000), .tooLong),
        Case("a space before", " " + CompactJWT.make(), .invalidBase64URL, .header),
        Case("a line break behind", CompactJWT.make() + "\n", .invalidBase64URL, .signature),
        Case("Bearer before", "Bearer " + CompactJWT.make(), .invalidBase64URL, .header),
    ]

    static let encodings: [Case] = [
        Case("padded header", CompactJWT.join(header + "=", payload, ""), .invalidBase64URL, .header),
        Case("padded payload", CompactJWT.join(header, payload + "=", ""), .invalidBase64URL, .payload),
        Case("padded signature", CompactJWT.join(header, payload, "AA=="), .invalidBase64URL, .signature),
        Case("the other alphabet", CompactJWT.join(header, payload, "a+/b"), .invalidBase64URL, .signature),
        Case("a signature of one character", CompactJWT.join(header, payload, "A"), .invalidBase64URL, .signature),
        Case("bits behind the last byte", CompactJWT.join(header, payload, "AB"), .invalidBase64URL, .signature),
        Case("a payload beyond ASCII", CompactJWT.join(header, "\u{E9}\u{E9}", ""), .invalidBase64URL, .payload),
        Case("a header that is no UTF-8", CompactJWT.join("_w", payload, ""), .invalidUTF8, .header),
        Case(
            "a claim that is no UTF-8",
            CompactJWT.join(header, Base64URL.encode(Array(#"{"a":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)), ""),
            .invalidUTF8,
            .payload
        ),
        Case(
            "an overlong encoding",
            CompactJWT.join(header, Base64URL.encode([0xC0, 0xAE]), ""),
            .invalidUTF8,
            .payload
        ),
        Case(
            "a header in UTF-16, whose bytes are UTF-8 too",
            CompactJWT.join(Base64URL.encode(CompactJWT.header.utf8.flatMap { [$0, 0] }), payload, ""),
            .invalidJSON,
            .header
        ),
    ]

    static let headers: [Case] = [
        Case("an empty header", CompactJWT.join("", payload, ""), .invalidJSON, .header),
        .header("{", .invalidJSON),
        .header("{}{}", .invalidJSON),
        .header("{'alg':'none'}", .invalidJSON),
        .header("[]", .notAnObject),
        .header("null", .notAnObject),
        .header(#""ES256""#, .notAnObject),
        .header("{}", .missingAlgorithm),
        .header(#"{"ALG":"ES256"}"#, .missingAlgorithm),
        .header(#"{"alg":null}"#, .invalidMember, member: "alg"),
        .header(#"{"alg":5}"#, .invalidMember, member: "alg"),
        .header(#"{"alg":["ES256"]}"#, .invalidMember, member: "alg"),
        .header(#"{"alg":"ES256","kid":1}"#, .invalidMember, member: "kid"),
        .header(#"{"alg":"ES256","typ":{}}"#, .invalidMember, member: "typ"),
        .header(#"{"alg":"ES256","crit":[]}"#, .invalidMember, member: "crit"),
        .header(#"{"alg":"ES256","crit":"b64"}"#, .invalidMember, member: "crit"),
        .header(#"{"alg":"ES256","crit":[1]}"#, .invalidMember, member: "crit"),
    ]

    static let payloads: [Case] = [
        Case("an empty payload", CompactJWT.join(header, "", ""), .invalidJSON, .payload),
        .payload("Example of Ed25519 signing", .invalidJSON),
        .payload(#"{"a":NaN}"#, .invalidJSON),
        .payload(#"{"a":1e999}"#, .invalidJSON),
        .payload(#"{"a":"\#u{1}"}"#, .invalidJSON),
        .payload("true", .notAnObject),
        .payload("5", .notAnObject),
        .payload("[{}]", .notAnObject),
        .payload(#"{"iss":1}"#, .invalidMember, member: "iss"),
        .payload(#"{"iss":null}"#, .invalidMember, member: "iss"),
        .payload(#"{"sub":["a"]}"#, .invalidMember, member: "sub"),
        .payload(#"{"aud":1}"#, .invalidMember, member: "aud"),
        .payload(#"{"aud":null}"#, .invalidMember, member: "aud"),
        .payload(#"{"aud":["a",1]}"#, .invalidMember, member: "aud"),
        .payload(#"{"aud":{"a":"b"}}"#, .invalidMember, member: "aud"),
        .payload(#"{"exp":"1300819380"}"#, .invalidMember, member: "exp"),
        .payload(#"{"exp":true}"#, .invalidMember, member: "exp"),
        .payload(#"{"exp":-1}"#, .invalidMember, member: "exp"),
        .payload(#"{"exp":1e300}"#, .invalidMember, member: "exp"),
        .payload(#"{"exp":253402300800}"#, .invalidMember, member: "exp"),
        .payload(#"{"nbf":{}}"#, .invalidMember, member: "nbf"),
        .payload(#"{"iat":[1]}"#, .invalidMember, member: "iat"),
        .payload(#"{"iat":9223372036854775808}"#, .invalidMember, member: "iat"),
        .payload(#"{"jti":7}"#, .invalidMember, member: "jti"),
    ]

    @Test(arguments: shapes + encodings + headers + payloads)
    func `a malformed token is refused by a code that names the fault`(malformed: Case) {
        let error = #expect(throws: JWTDecodingError.self) { try UnverifiedJWT(malformed.token) }
        #expect(error?.code == malformed.code)
        #expect(error?.part == malformed.part)
        #expect(error?.member == malformed.member)
    }

    @Test(arguments: [10_000, 40_000])
    func `JSON of any depth is refused and does not crash`(depth: Int) {
        let nested = #"{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        #expect(throws: JWTDecodingError.self) { try UnverifiedJWT(CompactJWT.make(payload: nested)) }
    }

    /// A token's content is about a person; an error may be logged.
    @Test(arguments: shapes + encodings + headers + payloads)
    func `an error says nothing of the token's content`(malformed: Case) {
        let error = #expect(throws: JWTDecodingError.self) { try UnverifiedJWT(malformed.token) }
        #expect(error?.description.contains("ES256") == false)
        #expect(error?.description.contains("1300819380") == false)
        #expect(error?.description.hasSuffix(".") == true)
    }
}
