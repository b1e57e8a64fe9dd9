// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

/// The next request: its address, head and body.
///
/// The client's credentials are added when it is sent.
struct OutgoingRequest: Sendable {
    private(set) var address: AbsoluteURL
    /// The request to that address, without the client's own credentials.
    ///
    /// A field from the caller may be a credential.
    private(set) var head: HTTPRequest
    var body: RequestBody
    /// Whether token and API key go along.
    ///
    /// False outside the client's origins, and after a redirect has left the origin.
    var carriesCredentials: Bool

    /// Creates a request without credentials.
    ///
    /// - Parameters:
    ///   - address: The target, already checked.
    ///   - head: The method and fields, for that address.
    ///   - body: The body.
    init(address: AbsoluteURL, head: HTTPRequest, body: RequestBody) {
        self.address = address
        self.head = head
        self.body = body
        carriesCredentials = false
    }

    var method: HTTPRequest.Method {
        get { head.method }
        set { head.method = newValue }
    }

    var headers: HTTPFields {
        get { head.headerFields }
        set { head.headerFields = newValue }
    }

    /// Changes the target.
    mutating func move(to address: AbsoluteURL) {
        self.address = address
        head.scheme = address.scheme
        head.authority = address.authority
        head.path = address.target
    }

    /// The method and path, for the log.
    ///
    /// Outside the client's origins the path is left out, because it may be a secret, as in a signed download.
    var loggedName: String {
        "\(method.rawValue) \(carriesCredentials ? String(address.target.prefix { $0 != "?" }) : "elsewhere")"
    }
}
