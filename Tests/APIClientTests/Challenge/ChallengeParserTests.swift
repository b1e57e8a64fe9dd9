// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import APIClient

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
        Vector("an empty line", [""], []),
        Vector("no line", [], []),
        Vector("space and commas", [" , ,\t,"], []),
        Vector("a parameter before any scheme", [#"realm="x", Bearer"#], [challenge("bearer")]),
        Vector("an equals sign alone", ["="], []),
        Vector("an unterminated quote", [#"Bearer error="invalid_token"#], [challenge("bearer")]),
        Vector("a quote that ends in a backslash", [#"Bearer realm="a\"#], [challenge("bearer")]),
        Vector(
            "an unterminated quote that hides the next parameter",
            [#"Bearer realm="a, error=b"#],
            [challenge("bearer")]
        ),
        Vector(
            "a duplicate name, of which the first counts",
            ["Bearer error=a, error=b"],
            [challenge("bearer", ["error": "a"])]
        ),
        Vector(
            "an unquoted realm with a space",
            [#"Bearer realm=my app, error="invalid_token""#],
            [challenge("bearer", ["realm": "my", "error": "invalid_token"])]
        ),
        Vector("a scheme followed by a quote", [#"Bearer"x", Basic"#], [challenge("basic")]),
        Vector(
            "a missing value, so that the name is a token68",
            ["Bearer error=, realm=x"],
            [challenge("bearer", ["realm": "x"], token68: "error=")]
        ),
        Vector(
            "a missing value of a later parameter",
            ["Bearer realm=x, error=, scope=y"],
            [challenge("bearer", ["realm": "x", "scope": "y"])]
        ),
        Vector("control characters", ["\u{0}\u{7}\u{1B}"], []),
        Vector("non-ASCII characters", ["B\u{E9}arer \u{1F600}=x"], []),
        Vector(
            "text after a quoted value",
            [#"Bearer realm="x"y, error="z""#],
            [challenge("bearer", ["realm": "x", "error": "z"])]
        ),
    ]

    @Test(arguments: wellFormed) func `well-formed challenges are parsed`(vector: Vector) {
        #expect(AuthenticationChallenge.challenges(in: vector.lines) == vector.expected)
    }

    @Test(arguments: malformed) func `malformed parts of a field are skipped`(vector: Vector) {
        #expect(AuthenticationChallenge.challenges(in: vector.lines) == vector.expected)
    }

    @Test func `header fields that are too long are ignored`() {
        #expect(AuthenticationChallenge.challenges(in: [String(repeating: "Bearer,", count: 100_000)]).isEmpty)
        #expect(AuthenticationChallenge.challenges(in: Array(repeating: "Bearer realm=x", count: 5_000)).isEmpty)
    }

    @Test func `the number of challenges and parameters is limited`() throws {
        let many = AuthenticationChallenge.challenges(in: [
            Array(repeating: "Bearer", count: 1_000).joined(separator: ",")
        ])
        #expect(many.count == 32)
        let parameters = (0..<1_000).map { "p\($0)=x" }.joined(separator: ",")
        let one = try #require(AuthenticationChallenge.challenges(in: ["Bearer \(parameters)"]).first)
        #expect(one.parameters.count == 64)
    }

    /// Every text of up to five characters from a letter, the separators, the quote and the escape.
    @Test func `every text of separators, quotes and escapes is parsed to the end`() {
        let alphabet = Array(#"a=",\ "#)
        var texts = [""]
        for _ in 0..<5 {
            texts = texts.flatMap { text in alphabet.map { text + String($0) } }
            for text in texts { _ = AuthenticationChallenge.challenges(in: [text]) }
        }
        #expect(texts.count == 7_776)
    }
}
