// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AuthCore
import Synchronization
import Testing

@testable import OpenIDConnect
@testable import OpenIDConnectTests

/// A listener, its authorization request, and ways to send it requests.
struct Loopback: Sendable {
    let listener: LoopbackListener
    let request: AuthorizationRequest
    let authority: String
    let port: Int

    static func start(
        _ redirect: LoopbackRedirect = LoopbackRedirect(),
        limits: LoopbackLimits = LoopbackLimits()
    ) async throws -> Loopback {
        let listener = try LoopbackListener(redirect, limits)
        let authority = String(try #require(listener.redirectURI.split(separator: "/").dropFirst().first))
        return Loopback(
            listener: listener,
            request: try await Provider.request(redirectURI: listener.redirectURI),
            authority: authority,
            port: try #require(authority.split(separator: ":").last.flatMap { Int($0) })
        )
    }

    /// The state, which a foreign process would have to know.
    var state: String { request.state.unredacted }

    /// The awaited callback.
    var rightCallback: String { self.get("/callback?code=right&state=\(state)") }

    /// Returns a GET request as a browser writes it.
    func get(_ target: String) -> String { head("GET \(target)") }

    /// Returns a request with the right host.
    func head(_ line: String) -> String { "\(line) HTTP/1.1\r\nHost: \(authority)\r\n\r\n" }

    /// Sends a request on a new connection and returns the response.
    @discardableResult
    func rawResponse(to text: String) async throws -> RawResponse {
        try await RawConnection.rawResponse(to: text, at: port)
    }

    /// Waits for the response during foreign requests, and checks that the right callback is accepted after them.
    func response(after visits: () async throws -> Void) async throws {
        let response = try await listener.response(to: request) { _ in
            try await visits()
            let answer = try await rawResponse(to: rightCallback)
            #expect(answer.status == 200)
        }
        #expect(response.code == "right")
    }

    /// Returns the response to one foreign request, which must change nothing; HOST and STATE stand for the right
    /// values.
    static func rawResponse(toForeign text: String) async throws -> RawResponse {
        let loopback = try await Loopback.start()
        let text = text.replacing("HOST", with: loopback.authority).replacing("STATE", with: loopback.state)
        let answer = Mutex<RawResponse?>(nil)
        try await loopback.response {
            let one = try await loopback.rawResponse(to: text)
            answer.withLock { $0 = one }
        }
        return try #require(answer.withLock { $0 })
    }
}
#endif
