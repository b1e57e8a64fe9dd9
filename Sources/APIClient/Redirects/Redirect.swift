import HTTPTypes

/// Where a redirect leads, and what is sent there.
enum Redirect {
    private static let statuses: Set<Int> = [301, 302, 303, 307, 308]
    /// What says something of a body that is not sent along.
    private static let bodyFields: [HTTPField.Name] = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .transferEncoding, .expect,
    ]

    static func isOne(_ head: HTTPResponse) -> Bool { statuses.contains(head.status.code) }

    /// The next sending that a redirect asks for.
    ///
    /// - Parameters:
    ///   - hop: What was answered with the redirect.
    ///   - head: The redirect. The server's word.
    ///   - policy: Which are followed.
    ///   - followed: How many were followed already.
    ///   - credentialFields: What does not go along to another origin.
    /// - Returns: What is sent next.
    /// - Throws: The code that ends the call: `redirected`, `tooManyRedirects`, `unsafeRedirect`, `bodyNotRepeatable`.
    static func next(
        from hop: Hop,
        by head: HTTPResponse,
        policy: RedirectPolicy,
        followed: Int,
        credentialFields: Set<HTTPField.Name>
    ) throws(Refusal) -> Hop {
        let locations = head.headerFields[values: .location]
        guard policy.maximum > 0, !locations.isEmpty else { throw Refusal(code: .redirected) }
        guard followed < policy.maximum else { throw Refusal(code: .tooManyRedirects) }
        // Of two of them each reader would choose another one.
        guard locations.count == 1 else { throw Refusal(code: .unsafeRedirect) }
        let address = try address(locations[0], from: hop)
        let leaves = address.origin != hop.address.origin
        guard !leaves || policy.reach == .anyOrigin else { throw Refusal(code: .redirected) }

        var next = hop
        next.move(to: address)
        if leaves {
            next.carriesCredentials = false
            for name in credentialFields { next.headers[name] = nil }
        }
        try next.adopt(method(of: hop.method, after: head.status), droppingFields: bodyFields)
        return next
    }

    private static func address(_ location: String, from hop: Hop) throws(Refusal) -> AbsoluteURL {
        guard let address = try? hop.address.following(location) else { throw Refusal(code: .unsafeRedirect) }
        // Also to a loopback address: what was sent under TLS stays under it.
        if hop.address.scheme == "https" && address.scheme != "https" { throw Refusal(code: .unsafeRedirect) }
        guard address.origin == hop.address.origin || address.isPrivate else { throw Refusal(code: .unsafeRedirect) }
        return address
    }

    /// A 303 asks for a GET, and so do 301 and 302 of a POST, by what everybody does; all else stays.
    private static func method(of method: HTTPRequest.Method, after status: HTTPResponse.Status) -> HTTPRequest.Method {
        switch status.code {
        case 303: method == .head ? .head : .get
        case 301, 302: method == .post ? .get : method
        default: method
        }
    }

    /// Why a redirect is not followed.
    struct Refusal: Error {
        let code: APIError.Code
    }
}

extension Hop {
    /// Takes on a redirect's method: another one than before goes without a body, the same one with the same body.
    fileprivate mutating func adopt(
        _ method: HTTPRequest.Method,
        droppingFields fields: [HTTPField.Name]
    ) throws(Redirect.Refusal) {
        if method != self.method {
            self.method = method
            body = .none
            for name in fields { headers[name] = nil }
        } else if !body.canBeSentAgain {
            throw Redirect.Refusal(code: .bodyNotRepeatable)
        }
    }
}
