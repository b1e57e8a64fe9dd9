// SPDX-License-Identifier: Apache-2.0

#if LoopbackRedirect && (os(Linux) || os(macOS))
import AuthCore
import NIOHTTP1
import Synchronization

/// The router of the listener's requests, which accepts one callback.
final class CallbackRouter: Sendable {
    /// An accepted callback or one-time redirect.
    struct AcceptedCallback: Sendable {
        let succeeded: Bool
        /// The function that notifies the waiting caller.
        ///
        /// Called once the browser has its page, because the process may exit then.
        let announce: @Sendable () -> Void
    }

    /// A function that judges a callback's query; returns nil for a callback that is not awaited.
    typealias Check = @Sendable (String) -> AcceptedCallback?

    private enum Stage {
        case early
        case awaiting(CallbackPurpose, Check)
        case over(CallbackPurpose)
    }

    /// A one-time redirect to a URL that must not appear in a process's arguments.
    private struct OneTimeRedirect {
        let path: String
        let location: String
        /// The function that notifies the caller that waits until the browser follows the redirect.
        let announce: (@Sendable () -> Void)?
    }

    private struct State {
        var authority: String?
        var stage = Stage.early
        var redirects: [OneTimeRedirect] = []
    }

    private let path: String
    private let appName: String?
    private let state = Mutex(State())

    init(path: String, appName: String?) {
        self.path = path
        self.appName = appName
    }

    /// Sets the `Host` that requests must carry, which is known once the port is.
    func setAuthority(_ authority: String) {
        state.withLock { $0.authority = authority }
    }

    /// Starts accepting a callback; before this call every callback is refused.
    ///
    /// - Returns: Whether this is the first call; false otherwise.
    func open(for purpose: CallbackPurpose, _ check: @escaping Check) -> Bool {
        state.withLock { state in
            guard case .early = state.stage else { return false }
            state.stage = .awaiting(purpose, check)
            return true
        }
    }

    /// Adds a path that redirects to a URL once.
    func addRedirect(to location: String, _ announce: (@Sendable () -> Void)? = nil) -> String {
        let path = "/" + Base64URL.encode(RandomBytes.make(16))
        let redirect = OneTimeRedirect(path: path, location: location, announce: announce)
        state.withLock { $0.redirects.append(redirect) }
        return redirect.path
    }

    /// Returns the response to a request.
    ///
    /// Accepts the awaited callback at most once.
    ///
    /// - Parameters:
    ///   - head: The request's head.
    ///   - owner: The function that looks up the owner of the sending process.
    /// - Returns: The response.
    func response(to head: HTTPRequestHead, from owner: () -> PeerOwner) -> LoopbackResponse {
        // RFC 9112, 3.2: 400 for a request without the Host field or with more than one.
        let hosts = head.headers["Host"]
        guard hosts.count == 1 else { return LoopbackResponse(.badRequest) }
        // RFC 9110, 15.5.6. A HEAD request must not use up the redirect of a GET request.
        guard head.method == .GET else { return LoopbackResponse(.methodNotAllowed, fields: [("Allow", "GET")]) }
        // A host name that an attacker points at this machine would make the page the attacker's origin (DNS
        // rebinding).
        // RFC 9110, 7.4: 421 for a request that seems misdirected.
        guard isOurs(host: hosts[0]) else { return LoopbackResponse(.misdirectedRequest) }
        // No browser sends an authority in the target, or content with GET (RFC 9110, 9.3.1: request smuggling).
        guard head.uri.utf8.first == UInt8(ascii: "/"), !hasContent(head.headers) else {
            return LoopbackResponse(.badRequest)
        }
        // The URL that the browser was started with is among its arguments, which every user can read. Another user
        // must neither follow it to the ID token nor send a code of their own with its state.
        let sender = owner()
        guard sender != .untrusted else { return LoopbackResponse(.forbidden, page: page(.anotherUser)) }
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        if Self.same(parts[0], path) { return response(toCallback: parts.count > 1 ? String(parts[1]) : "") }
        // State, PKCE and the nonce protect a callback, but nothing else protects a one-time redirect: if the system
        // supports the lookup of the owner, the owner must be known.
        if parts.count == 1, sender != .unknown, let redirect = takeRedirect(String(parts[0])) {
            let callback = redirect.announce.map { AcceptedCallback(succeeded: true, announce: $0) }
            return LoopbackResponse(.found, fields: [("Location", redirect.location)], callback: callback)
        }
        // Browsers request this on their own and don't display the response.
        if parts[0] == "/favicon.ico" { return LoopbackResponse(.notFound) }
        return LoopbackResponse(.notFound, page: page(.nothingHere))
    }

    private func response(toCallback query: String) -> LoopbackResponse {
        let stage = state.withLock { $0.stage }
        switch stage {
        case .early:
            return LoopbackResponse(.badRequest, page: page(.nothingHere))
        case .over(let purpose):
            return LoopbackResponse(.gone, page: page(.over(purpose)))
        case .awaiting(let purpose, let check):
            // Any page in the user's browser can send a request here: a query that doesn't match is refused.
            guard let callback = check(query) else { return LoopbackResponse(.badRequest, page: page(.nothingHere)) }
            let isFirst = state.withLock { state in
                guard case .awaiting = state.stage else { return false }
                state.stage = .over(purpose)
                return true
            }
            guard isFirst else { return LoopbackResponse(.gone, page: page(.over(purpose))) }
            return LoopbackResponse(
                .ok,
                page: page(callback.succeeded ? .done(purpose) : .failed(purpose)),
                callback: callback
            )
        }
    }

    private func takeRedirect(_ path: String) -> OneTimeRedirect? {
        state.withLock { state in
            // In constant time, so that the timing doesn't reveal how much of a guessed path is right.
            guard let index = state.redirects.firstIndex(where: { ConstantTime.equal($0.path.utf8, path.utf8) }) else {
                return nil
            }
            return state.redirects.remove(at: index)
        }
    }

    private func isOurs(host: String) -> Bool {
        // RFC 3986, 3.2.2: a host is compared without regard to case.
        let lowered = host.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return state.withLock { $0.authority.map { $0.utf8.elementsEqual(lowered) } ?? false }
    }

    private func hasContent(_ fields: HTTPHeaders) -> Bool {
        fields.contains(name: "Transfer-Encoding") || fields["Content-Length"].contains { $0 != "0" }
    }

    /// Compares byte for byte: Unicode treats different texts as equal that are not the same path.
    private static func same(_ left: Substring, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

    private func page(_ kind: CallbackPage.Kind) -> CallbackPage { CallbackPage(kind: kind, appName: appName) }
}
#endif
