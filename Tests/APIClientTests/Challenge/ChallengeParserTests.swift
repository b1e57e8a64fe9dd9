import APIClient
import HTTPTypes
import Testing

@Suite struct ChallengeParserTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let comment: String
        let lines: [String]
        let expected: [AuthenticationChallenge]

        init(_ comment: String, _ lines: [String], _ expected: [AuthenticationChallenge]) {
            self.comment = comment
            self.lines = lines
            self.expected = expected
        }

        var testDescription: String { comment }
    }

    private static func challenge(
        _ scheme: String,
        _ parameters: [String: String] = [:],
        token68: String? = nil
    ) -> AuthenticationChallenge {
        AuthenticationChallenge(scheme: scheme, token68: token68, parameters: parameters)
    }

    private static let wellFormed: [Vector] = [
        Vector("a scheme alone", ["Bearer"], [challenge("bearer")]),
        Vector("RFC 6750, 3", [#"Bearer realm="example""#], [challenge("bearer", ["realm": "example"])]),
        Vector(
            "RFC 6750, 3, with an error",
            [#"Bearer realm="example", error="invalid_token", error_description="The access token expired""#],
            [
                challenge(
                    "bearer",
                    ["realm": "example", "error": "invalid_token", "error_description": "The access token expired"]
                )
            ]
        ),
        Vector(
            "RFC 9449, 9",
            [#"DPoP error="use_dpop_nonce", error_description="Resource server requires nonce in DPoP proof""#],
            [
                challenge(
                    "dpop",
                    ["error": "use_dpop_nonce", "error_description": "Resource server requires nonce in DPoP proof"]
                )
            ]
        ),
        Vector(
            "RFC 9110, 11.6.1: two challenges in one line",
            [#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#],
            [
                challenge("basic", ["realm": "simple"]),
                challenge("newauth", ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
            ]
        ),
        Vector(
            "RFC 9449, 7.1: Bearer and DPoP in one line",
            [#"Bearer error="invalid_token", DPoP algs="ES256 PS256", error="invalid_token""#],
            [
                challenge("bearer", ["error": "invalid_token"]),
                challenge("dpop", ["algs": "ES256 PS256", "error": "invalid_token"]),
            ]
        ),
        Vector("two lines", ["Basic realm=a", "Bearer"], [challenge("basic", ["realm": "a"]), challenge("bearer")]),
        Vector(
            "schemes without parameters in one line",
            ["Negotiate, Bearer ,NTLM"],
            [challenge("negotiate"), challenge("bearer"), challenge("ntlm")]
        ),
        Vector("a token68", ["Negotiate YII+/w=="], [challenge("negotiate", token68: "YII+/w==")]),
        Vector("a token68 without padding", ["Negotiate abc"], [challenge("negotiate", token68: "abc")]),
        Vector(
            "a token68 and a challenge after it",
            ["Negotiate abc==, Bearer realm=x"],
            [challenge("negotiate", token68: "abc=="), challenge("bearer", ["realm": "x"])]
        ),
        Vector("names in any case", [#"bEARer ERROR="x""#], [challenge("bearer", ["error": "x"])]),
        Vector(
            "space around the equals sign",
            ["Bearer realm = x , error\t=\t\"y\""],
            [challenge("bearer", ["realm": "x", "error": "y"])]
        ),
        Vector(
            "commas and equals signs in quotes",
            [#"Bearer realm="a, Basic realm=b", error="c""#],
            [challenge("bearer", ["realm": "a, Basic realm=b", "error": "c"])]
        ),
        Vector("an empty quoted value", [#"Bearer realm="""#], [challenge("bearer", ["realm": ""])]),
        Vector("an escaped backslash", [#"Bearer realm="a\\""#], [challenge("bearer", ["realm": #"a\"#])]),
        Vector(
            "empty list elements, RFC 9110, 5.6.1.2",
            [", ,Bearer realm=x,, error=y,"],
            [challenge("bearer", ["realm": "x", "error": "y"])]
        ),
    ]

    private static let malformed: [Vector] = [
        Vector("nothing", [""], []),
        Vector("no line", [], []),
        Vector("space and commas", [" , ,\t,"], []),
        Vector("a parameter before any scheme", [#"realm="x", Bearer"#], [challenge("bearer")]),
        Vector("an equals sign alone", ["="], []),
        Vector("a quote that never ends", [#"Bearer error="invalid_token"#], [challenge("bearer")]),
        Vector("a quote that ends in a backslash", [#"Bearer realm="a\"#], [challenge("bearer")]),
        Vector(
            "a quote that never ends hides what comes after it",
            [#"Bearer realm="a, error=b"#],
            [challenge("bearer")]
        ),
        Vector(
            "a name twice: the first one counts",
            ["Bearer error=a, error=b"],
            [challenge("bearer", ["error": "a"])]
        ),
        Vector(
            "an unquoted realm with a space",
            [#"Bearer realm=my app, error="invalid_token""#],
            [challenge("bearer", ["realm": "my", "error": "invalid_token"])]
        ),
        Vector("a scheme with a quote on it", [#"Bearer"x", Basic"#], [challenge("basic")]),
        Vector(
            "a value that is missing, so that the name is a token68",
            ["Bearer error=, realm=x"],
            [challenge("bearer", ["realm": "x"], token68: "error=")]
        ),
        Vector(
            "a later value that is missing",
            ["Bearer realm=x, error=, scope=y"],
            [challenge("bearer", ["realm": "x", "scope": "y"])]
        ),
        Vector("control characters", ["\u{0}\u{7}\u{1B}"], []),
        Vector("no ASCII", ["B\u{E9}arer \u{1F600}=x"], []),
        Vector(
            "text after a quoted value",
            [#"Bearer realm="x"y, error="z""#],
            [challenge("bearer", ["realm": "x", "error": "z"])]
        ),
    ]

    @Test(arguments: wellFormed) func `challenges are read`(vector: Vector) {
        #expect(ChallengeParser.challenges(in: vector.lines) == vector.expected)
    }

    @Test(arguments: malformed) func `what can't be read is left out`(vector: Vector) {
        #expect(ChallengeParser.challenges(in: vector.lines) == vector.expected)
    }

    @Test func `a field of any length is refused, not worked on`() {
        #expect(ChallengeParser.challenges(in: [String(repeating: "Bearer,", count: 100_000)]).isEmpty)
        #expect(ChallengeParser.challenges(in: Array(repeating: "Bearer realm=x", count: 5_000)).isEmpty)
    }

    @Test func `challenges and parameters are counted`() throws {
        let many = ChallengeParser.challenges(in: [Array(repeating: "Bearer", count: 1_000).joined(separator: ",")])
        #expect(many.count == 32)
        let parameters = (0..<1_000).map { "p\($0)=x" }.joined(separator: ",")
        let one = try #require(ChallengeParser.challenges(in: ["Bearer \(parameters)"]).first)
        #expect(one.parameters.count == 64)
    }

    /// Every text of up to five characters from a letter, the separators, the quote and the escape.
    @Test func `no text of separators, quotes and escapes crashes or never ends`() {
        let alphabet = Array(#"a=",\ "#)
        var texts = [""]
        for _ in 0..<5 {
            texts = texts.flatMap { text in alphabet.map { text + String($0) } }
            for text in texts { _ = ChallengeParser.challenges(in: [text]) }
        }
        #expect(texts.count == 7_776)
    }
}
