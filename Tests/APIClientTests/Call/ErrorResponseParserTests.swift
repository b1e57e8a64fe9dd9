// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Testing

@Suite struct ErrorResponseParserTests {
    private struct Person: Decodable {
        let name: String
    }

    private static func failure(
        _ body: String,
        status: Int = 400,
        headers: HTTPFields = [:]
    ) async throws -> APIError? {
        let transport = ScriptedTransport { _ in .json(body, status: status, headers: headers) }
        let client = APIClient(baseURL: try BaseURL("https://api.example.com"), transport: transport, retries: 0)
        return await #expect(throws: APIError.self) {
            let _: Person = try await client.send(.get("/me"))
        }
    }

    @Test(
        arguments: [
            (300, .redirected), (302, .redirected), (307, .redirected), (308, .redirected), (400, .refused),
            (401, .unauthorized), (403, .forbidden), (404, .refused), (409, .refused), (422, .refused),
            (429, .rateLimited),
            (499, .refused), (500, .serverFailed), (503, .serverFailed), (599, .serverFailed),
            (101, .malformedResponse),
        ] as [(Int, APIError.Code)]
    )
    func `a status maps to its error code`(status: Int, code: APIError.Code) async throws {
        let error = try await Self.failure("{}", status: status)
        #expect(error?.code == code)
        #expect(error?.status == status)
        #expect(error?.description.contains("\(status)") == true)
    }

    @Test func `an error has the code and the message of a first-party response`() async throws {
        let error = try await Self.failure(
            #"{"error":{"code":"role_conflict","message":"You are a guest."}}"#,
            status: 409
        )
        #expect(error?.serverCode == ServerErrorCode(rawValue: "role_conflict"))
        #expect(error?.serverMessage == "You are a guest.")
    }

    @Test func `an error has the code and the message of an OAuth response`() async throws {
        let error = try await Self.failure(#"{"error":"invalid_grant","error_description":"Code used."}"#)
        #expect(error?.serverCode?.rawValue == "invalid_grant")
        #expect(error?.serverMessage == "Code used.")
    }

    @Test func `an error response with a byte order mark is read`() async throws {
        let body = "\u{FEFF}" + #"{"error":{"code":"invalid_api_key","message":"The API key is wrong."}}"#
        let error = try await Self.failure(body, status: 401)
        #expect(error?.serverCode?.rawValue == "invalid_api_key")
        #expect(error?.serverMessage == "The API key is wrong.")
    }

    @Test(arguments: [
        "", "<html>Bad</html>", "[]", "null", #"{"error":null}"#, #"{"error":5}"#, #"{"message":"x"}"#,
        #"{"error":{"code":5}}"#, #"{"error":{}}"#, #"{"error":""}"#,
    ])
    func `an error response of another format has no server code`(body: String) async throws {
        let error = try await Self.failure(body)
        #expect(error?.code == .refused)
        #expect(error?.serverCode == nil)
        #expect(error?.serverMessage == nil)
    }

    /// Terminal escapes, line breaks that forge log lines, and marks that reverse the direction of text.
    @Test(arguments: [
        (#"a\nb\r\nc"#, "abc"), (#"\u001b[31mred"#, "[31mred"), (#"a\u0000b\u0007"#, "ab"),
        (#"\u202Egpj.exe"#, "gpj.exe"),
        (#"a\u2028b\u2029c"#, "abc"), (#"a\u200Bb\uFEFFc"#, "abc"), (#"a\u0085b\u009Bc"#, "abc"), (#"\uE000x"#, "x"),
        (#"Zo\u00EB \uD83D\uDE00"#, "Zo\u{EB} \u{1F600}"),
    ])
    func `unsafe characters are removed from a server's code and message`(sent: String, kept: String) async throws {
        let error = try await Self.failure(#"{"error":{"code":"\#(sent)","message":"\#(sent)"}}"#)
        #expect(error?.serverMessage == kept)
        #expect(error?.serverCode?.rawValue == kept)
    }

    @Test func `a message of only control characters is dropped`() async throws {
        let error = try await Self.failure(#"{"error":{"code":"\n","message":"\u0000\u001b"}}"#)
        #expect(error?.serverCode == nil)
        #expect(error?.serverMessage == nil)
    }

    @Test func `a long message is truncated`() async throws {
        let long = String(repeating: "x", count: 10_000)
        let error = try await Self.failure(#"{"error":{"code":"\#(long)","message":"\#(long)"}}"#)
        #expect(error?.serverCode?.rawValue.count == 64)
        #expect(error?.serverMessage?.count == 300)
    }

    @Test func `a huge error response is not searched for a message`() async throws {
        let long = String(repeating: "x", count: 70_000)
        let error = try await Self.failure(#"{"error":{"code":"c","message":"\#(long)"}}"#)
        #expect(error?.serverCode == nil)
    }

    @Test(
        arguments: [
            ("30", .seconds(30)), ("0", .zero), ("-5", .zero), ("soon", nil), ("", nil), ("1.5", nil),
            ("Wed, 21 Oct 2015 07:28:00 GMT", .zero), ("99999999999999999999999", nil),
        ] as [(String, Duration?)]
    )
    func `an error has the duration of Retry-After`(value: String, expected: Duration?) async throws {
        let error = try await Self.failure("{}", status: 429, headers: [.retryAfter: value])
        #expect(error?.code == .rateLimited)
        #expect(error?.retryAfter == expected)
    }

    @Test(arguments: ["", "<html></html>", "[]", "{}", #"{"name":1}"#, #"{"name":"#, "null"])
    func `a response that can't be decoded is malformed`(body: String) async throws {
        let error = try await Self.failure(body, status: 200)
        #expect(error?.code == .malformedResponse)
        #expect(error?.status == 200)
        #expect(error?.underlying is DecodingError)
    }

    /// A dictionary hashes names as characters, which would take hours for this one.
    @Test(.timeLimit(.minutes(1)), arguments: [200, 400])
    func `a member name of megabytes does not slow decoding down`(status: Int) async throws {
        let name = "a" + String(repeating: "\u{301}\u{316}", count: 1_000_000)
        let error = try await Self.failure(#"{"name":"Ada","\#(name)":1}"#, status: status)
        #expect(error?.code == (status == 200 ? .malformedResponse : .refused))
    }

    @Test func `a response in UTF-16 is malformed, although JSONDecoder accepts it`() async throws {
        let body = #"{"name":"Ada"}"#.map { "\($0)\u{0}" }.joined()
        #expect(try await Self.failure(body, status: 200)?.code == .malformedResponse)
    }

    @Test(.timeLimit(.minutes(1))) func `an error response with a long member name is not decoded`() async throws {
        let name = "a" + String(repeating: "\u{301}\u{316}", count: 16_000)
        let error = try await Self.failure(#"{"error":{"code":"c","\#(name)":1}}"#)
        #expect(error?.code == .refused)
        #expect(error?.serverCode == nil)
    }

    @Test(arguments: [500, 503, 599])
    func `an error of status 5xx has no message, and no server code but invalid_grant`(status: Int)
        async throws
    {
        let error = try await Self.failure(#"{"error":{"code":"c","message":"at db.query(...)"}}"#, status: status)
        #expect(error?.serverCode == nil)
        #expect(error?.serverMessage == nil)
        #expect(error?.description == "The server failed (status \(status)).")
    }

    @Test func `of a 5xx only the code invalid_grant is kept, which a session heeds`() async throws {
        for body in [#"{"error":"invalid_grant","error_description":"m"}"#, #"{"error":{"code":"invalid_grant"}}"#] {
            let error = try await Self.failure(body, status: 500)
            #expect(error?.serverCode?.rawValue == "invalid_grant")
            #expect(error?.serverMessage == nil)
        }
    }

    @Test func `an error's description contains neither message nor body`() async throws {
        let error = try await Self.failure(#"{"error":{"code":"c","message":"sk-4f1d"}}"#)
        #expect(error?.description == "The server refused the request (status 400, c).")
    }
}
