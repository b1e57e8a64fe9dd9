// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// A response as it came over the wire.
struct TestResponse: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: Data

    init(_ response: HTTPClientResponse) async throws {
        status = Int(response.status.code)
        headers = response.headers
        body = Data(buffer: try await response.body.collect(upTo: 1 << 20))
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
    }

    /// Returns a member that is a string.
    func string(_ name: String) -> String? { object[name] as? String }

    /// Returns a member of the user.
    func user(_ name: String) -> String? { (object["user"] as? [String: Any])?[name] as? String }

    /// The members that the user's account lacks; nil if there is no such list.
    var missing: [String]? { (object["user"] as? [String: Any])?["missing"] as? [String] }

    /// The error code, in the format of the contracts.
    var code: String? {
        guard object["success"] as? Bool == false else { return nil }
        return (object["error"] as? [String: Any])?["code"] as? String
    }

    /// The error message.
    var message: String? { (object["error"] as? [String: Any])?["message"] as? String }

    /// Returns the first header field of a name.
    func header(_ name: String) -> String? { headers.first(name: name) }

    var challenge: String? { header("WWW-Authenticate") }
}
