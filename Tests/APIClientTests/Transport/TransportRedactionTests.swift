// SPDX-License-Identifier: Apache-2.0

import APIClient
import HTTPTypes
import Testing

@Suite struct TransportRedactionTests {
    private func shown(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return [String(describing: value), String(reflecting: value), dumped, "\([value])"]
    }

    @Test func `a printed request shows neither header nor target nor body`() {
        var head = HTTPRequest(method: .post, scheme: "https", authority: "h.example", path: "/p?code=secret-1")
        head.headerFields[.authorization] = "Bearer secret-2"
        let request = TransportRequest(head: head, body: Array("secret-3".utf8))
        for text in shown(request) + shown(RequestBody(Array("secret-3".utf8))) {
            #expect(!text.contains("secret-"))
            // As an array of numbers, the body would show its first byte as "115".
            #expect(!text.contains("115"))
        }
        #expect(request.description == "POST <redacted>")
    }

    @Test func `a printed endpoint shows neither query nor path nor header nor body`() {
        let query = [("code", "secret-1")]
        let body = RequestBody(Array("secret-4".utf8))
        let endpoint = Endpoint.raw(.post, "/secret-3", query: query, body: body).with {
            $0.headers = [.authorization: "Bearer secret-2"]
        }
        #expect("\(endpoint)".hasSuffix("(<redacted>)") && "\(body)" == "RequestBody(<redacted>)")
        for text in shown(endpoint) {
            #expect(!text.contains("secret-"))
            #expect(!text.contains("115"))
        }
    }

    @Test func `a printed response shows neither header nor body`() {
        var head = HTTPResponse(status: .ok)
        head.headerFields[.setCookie] = "secret-1"
        for text in shown(TransportResponse(head: head, body: Array("secret-2".utf8))) {
            #expect(!text.contains("secret-"))
            #expect(!text.contains("115"))
        }
    }
}
