// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

/// The texts of a server that are shown, and those that are withheld because they repeat a secret.
@Suite struct EchoFilterTests {
    private static let token = "tGzv3JOkF0XG5Qx2TlKWI4+/é"

    @Test(arguments: [
        "The token tGzv3JOkF0XG5Qx2TlKWI4+/é is wrong.", "tGzv3JOkF0XG5Qx2TlKWI4+/é", "wrong: 'tGzv3JOk...'",
        "tgzv3jokf0xg5qx2tlkwi4", "...0XG5Qx2T...", "lKWI4+/é", "lKWI4%2B%2F%C3%A9", "lKWI4%252B%252F%25C3%25A9",
        "lKWI4%2b/%c3%a9", "lKWI4 /é", #"lKWI4+\/é"#, #"lKWI4\u002b\u002f\u00e9"#, #"lKWI4\x2b\x2f\xc3\xa9"#,
        "lKWI4&#43;&#x2f;é", "&quot;lKWI4&#x2B;/é&quot;", "dEd6djNKT2tGMFhHNVF4MlRsS1dJNCsvw6k=",
        "c2FsbHk6dEd6djNKT2tGMFhHNVF4MlRsS1dJNCsvw6k=",
        "eDp0R3p2M0pPa0YwWEc1UXgyVGxLV0k0Ky/DqQ==", "eHk6dEd6djNKT2tGMFhHNVF4MlRsS1dJNCsvw6k",
    ])
    func `a text that repeats a part of a secret in any encoding is withheld`(text: String) {
        #expect(EchoFilter([Self.token]).passed(text) == nil)
        #expect(EchoFilter(["another secret", Self.token]).passed(text) == nil)
        #expect(EchoFilter(["another secret"]).passed(text) == text)
    }

    @Test(arguments: [
        "The token is wrong.", "", "tGzv3JO", "WI4+/é", "100 % of it", "%", "%4", #"\"#, #"\u00"#, "&#", "&#x;", "&;",
        "A&B",
        "zu lang: 64 Zeichen \u{1F510}",
    ])
    func `every other text passes unchanged`(text: String) {
        #expect(EchoFilter([Self.token]).passed(text) == text)
    }

    /// The API key or password, and the server's text.
    @Test(arguments: [
        ("customer-ios-9f2c", "This account is registered as a customer. Use the customer app to sign in."),
        ("password123", "Wrong email or password."), ("contraseña-7", "La contraseña es incorrecta."),
        ("email_or_password.1", "Wrong email or password."),
    ])
    func `a sentence that only shares words with a secret is not withheld`(secret: String, text: String) {
        #expect(EchoFilter([secret]).passed(text) == text)
        #expect(EchoFilter([secret]).passed("\(text) (\(secret))") == nil)
    }

    @Test func `words of a secret are withheld if they are all of it or sixteen bytes of it`() {
        #expect(EchoFilter(["open sesame"]).passed("The password Open Sesame is wrong.") == nil)
        #expect(EchoFilter(["open sesame"]).passed("The password open sesam... is wrong.") != nil)
        let long = EchoFilter(["correct horse battery staple"])
        #expect(long.passed("No: rrect-horse-batt...") == nil)
        #expect(long.passed("No: rrect-horse-bat...") != nil)
    }

    @Test(arguments: ["'hunter2' is wrong", "hunter2", "HUNTER2!", "password=hunter2&x=1", "%68unter2", "aHVudGVyMg=="])
    func `a short secret is withheld as a whole word`(text: String) {
        #expect(EchoFilter(["hunter2"]).passed(text) == nil)
    }

    @Test func `a text with a short secret inside a longer word is not withheld`() {
        let text = "The password passes through unharmed."
        #expect(EchoFilter(["pass", "word", "arm"]).passed(text) == text)
        #expect(EchoFilter(["word", "through"]).passed(text) == nil)
    }

    /// The text of an error no longer contains these characters.
    @Test(arguments: ["pass7x1", "wrong: pass7x1", #"pass\u200c7x1"#, "pass\u{200C}7x1", "pass7x1-longer"])
    func `invisible characters are ignored`(text: String) {
        #expect(EchoFilter(["pass\u{200C}7x1"]).passed(text) == nil)
        #expect(EchoFilter(["pass\u{200C}7x1\u{200D}-lon\n"]).passed(text + "-longer") == nil)
        #expect(EchoFilter(["\u{200C}"]).passed(text) == text)
    }

    @Test func `a pair of surrogate escapes is one character`() {
        #expect(EchoFilter(["k\u{1F511}abc\u{1F511}"]).passed(#"wrong: k\ud83d\udd11abc\uD83D\uDD11"#) == nil)
        #expect(EchoFilter(["abc"]).passed(#"\ud83dabc\udd11\ud83d"#) == nil)
    }

    @Test(arguments: [
        "a%2Fb&lt;c&gt;def", "a%2Fb<c>def", "a/b<c>def", "a%252Fb%26lt%3Bc%26gt%3Bdef", #"a%2Fb\u003cc\u003edef"#,
    ])
    func `a secret that looks escaped is withheld in any further encoding`(echo: String) {
        #expect(EchoFilter(["a%2Fb<c>def"]).passed("wrong: \(echo)") == nil)
    }

    @Test func `an empty list and an empty secret withhold nothing`() {
        #expect(EchoFilter([]).passed("text") == "text")
        #expect(EchoFilter([""]).passed("text") == "text")
    }

    /// The largest possible secret, in every form.
    @Test(.timeLimit(.minutes(1))) func `a long secret and a long text take linear time`() {
        let secret = String(repeating: "a\u{301}\u{316}", count: 13_000)
        let text = String(repeating: "b\u{316}\u{301}", count: 13_000)
        #expect(EchoFilter([secret]).passed(text) != nil)
        #expect(EchoFilter([secret]).passed(text + secret.prefix(4)) == nil)
    }

    @Test func `a printed filter shows no secret`() {
        var dumped = ""
        dump(EchoFilter([Self.token]), to: &dumped)
        #expect(!dumped.contains("tGzv"))
        #expect(!"\(EchoFilter([Self.token]))".contains("tGzv"))
    }
}
