import AuthCore
import Testing

/// What a server may say of what it refuses, and what it may not.
@Suite struct EchoFilterTests {
    private static let token = "tGzv3JOkF0XG5Qx2TlKWIA+/é"

    @Test(arguments: [
        "The token tGzv3JOkF0XG5Qx2TlKWIA+/é is wrong.", "tGzv3JOkF0XG5Qx2TlKWIA+/é", "wrong: 'tGzv3JOk...'",
        "tgzv3jokf0xg5qx2tlkwia", "...0XG5Qx2T...", "lKWIA+/é", "lKWIA%2B%2F%C3%A9", "lKWIA%252B%252F%25C3%25A9",
        "lKWIA%2b/%c3%a9", "lKWIA /é", #"lKWIA+\/é"#, #"lKWIA\u002b\u002f\u00e9"#, #"lKWIA\x2b\x2f\xc3\xa9"#,
        "lKWIA&#43;&#x2f;é", "&quot;lKWIA&#x2B;/é&quot;", "dEd6djNKT2tGMFhHNVF4MlRsS1dJQSsvw6k=",
        "c2FsbHk6dEd6djNKT2tGMFhHNVF4MlRsS1dJQSsvw6k=",
        "eDp0R3p2M0pPa0YwWEc1UXgyVGxLV0lBKy/DqQ==", "eHk6dEd6djNKT2tGMFhHNVF4MlRsS1dJQSsvw6k",
    ])
    func `a text that repeats a run of a secret, in whatever form, is withheld`(text: String) {
        #expect(EchoFilter([Self.token]).passed(text) == nil)
        #expect(EchoFilter(["another secret", Self.token]).passed(text) == nil)
        #expect(EchoFilter(["another secret"]).passed(text) == text)
    }

    @Test(arguments: [
        "The token is wrong.", "", "tGzv3JO", "WIA+/é", "100 % of it", "%", "%4", #"\"#, #"\u00"#, "&#", "&#x;", "&;",
        "A&B",
        "zu lang: 64 Zeichen \u{1F510}",
    ])
    func `every other text passes as it is`(text: String) {
        #expect(EchoFilter([Self.token]).passed(text) == text)
    }

    @Test(arguments: ["'hunter2' is wrong", "hunter2", "HUNTER2!", "password=hunter2&x=1", "%68unter2", "aHVudGVyMg=="])
    func `a short secret is withheld as a whole word`(text: String) {
        #expect(EchoFilter(["hunter2"]).passed(text) == nil)
    }

    @Test func `a short secret that is part of a word withholds nothing`() {
        let text = "The password passes through unharmed."
        #expect(EchoFilter(["pass", "word", "arm"]).passed(text) == text)
        #expect(EchoFilter(["word", "through"]).passed(text) == nil)
    }

    @Test func `nothing that was sent withholds nothing`() {
        #expect(EchoFilter([]).passed("text") == "text")
        #expect(EchoFilter([""]).passed("text") == "text")
    }

    /// The largest secret that there is, in every form.
    @Test(.timeLimit(.minutes(1))) func `a long secret and a long text take no more than linear time`() {
        let secret = String(repeating: "a\u{301}\u{316}", count: 13_000)
        let text = String(repeating: "b\u{316}\u{301}", count: 13_000)
        #expect(EchoFilter([secret]).passed(text) != nil)
        #expect(EchoFilter([secret]).passed(text + "a\u{301}\u{316}a\u{301}\u{316}") == nil)
    }

    @Test func `printed, a filter shows no secret`() {
        var dumped = ""
        dump(EchoFilter([Self.token]), to: &dumped)
        #expect(!dumped.contains("tGzv"))
        #expect(!"\(EchoFilter([Self.token]))".contains("tGzv"))
    }
}
