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

    var status = 200
    var fields: HTTPFields = [:]
    var content = Content.none
    /// The fields that a fault removes.
    var omittedFields: Set<HTTPField.Name> = []

    /// Returns the encoded response.
    ///
    /// Fields that a fault has set stay. Caching is forbidden (RFC 6749, 5.1).
    func response(at date: Date) -> TransportResponse {
        var fields = fields
        if fields[.date] == nil { fields[.date] = date.httpText }
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

extension EndpointResponse {
    init(_ members: [String: JSONValue], status: Int = 200) {
        self.init(status: status, content: .members(members))
    }

    /// Creates a redirect of the browser.
    static func redirect(to url: String) -> EndpointResponse {
        EndpointResponse(status: 303, fields: [.location: url])
    }
}

/// An OAuth error response.
///
/// [RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2).
struct EndpointError: Error {
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

    static func invalidRequest(_ description: String) -> Self { Self("invalid_request", description) }

    static func invalidGrant(_ description: String) -> Self { Self("invalid_grant", description) }

    /// The refusal of a client, which names the required scheme if the client used the field (RFC 6749, 5.2).
    static func invalidClient(_ description: String, isByField: Bool = false) -> Self {
        let challenge: HTTPFields = [.wwwAuthenticate: "Basic realm=\"provider\""]
        return Self("invalid_client", description, status: 401, fields: isByField ? challenge : [:])
    }

    static var unauthorizedClient: Self {
        Self("unauthorized_client", "The client is not allowed to use this grant type.")
    }

    static var invalidTarget: Self { Self("invalid_target", "The client may not call this API.") }

    /// The response of a JSON endpoint.
    var response: EndpointResponse {
        let members: [String: JSONValue] = ["error": .string(code), "error_description": .string(description)]
        return EndpointResponse(status: status, fields: fields, content: .members(members))
    }

    /// The response to a browser that must not be redirected.
    var page: EndpointResponse {
        let page = "<!doctype html><title>\(code)</title><p>\(description)</p>"
        return EndpointResponse(status: status, fields: fields, content: .text(page, type: "text/html"))
    }
}

extension Date {
    /// The text of a `Date` field, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// [RFC 9110, 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7).
    fileprivate var httpText: String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: self)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let (day, month) = (days[(parts.weekday ?? 1) - 1], months[(parts.month ?? 1) - 1])
        let digits = [parts.day, parts.hour, parts.minute, parts.second].map { String(100 + ($0 ?? 0)).suffix(2) }
        let year = String(10_000 + (parts.year ?? 0)).suffix(4)
        return "\(day), \(digits[0]) \(month) \(year) \(digits[1...].joined(separator: ":")) GMT"
    }
}
