// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore

@testable import ReferenceBackend

/// A server that refuses every sign-in with one response, as no reference backend does.
enum RefusingBackend {
    /// Runs a test with the server.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - body: The body of the response.
    ///   - headers: The header fields of the response.
    ///   - test: The test; it gets the server's URL.
    /// - Throws: The test's error; an error if the server can't be started.
    static func run(
        _ status: HTTPResponse.Status,
        _ body: String,
        headers: HTTPFields = [:],
        _ test: (String) async throws -> Void
    ) async throws {
        let router = Router(context: BackendContext.self)
        // The browser comes back at once, without a visit to Apple.
        router.get("/api/auth/apple/start") { request, _ in
            let address = request.uri.queryParameters.get("redirect_uri") ?? ""
            let state = request.uri.queryParameters.get("state") ?? ""
            let code = String(repeating: "A", count: 43)
            return Response(status: .seeOther, headers: [.location: "\(address)?code=\(code)&state=\(state)"])
        }
        for path in ["/api/auth/apple/redeem", "/api/v1/auth/login"] {
            router.post(RouterPath(path)) { _, _ in
                var fields = headers
                fields[.contentType] = "application/json"
                return Response(status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(string: body)))
            }
        }
        let listener = try await HTTPListener.start(router: router, host: "127.0.0.1", port: 0)
        do {
            try await test("http://127.0.0.1:\(listener.port)")
        } catch {
            await listener.stop()
            throw error
        }
        await listener.stop()
    }
}
