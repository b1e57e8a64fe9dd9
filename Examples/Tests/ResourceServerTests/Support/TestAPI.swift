// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import ResourceServer

/// An API with routes that demand an access token.
struct TestAPI {
    static let url = "https://api.example.com"

    private let responder: RouterResponder<TestContext>

    init(_ verifier: AccessTokenVerifier, clock: TestClock) {
        let router = Router(context: TestContext.self)
        router.add(middleware: AccessTokenMiddleware(verifier: verifier, baseURL: Self.url))
        router.get("/jobs") { _, context in try context.requireAccessToken().subject }
        router.post("/jobs") { _, context in try context.requireAccessToken().subject }
        router.group("/admin")
            .add(middleware: AccessRequirement(scope: ["jobs.read", "admin"]))
            .get { _, _ in "admin" }
        router.group("/transfers")
            .add(middleware: AccessRequirement(acrValues: ["mfa"], maxAge: .seconds(300), now: { clock.now }))
            .get { _, _ in "transfers" }
        responder = router.buildResponder()
    }

    /// Sends a request.
    func send(
        _ method: HTTPRequest.Method = .get,
        _ path: String = "/jobs",
        authorization: [String] = [],
        proofs: [String] = []
    ) async throws -> Response {
        var fields = HTTPFields()
        for value in authorization { fields.append(HTTPField(name: .authorization, value: value)) }
        if let name = HTTPField.Name("DPoP") {
            for proof in proofs { fields.append(HTTPField(name: name, value: proof)) }
        }
        let head = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "127.0.0.1",
            path: path,
            headerFields: fields
        )
        return try await responder.respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
            context: TestContext(source: TestContext.Source())
        )
    }
}

extension Response {
    /// The challenges, in their order.
    var challenges: [String] { headers[values: .wwwAuthenticate] }
}
