// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import Logging
import ReferenceBackend
import SharedTestSupport
import Testing

@Suite("Invalid requests")
struct RequestBoundaryTests {
    @Test(arguments: ["", "{", "[]", "null", #"{"refreshToken": 7}"#, #"{"refreshToken": null}"#, "{}"])
    func `a body that is not the expected JSON is refused`(body: String) async throws {
        try await TestBackend.run { server in
            let answer = try await server.post("/api/v1/auth/refresh", body)
            #expect(answer.status == 400)
            #expect(answer.code == "invalid_request")
        }
    }

    @Test func `another content type is refused`() async throws {
        try await TestBackend.run { server in
            let answer = try await server.post(
                "/api/v1/auth/refresh",
                #"{"refreshToken":"x"}"#,
                headers: ["Content-Type": "text/plain"]
            )
            #expect(answer.status == 400)
            #expect(answer.code == "invalid_request")
        }
    }

    @Test(arguments: ["/api/auth/apple", "/api/v1/auth/login", "/api/v1/auth/refresh"])
    func `a body beyond 64 KiB is refused`(path: String) async throws {
        try await TestBackend.run { server in
            let answer = try await server.post(path, String(repeating: " ", count: 64 * 1024 + 1))
            #expect(answer.status == 413)
            #expect(answer.code == "request_too_large")
        }
    }

    @Test func `an unknown path is refused`() async throws {
        try await TestBackend.run { server in
            let answer = try await server.get("/api/nothing")
            #expect(answer.status == 404)
            #expect(answer.code == "not_found")
        }
    }

    @Test(arguments: ["/api/auth/apple", "//api/auth/apple", "/api//auth/apple/"])
    func `an unsupported method is refused with a list of the supported ones`(path: String) async throws {
        try await TestBackend.run { server in
            let answer = try await server.get(path)
            #expect(answer.status == 405)
            #expect(answer.code == "method_not_allowed")
            #expect(answer.header("Allow") == "POST")
        }
    }

    @Test func `health needs no key and no token`() async throws {
        try await TestBackend.run(configure: { $0.apiKey = "key" }) { server in
            let answer = try await server.get("/health")
            #expect(answer.status == 200)
            #expect(answer.object["success"] as? Bool == true)
        }
    }

    @Test(arguments: [nil, "", "wrong", "key2"])
    func `a missing or wrong key is refused without a Bearer challenge`(key: String?) async throws {
        try await TestBackend.run(configure: { $0.apiKey = "key" }) { server in
            let headers = key.map { ["X-API-Key": $0] } ?? [:]
            let answer = try await server.get("/api/jobs", headers: headers)
            #expect(answer.status == 401)
            #expect(answer.code == "invalid_api_key")
            #expect(answer.challenge == nil)
        }
    }

    /// The router ignores empty path components; a check by the text of the path would be bypassed.
    @Test(arguments: ["//api/jobs", "///api//jobs/", "/%61pi/jobs", "/%2Fapi/jobs"])
    func `another spelling of a path does not bypass the key`(path: String) async throws {
        try await TestBackend.run(configure: { $0.apiKey = "key" }) { server in
            let answer = try await server.get(path)
            #expect(answer.status == 401)
            #expect(answer.code == "invalid_api_key")
        }
    }

    @Test func `a response is counted for its route, however the path is spelled`() async throws {
        try await TestBackend.run { server in
            let answer = try await server.get("//health/")
            #expect(answer.status == 200)
            #expect(server.backend.statistics.count("GET", "/health", status: 200) == 1)
        }
    }

    @Test func `the right key is accepted`() async throws {
        try await TestBackend.run(configure: { $0.apiKey = "key" }) { server in
            let answer = try await server.post(
                "/api/v1/auth/login",
                TestBackend.loginBody,
                headers: ["X-API-Key": "key"]
            )
            #expect(answer.status == 200)
        }
    }

    @Test func `no log line holds a token, a password, an address or a query`() async throws {
        let lines = Collected<LogLine>()
        try await TestBackend.run(configure: {
            $0.appleStandInPort = 0
            $0.logger = Logger(label: "test") { _ in CollectingLogHandler(lines: lines) }
        }) { server in
            let pair = try await server.login()
            _ = try await server.refresh(pair.refresh)
            _ = try await server.get("/api/me?query=\(pair.access)", bearer: pair.access)
            _ = try await server.get("/api/me", bearer: "wrong")
            _ = try await server.sessionToken()
            let text = lines.all.map(\.text).joined(separator: "\n")
            #expect(text.contains("GET /api/me 401"))
            #expect(text.contains("invalid_token"))
            let secrets =
                server.issued.all.map(\.rawValue)
                + [TestBackend.password, TestBackend.email, TestBackend.rawNonce, "query="]
            for secret in secrets { #expect(!text.contains(secret)) }
        }
    }

    /// Marks that `String` sorts before it compares or hashes: a second for this text.
    private static let marks =
        "a" + String(repeating: "\u{301}", count: 16_000) + String(repeating: "\u{316}", count: 16_000)

    /// The time to sort the marks once, on this machine with its load.
    private static let sorting = ContinuousClock().measure { _ = marks.hashValue }

    @Test(
        arguments: [
            (#"{"refreshToken":"MARKS"}"#, "application/json", 413), (#"{"MARKS":"x"}"#, "application/json", 413),
            ("MARKS=x&client_id=y", "application/x-www-form-urlencoded", 400),
        ]
    )
    func `a body of combining marks is refused at once`(body: String, type: String, status: Int) async throws {
        try await TestBackend.run(configure: { $0.appleStandInPort = 0 }) { server in
            let standIn = "http://127.0.0.1:\(try #require(server.backend.applePort))"
            let url = status == 400 ? "\(standIn)/auth/token" : "\(server.url)/api/v1/auth/refresh"
            let sent = Data(body.replacing("MARKS", with: Self.marks).utf8)
            let time = try await fastest {
                let answer = try await TestHTTP.post(url, headers: ["Content-Type": type], body: sent)
                #expect(answer.status == status)
            }
            #expect(time < Self.sorting / 2)
        }
    }

    /// Below the limit of a request's head.
    @Test(arguments: ["Authorization", "Content-Type"])
    func `a header field of combining marks is refused at once`(name: String) async throws {
        try await TestBackend.run { server in
            let time = try await fastest {
                let answer = try await server.post("/api/v1/auth/refresh", "{}", headers: [name: Self.marks])
                #expect(answer.status == 400)
            }
            #expect(time < Self.sorting / 2)
        }
    }

    @Test func `a name in another script is within the limit`() async throws {
        try await TestBackend.run(configure: { $0.appleStandInPort = 0 }) { server in
            let answer = try await server.signIn(name: String(repeating: "ä", count: 100))
            #expect(answer.status == 200)
        }
    }
}
