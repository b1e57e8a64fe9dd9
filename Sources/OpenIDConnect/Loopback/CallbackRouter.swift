// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import AuthCore
import HTTPTypes
import Synchronization

/// The router of the listener's requests, which come from its thread, and of which it accepts one callback.
final class CallbackRouter: Sendable {
    /// A function that judges a callback's query; returns nil for a callback that is not awaited.
    typealias Check = @Sendable (String) -> (succeeded: Bool, announce: @Sendable () -> Void)?

    private struct State {
        var purpose: CallbackPurpose?
        /// Nil before a callback is awaited and after it was accepted.
        var check: Check?
        /// The redirects to URLs that must not appear in a process's arguments, by their one-time paths.
        var redirects: [String: LoopbackResponse] = [:]
    }

    private let authority: String
    private let path: String
    private let appName: String?
    private let state = Mutex(State())

    init(authority: String, path: String, appName: String?) {
        (self.authority, self.path, self.appName) = (authority, path, appName)
    }

    /// Starts accepting a callback, and returns whether this is the first call; before it every callback is refused.
    func open(for purpose: CallbackPurpose, _ check: @escaping Check) -> Bool {
        state.withLock { state in
            guard state.purpose == nil else { return false }
            (state.purpose, state.check) = (purpose, check)
            return true
        }
    }

    /// Returns a path that redirects to a URL once.
    func addRedirect(to location: String, _ announce: @escaping @Sendable () -> Void = {}) -> String {
        let path = "/" + Base64URL.encode(RandomBytes.make(16))
        let response = LoopbackResponse(status: .found, field: "Location: \(location)\r\n", announce: announce)
        state.withLock { $0.redirects[path] = response }
        return path
    }

    /// Returns the response to a request; accepts one callback, and looks up the sender's owner only if it matters.
    func response(to head: RequestHead, from owner: () -> PeerOwner) -> LoopbackResponse {
        // RFC 9112, 3.2: 400 for a request without the Host field or with more than one.
        guard head.hosts.count == 1 else { return LoopbackResponse(status: .badRequest) }
        // RFC 9110, 15.5.6. A HEAD request must not use up the redirect of a GET request.
        guard head.method == "GET" else { return LoopbackResponse(status: .methodNotAllowed, field: "Allow: GET\r\n") }
        // RFC 9110, 7.4. A host name that an attacker points at this machine would make the page the attacker's origin
        // (DNS rebinding). RFC 3986, 3.2.2: a host is compared without regard to case.
        guard ASCIIText.equalIgnoringCase(head.hosts[0].utf8, authority.utf8) else {
            return LoopbackResponse(status: .misdirectedRequest)
        }
        // No browser sends content with GET (RFC 9110, 9.3.1: request smuggling).
        guard !head.hasContent else { return LoopbackResponse(status: .badRequest) }
        // The URL that the browser was started with is among its arguments, which every user can read. Another user
        // must neither follow it to the ID token nor send a code of their own with its state.
        let sender = owner()
        guard sender != .untrusted else { return response(.forbidden, .anotherUser) }
        let parts = head.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        if parts[0] == path { return response(toCallback: parts.count > 1 ? String(parts[1]) : "") }
        // State, PKCE and the nonce protect a callback, but nothing else protects a one-time redirect: if the system
        // supports the lookup of the owner, it must be known. The lookup by a random hash reveals no part of a path.
        if sender != .unknown, let redirect = state.withLock({ $0.redirects.removeValue(forKey: head.target) }) {
            return redirect
        }
        // Browsers request this on their own and don't display the response.
        return parts[0] == "/favicon.ico" ? LoopbackResponse(status: .notFound) : response(.notFound, .nothingHere)
    }

    /// Returns the response to a request without a usable head.
    func response(to refusal: RequestHead.Refusal) -> LoopbackResponse {
        refusal.status == .requestHeaderFieldsTooLarge
            ? response(refusal.status, .tooLarge) : LoopbackResponse(status: refusal.status)
    }

    private func response(toCallback query: String) -> LoopbackResponse {
        let (purpose, check) = state.withLock { ($0.purpose, $0.check) }
        guard let purpose else { return response(.badRequest, .nothingHere) }
        guard let check else { return response(.gone, .over(purpose)) }
        // Any page in the user's browser can send a request here: a query that doesn't match is refused.
        guard let callback = check(query) else { return response(.badRequest, .nothingHere) }
        state.withLock { $0.check = nil }
        var response = response(.ok, callback.succeeded ? .done(purpose) : .failed(purpose))
        response.announce = callback.announce
        return response
    }

    private func response(_ status: HTTPResponse.Status, _ page: CallbackPage.Kind) -> LoopbackResponse {
        LoopbackResponse(status: status, page: CallbackPage(kind: page, appName: appName))
    }
}

struct LoopbackResponse: Sendable {
    var status: HTTPResponse.Status
    /// A line of the head, in addition to those of every response.
    var field = ""
    var page: CallbackPage?
    /// Notifies the waiting caller, once the browser has its page, because the process may exit then.
    var announce: (@Sendable () -> Void)?

    /// Returns the response as it is sent; any requested URL may contain a code, so all have the same security headers.
    func bytes(withBody: Bool) -> [UInt8] {
        let body = page?.html ?? ""
        let head = """
            HTTP/1.1 \(status.code) \(status.reasonPhrase)\r
            \(field)\(page == nil ? "" : "Content-Type: text/html; charset=utf-8\r\n")Cache-Control: no-store\r
            Connection: close\r
            Content-Length: \(body.utf8.count)\r
            Content-Security-Policy: \(CallbackPage.contentSecurityPolicy)\r
            Cross-Origin-Opener-Policy: same-origin\r
            Cross-Origin-Resource-Policy: same-origin\r
            Referrer-Policy: no-referrer\r
            X-Content-Type-Options: nosniff\r\n\r

            """
        return Array(head.utf8) + (withBody ? Array(body.utf8) : [])
    }
}
#endif
