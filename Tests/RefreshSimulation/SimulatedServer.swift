// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The server of the contract `tokenPair`: token families that rotate, a grace window, and reuse that ends the family.
///
/// Its tokens are `access-F-N` and `refresh-F-N`, of family F and rotation N. The request that causes a rotation names
/// the API of its access token. Within the grace window the server repeats the same pair, even to a request that names
/// another API.
final class SimulatedServer: Sendable {
    /// The reason why a family ended.
    enum End: String, Sendable {
        case reuse, signOut, administrator
    }

    /// A token by its family and rotation.
    struct Number: Sendable, Hashable, CustomStringConvertible {
        let family: Int
        let rotation: Int

        var description: String { "\(family)-\(rotation)" }

        /// Reads `access-F-N` or `refresh-F-N`.
        init?(_ token: String) {
            let parts = token.split(separator: "-")
            guard parts.count == 3, let family = Int(parts[1]), let rotation = Int(parts[2]) else { return nil }
            (self.family, self.rotation) = (family, rotation)
        }

        init(family: Int, rotation: Int) {
            (self.family, self.rotation) = (family, rotation)
        }
    }

    /// A reuse of an old token.
    struct Reuse: Sendable {
        let presented: Number
        let current: Number
    }

    private struct Family {
        /// The APIs that the access tokens are for, from rotation 1 on; nil is the session's own.
        var targets: [String?] = [nil]
        var current: Int { targets.count }
        var rotatedAt: TestClock.Instant?
        var end: End?
    }

    static let grace = Duration.seconds(10)
    static let lifetime = 120
    static let login = "/api/v1/auth/login"
    static let refresh = "/api/v1/auth/refresh"
    static let logout = "/api/v1/auth/logout"
    /// The header field of a refresh that names another API.
    static let targetField = HTTPField.Name("Target-API") ?? .authorization

    private let families = Mutex<[Family]>([])
    private let clock: TestClock

    init(clock: TestClock) {
        self.clock = clock
    }

    /// The number of rotations.
    var rotations: Int { families.withLock { $0.reduce(0) { $0 + $1.current - 1 } } }

    /// The number of rotations with an access token for another API.
    var resourceRotations: Int {
        families.withLock { $0.reduce(0) { sum, family in sum + family.targets.count { $0 != nil } } }
    }

    func current(of family: Int) -> Int {
        families.withLock { $0[family].current }
    }

    /// Returns the API that an access token was issued for; nil is the session's own.
    func target(of token: Number) -> String? {
        families.withLock { $0[token.family].targets[token.rotation - 1] }
    }

    /// Returns the newest access token of a family for an API, or the session's own; nil if none was issued.
    func newest(of family: Int, for target: String?) -> Number? {
        families.withLock { families in
            families[family].targets.lastIndex { $0 == target }.map { Number(family: family, rotation: $0 + 1) }
        }
    }

    func end(of family: Int) -> End? {
        families.withLock { $0[family].end }
    }

    /// Ends every family, as an administrator would.
    func endAll() {
        families.withLock { families in
            for index in families.indices where families[index].end == nil { families[index].end = .administrator }
        }
    }

    /// Responds to a request when it arrives.
    ///
    /// - Parameter request: The arriving request.
    /// - Returns: The response, which may still be lost, and the reuse; nil if the token was not reused.
    func response(_ request: TransportRequest) -> (TransportResponse, Reuse?) {
        switch request.head.path ?? "" {
        case Self.login:
            let family = families.withLock { families in
                families.append(Family())
                return families.count - 1
            }
            return (Self.pair(Number(family: family, rotation: 1), user: true), nil)
        case Self.refresh:
            return rotate(request)
        case Self.logout:
            // Stricter than the reference backend: an outdated token ends nothing.
            if let presented = Self.presented(by: request) {
                families.withLock { families in
                    guard families[presented.family].current == presented.rotation else { return }
                    families[presented.family].end = families[presented.family].end ?? .signOut
                }
            }
            return (TransportResponse(head: HTTPResponse(status: .noContent)), nil)
        default:
            return (.json("{}"), nil)
        }
    }

    private func rotate(_ request: TransportRequest) -> (TransportResponse, Reuse?) {
        guard let presented = Self.presented(by: request) else { return (Self.refusal, nil) }
        let now = clock.now
        let (response, reused) = families.withLock { families -> (Number?, Reuse?) in
            var family = families[presented.family]
            defer { families[presented.family] = family }
            guard family.end == nil else { return (nil, nil) }
            let current = Number(family: presented.family, rotation: family.current)
            if presented == current {
                family.targets.append(Self.target(in: request))
                family.rotatedAt = now
                return (Number(family: presented.family, rotation: family.current), nil)
            }
            if presented.rotation == family.current - 1, let rotatedAt = family.rotatedAt,
                rotatedAt.duration(to: now) <= Self.grace
            {
                return (current, nil)
            }
            family.end = .reuse
            return (nil, Reuse(presented: presented, current: current))
        }
        return (response.map { Self.pair($0) } ?? Self.refusal, reused)
    }

    /// Returns the API that a request names; nil is the session's own.
    static func target(in request: TransportRequest) -> String? { request.head.headerFields[targetField] }

    /// Returns the refresh token in a request's body.
    static func presented(by request: TransportRequest) -> Number? {
        struct Body: Decodable {
            let refreshToken: String
        }
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(request.body ?? [])) else { return nil }
        return Number(body.refreshToken)
    }

    /// Returns the refresh token in a response.
    static func issued(in response: TransportResponse) -> Number? {
        struct Body: Decodable {
            let refreshToken: String
        }
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(response.body)) else { return nil }
        return Number(body.refreshToken)
    }

    private static func pair(_ number: Number, user: Bool = false) -> TransportResponse {
        let member = user ? #""user": {"id": "u1"},"# : ""
        return .json(
            """
            {\(member) "accessToken": "access-\(number)", "refreshToken": "refresh-\(number)", "tokenType": "Bearer", \
            "expiresIn": \(lifetime)}
            """
        )
    }

    private static var refusal: TransportResponse {
        .json(#"{"success": false, "error": {"code": "invalid_refresh_token", "message": "No."}}"#, status: 401)
    }
}
