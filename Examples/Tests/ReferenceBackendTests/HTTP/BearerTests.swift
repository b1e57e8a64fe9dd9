// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Testing

@testable import ReferenceBackend

@Suite("Bearer tokens")
struct BearerTests {
    private func run(_ test: (TestBackend) async throws -> Void) async throws {
        try await TestBackend.run(configure: { $0.appleStandInPort = 0 }, test)
    }

    @Test(arguments: ["/api/me", "/api/jobs"])
    func `the protected calls accept a token of either contract`(path: String) async throws {
        try await run { server in
            let access = try await server.login().access
            for token in [access, try await server.sessionToken()] {
                #expect(try await server.get(path, bearer: token).status == 200)
            }
        }
    }

    @Test func `a job can be added`() async throws {
        try await run { server in
            let access = try await server.login().access
            let body = ["title": "Two beds", "address": "1 New Road"]
            let answer = try await server.post("/api/jobs", body, bearer: access)
            #expect(answer.status == 201)
            let all = try await server.get("/api/jobs", bearer: access)
            let jobs = try #require(try JSONSerialization.jsonObject(with: all.body) as? [[String: String]])
            #expect(jobs.last?["title"] == "Two beds")
            #expect(jobs.last?["id"] == answer.string("id"))
        }
    }

    @Test func `a token of contract A is not accepted in contract B`() async throws {
        try await run { server in
            let session = try await server.sessionToken()
            let refresh = try await server.login().refresh
            let answer = try await server.post("/api/v1/auth/logout", ["refreshToken": refresh], bearer: session)
            #expect(answer.code == "invalid_token")
        }
    }

    @Test(arguments: ["/api/auth/validate", "/api/auth/refresh"])
    func `a token of contract B is not accepted in contract A`(path: String) async throws {
        try await run { server in
            let answer = try await server.post(path, bearer: server.login().access)
            #expect(answer.status == 401)
            #expect(answer.code == "invalid_token")
        }
    }

    @Test func `an identity token is not accepted as a session token`() async throws {
        try await run { server in
            let token = try server.standIn.key.sign(server.claims())
            #expect(try await server.post("/api/auth/validate", bearer: token).code == "invalid_token")
        }
    }

    @Test func `a request without a token gets a challenge without an error`() async throws {
        try await run { server in
            let answer = try await server.get("/api/me")
            #expect(answer.status == 401)
            #expect(answer.code == "missing_token")
            #expect(answer.challenge == "Bearer")
        }
    }

    @Test(arguments: ["x", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
    func `an invalid token gets a challenge with an error`(token: String) async throws {
        try await run { server in
            let answer = try await server.get("/api/me", bearer: token)
            #expect(answer.status == 401)
            #expect(answer.code == "invalid_token")
            #expect(answer.challenge == #"Bearer error="invalid_token""#)
        }
    }

    @Test(arguments: [
        (#"{"alg":"HS256"}"#, 200), (#"{"alg":"none"}"#, 401), (#"{"alg":"HS384"}"#, 401), ("{}", 401),
        (#"{"alg":"HS256","crit":["exp"]}"#, 401),
    ])
    func `a token signed with the server's key is accepted only with HS256 and without a critical header`(
        header: String,
        status: Int
    ) async throws {
        try await run { server in
            let database = try BackendDatabase(path: server.databasePath)
            let key = try await ServerKeys(database: database).key(for: "access token")
            try database.close()
            let claims = try await server.login().access.split(separator: ".")[1]
            let input = "\(Data(header.utf8).base64URL).\(claims)"
            let signature = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: key)
            let answer = try await server.get("/api/me", bearer: "\(input).\(Data(signature).base64URL)")
            #expect(answer.status == status)
        }
    }

    @Test func `a token with another signature or none is refused`() async throws {
        try await run { server in
            let access = try await server.login().access
            let parts = access.split(separator: ".")
            let other = try await server.login().access.split(separator: ".")
            let unsigned = Data(#"{"alg":"none"}"#.utf8).base64URL
            for (header, signature) in [(parts[0], other[2]), (parts[0], ""), (unsigned[...], "")] {
                let token = "\(header).\(parts[1]).\(signature)"
                #expect(try await server.get("/api/me", bearer: token).status == 401)
            }
        }
    }
}
