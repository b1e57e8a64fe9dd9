// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

/// An OAuth error response.
///
/// [RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2).
struct OAuthError: Error {
    let code: String
    let description: String
    var status = 400
    var fields: HTTPFields = [:]

    init(_ code: String, _ description: String, status: Int = 400, fields: HTTPFields = [:]) {
        self.code = code
        self.description = description
        self.status = status
        self.fields = fields
    }

    /// The response of a JSON endpoint.
    var response: EndpointResponse {
        EndpointResponse(
            status: status,
            fields: fields,
            content: .members(["error": .string(code), "error_description": .string(description)])
        )
    }

    /// The response to a browser that must not be redirected.
    var page: EndpointResponse {
        EndpointResponse(
            status: status,
            fields: fields,
            content: .text("<!doctype html><title>\(code)</title><p>\(description)</p>", type: "text/html")
        )
    }
}
