// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A response before it is encoded, so that faults can change it.
struct EndpointResponse: Sendable {
    enum Content: Sendable {
        case none
        case members([String: JSONValue])
        case text(String, type: String)
    }

    var status: Int
    var fields: HTTPFields
    var content: Content
    /// The fields that a fault removes.
    var omittedFields: Set<HTTPField.Name> = []

    init(status: Int = 200, fields: HTTPFields = [:], content: Content = .none) {
        self.status = status
        self.fields = fields
        self.content = content
    }

    init(_ members: [String: JSONValue], status: Int = 200) {
        self.init(status: status, content: .members(members))
    }

    /// Creates a redirect of the browser.
    static func redirect(to url: String) -> EndpointResponse {
        EndpointResponse(status: 303, fields: [.location: url])
    }

    /// Returns the encoded response.
    ///
    /// Fields that a fault has set stay. Caching is forbidden (RFC 6749, 5.1).
    func response(at date: Date) -> TransportResponse {
        var fields = fields
        if fields[.date] == nil { fields[.date] = IMFFixdate.text(of: date) }
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
        let body: [UInt8]
        let type: String?
        switch content {
        case .none: (body, type) = ([], nil)
        case .members(let members): (body, type) = (JSONText.encode(members), "application/json")
        case .text(let text, let textType): (body, type) = (Array(text.utf8), textType)
        }
        if let type, fields[.contentType] == nil { fields[.contentType] = type }
        for name in omittedFields { fields[name] = nil }
        return TransportResponse(
            head: HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields),
            body: body
        )
    }
}
