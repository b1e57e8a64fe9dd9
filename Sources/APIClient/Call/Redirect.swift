// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The rules for following a redirect.
enum Redirect {
    private static let statuses: Set<Int> = [301, 302, 303, 307, 308]
    /// The fields that describe a body, dropped if the body is not sent along.
    private static let bodyFields: [HTTPField.Name] = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .transferEncoding, .expect,
    ]

    static func isRedirect(_ head: HTTPResponse) -> Bool { statuses.contains(head.status.code) }

    /// Returns the next request after a redirect.
    ///
    /// - Parameters:
    ///   - outgoing: The request that was redirected.
    ///   - head: The redirect. Untrusted.
    ///   - policy: The redirects that are followed.
    ///   - followed: The number of redirects followed so far.
    ///   - sensitiveHeaderFields: The fields that are dropped if the origin changes.
    /// - Returns: The next request.
    /// - Throws: The code that ends the call: `redirected`, `tooManyRedirects`, `unsafeRedirect`, `bodyNotRepeatable`.
    static func next(
        from outgoing: OutgoingRequest,
        by head: HTTPResponse,
        policy: RedirectPolicy,
        followed: Int,
        sensitiveHeaderFields: Set<HTTPField.Name>
    ) throws(Refusal) -> OutgoingRequest {
        let locations = head.headerFields[values: .location]
        guard policy.maximum > 0, !locations.isEmpty else { throw Refusal(code: .redirected) }
        guard followed < policy.maximum else { throw Refusal(code: .tooManyRedirects) }
        // Clients differ in which of two locations they follow.
        guard locations.count == 1 else { throw Refusal(code: .unsafeRedirect) }
        let address = try address(locations[0], from: outgoing)
        let leaves = address.origin != outgoing.address.origin
        guard !leaves || policy.reach == .anyOrigin else { throw Refusal(code: .redirected) }

        var next = outgoing
        next.move(to: address)
        if leaves {
            next.carriesCredentials = false
            for name in sensitiveHeaderFields { next.headers[name] = nil }
        }
        try next.adopt(method(of: outgoing.method, after: head.status), droppingFields: bodyFields)
        return next
    }

    private static func address(_ location: String, from outgoing: OutgoingRequest) throws(Refusal) -> AbsoluteURL {
        guard let address = try? outgoing.address.following(location) else { throw Refusal(code: .unsafeRedirect) }
        // Refused for a loopback address too: a call that began under TLS stays under TLS.
        if outgoing.address.scheme == "https" && address.scheme != "https" { throw Refusal(code: .unsafeRedirect) }
        guard address.origin == outgoing.address.origin || address.isSecure else {
            throw Refusal(code: .unsafeRedirect)
        }
        return address
    }

    /// Returns the method after a redirect.
    ///
    /// A 303 changes it to GET, except for HEAD. By common practice a 301 or 302 changes POST to GET. Otherwise it
    /// stays.
    private static func method(of method: HTTPRequest.Method, after status: HTTPResponse.Status) -> HTTPRequest.Method {
        switch status.code {
        case 303: method == .head ? .head : .get
        case 301, 302: method == .post ? .get : method
        default: method
        }
    }

    /// The reason for not following a redirect.
    struct Refusal: Error {
        let code: APIError.Code
    }
}

extension OutgoingRequest {
    /// Sets the method after a redirect: the body is dropped if the method changes, and sent again if it stays.
    fileprivate mutating func adopt(
        _ method: HTTPRequest.Method,
        droppingFields fields: [HTTPField.Name]
    ) throws(Redirect.Refusal) {
        if method != self.method {
            self.method = method
            body = .none
            for name in fields { headers[name] = nil }
        } else if !body.isReplayable {
            throw Redirect.Refusal(code: .bodyNotRepeatable)
        }
    }
}
