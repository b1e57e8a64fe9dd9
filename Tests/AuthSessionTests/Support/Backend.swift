// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A backend that supports both contracts; a test may replace the response to each call.
final class Backend: Sendable {
    typealias Handler = ScriptedTransport.Handler

    static let login = "/api/v1/auth/login"
    static let pairRefresh = "/api/v1/auth/refresh"
    static let logout = "/api/v1/auth/logout"
    static let apple = "/api/auth/apple"
    static let validate = "/api/auth/validate"
    static let tokenRefresh = "/api/auth/refresh"

    private let handlers = Mutex<[String: Handler]>([:])
    private let rotations = Mutex(1)

    /// Sets the response to a call from now on.
    func on(_ path: String, _ handler: @escaping Handler) {
        handlers.withLock { $0[path] = handler }
    }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        let path = String(request.head.path ?? "")
        if let handler = handlers.withLock({ $0[path] }) { return try await handler(request) }
        switch path {
        case Self.login: return Self.pair(1, user: true)
        case Self.pairRefresh: return Self.pair(next())
        case Self.logout: return TransportResponse(head: HTTPResponse(status: .noContent))
        case Self.apple: return Self.sessionToken(1, user: true)
        case Self.tokenRefresh: return Self.sessionToken(next())
        case Self.validate: return .json(#"{"success": true, "user": \#(Self.user)}"#)
        default: return .json("{}", status: 404)
        }
    }

    private func next() -> Int {
        rotations.withLock { number in
            number += 1
            return number
        }
    }

    static let user = #"{"id": "u1", "name": "Ada Lovelace", "email": "ada@example.org", "role": "customer"}"#

    /// Returns the tokens `access-N` and `refresh-N`, valid for 15 minutes.
    static func pair(
        _ number: Int,
        user: Bool = false,
        scope: String = "openid email profile"
    ) -> TransportResponse {
        let member = user ? #""user": \#(Self.user),"# : ""
        return .json(
            """
            {\(member) "accessToken": "access-\(number)", "refreshToken": "refresh-\(number)", "tokenType": "Bearer", \
            "expiresIn": 900, "scope": "\(scope)"}
            """
        )
    }

    /// Returns a JWT whose dates are far from the test clock's: only its lifetime of 30 days is right.
    static func jwt(_ number: Int) -> String { jwt(#"{"jti":"\#(number)","iat":1000000,"exp":3592000}"#) }

    static func jwt(_ claims: String) -> String {
        let header = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8))
        let payload = Base64URL.encode(Array(claims.utf8))
        return "\(header).\(payload).c2ln"
    }

    static func sessionToken(_ number: Int, user: Bool = false) -> TransportResponse {
        let member = user ? #", "user": \#(Self.user)"# : ""
        return .json(#"{"success": true, "token": "\#(jwt(number))"\#(member)}"#)
    }

    static func failure(_ status: Int, code: String, message: String = "No.") -> TransportResponse {
        .json(#"{"success": false, "error": {"code": "\#(code)", "message": "\#(message)"}}"#, status: status)
    }

    static let unreachable: Handler = { _ in
        throw TransportError(.connectionRefused, mayHaveReachedServer: false)
    }

    static let lost: Handler = { _ in
        throw TransportError(.connectionClosed, mayHaveReachedServer: true)
    }
}

extension TransportRequest {
    /// The members of the body.
    var members: [String: JSONValue] {
        get throws {
            try JSONDecoder().decode([String: JSONValue].self, from: Data(body ?? []))
        }
    }

    func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { head.headerFields[$0] }
    }
}
