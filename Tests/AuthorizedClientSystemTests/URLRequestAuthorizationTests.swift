// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import AuthTesting
import Foundation
import Testing
import URLSessionAuthorization

@testable import OpenIDSessionTests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLRequest` that gets a session's token, and that the app sends itself.
@Suite(.timeLimit(.minutes(1)))
struct URLRequestAuthorizationTests {
    private func status(of request: URLRequest) async throws -> Int {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let (_, response) = try await session.data(for: request)
        return try #require(response as? HTTPURLResponse).statusCode
    }

    @Test func `an authorized request carries the session's token in place of another`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let token = try await fixture.session.accessToken().unredacted
        let server = try HTTPResourceServer { call in
            call.authorization == ["Bearer \(token)"] ? .accepted : .refused(401, challenge: nil)
        }
        var request = URLRequest(url: try #require(URL(string: server.address + "/job")))
        request.setValue("Bearer other", forHTTPHeaderField: "Authorization")
        request.setValue("other", forHTTPHeaderField: "DPoP")
        try await fixture.session.authorize(&request)
        #expect(try await status(of: request) == 200)
        #expect(server.calls.map(\.path) == ["/job"])
        #expect(server.calls.first?.proofs == [])
    }

    @Test func `an authorized request carries a proof for a bound token`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        let token = try await fixture.session.accessToken().unredacted
        let server = try HTTPResourceServer { call in
            call.authorization == ["DPoP \(token)"] ? .accepted : .refused(401, challenge: nil)
        }
        var request = URLRequest(url: try #require(URL(string: server.address + "/job")))
        request.httpMethod = "DELETE"
        try await fixture.session.authorize(&request)
        #expect(try await status(of: request) == 200)
        let call = try #require(server.calls.first)
        #expect(call.proofs.count == 1)
        let claims = try UnverifiedJWT(try #require(call.proofs.first)).claims.all
        #expect(claims["htm"] == .string("DELETE"))
        #expect(claims["htu"] == .string(server.address + "/job"))
    }

    @Test func `a request that can't be authorized carries no credential`() async throws {
        let fixture = try await ProviderFixture()
        var request = URLRequest(url: try #require(URL(string: "https://api.example.com/job")))
        request.setValue("Bearer other", forHTTPHeaderField: "Authorization")
        let error = await #expect(throws: AuthSessionError.self) { try await fixture.session.authorize(&request) }
        #expect(error?.code == .notSignedIn)
        #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
    }
}
