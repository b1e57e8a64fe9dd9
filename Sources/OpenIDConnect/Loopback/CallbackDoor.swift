#if LoopbackRedirect
import AuthCore
import NIOHTTP1
import Synchronization

/// Decides what each request to the listener is answered with, and lets one callback in.
final class CallbackDoor: Sendable {
    /// A callback that was let in.
    struct Guest: Sendable {
        let succeeded: Bool
        /// Tells who waits; for when the browser has its page, as a process may end with the answer.
        let announce: @Sendable () -> Void
    }

    /// What is made of a callback's query: nil for one that is not awaited.
    typealias Check = @Sendable (String) -> Guest?

    private enum Stage {
        case early
        case awaiting(CallbackPurpose, Check)
        case over(CallbackPurpose)
    }

    /// A one-time way to an address that must not stand in a process's arguments.
    private struct Hop {
        let path: String
        let location: String
        /// Tells who waits for the browser to be on its way.
        let announce: (@Sendable () -> Void)?
    }

    private struct State {
        var authority: String?
        var stage = Stage.early
        var hops: [Hop] = []
    }

    private let path: String
    private let appName: String?
    private let state = Mutex(State())

    init(path: String, appName: String?) {
        self.path = path
        self.appName = appName
    }

    /// Which `Host` requests must carry, known once the port is.
    func admit(authority: String) {
        state.withLock { $0.authority = authority }
    }

    /// From now on callbacks are looked at; before, every one is a stranger's.
    ///
    /// - Returns: False where that was said before: a door opens once.
    func open(for purpose: CallbackPurpose, _ check: @escaping Check) -> Bool {
        state.withLock { state in
            guard case .early = state.stage else { return false }
            state.stage = .awaiting(purpose, check)
            return true
        }
    }

    /// Makes a path that leads on to an address, once.
    func addHop(to location: String, _ announce: (@Sendable () -> Void)? = nil) -> String {
        let path = "/" + Base64URL.encode(RandomBytes.make(16))
        let hop = Hop(path: path, location: location, announce: announce)
        state.withLock { $0.hops.append(hop) }
        return hop.path
    }

    /// Returns the response to a request.
    ///
    /// Accepts the awaited callback at most once.
    ///
    /// - Parameters:
    ///   - head: The request.
    ///   - owner: Looks up the owner of the process that sent it.
    /// - Returns: The response.
    func answer(to head: HTTPRequestHead, from owner: () -> PeerOwner) -> LoopbackAnswer {
        // RFC 9112, 3.2: 400 to any request that lacks the Host field or has it twice.
        let hosts = head.headers["Host"]
        guard hosts.count == 1 else { return LoopbackAnswer(.badRequest) }
        // RFC 9110, 15.5.6. A HEAD must not use up what a GET is for.
        guard head.method == .GET else { return LoopbackAnswer(.methodNotAllowed, fields: [("Allow", "GET")]) }
        // A name that an attacker points at this machine would make the page the attacker's own (DNS rebinding).
        // RFC 9110, 7.4: 421 to what seems to have been misdirected.
        guard isOurs(host: hosts[0]) else { return LoopbackAnswer(.misdirectedRequest) }
        // No browser puts an authority into its target, or content into a GET (RFC 9110, 9.3.1: a smuggling attack).
        guard head.uri.utf8.first == UInt8(ascii: "/"), !hasContent(head.headers) else {
            return LoopbackAnswer(.badRequest)
        }
        // The address that the browser was started with stands in its arguments, which every user can read: another user
        // must neither follow it to the ID token nor bring a code of their own with its state.
        guard owner() != .untrusted else { return LoopbackAnswer(.forbidden, page: page(.anotherUser)) }
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        if Self.same(parts[0], path) { return answer(toCallback: parts.count > 1 ? String(parts[1]) : "") }
        if parts.count == 1, let hop = takeHop(String(parts[0])) {
            let guest = hop.announce.map { Guest(succeeded: true, announce: $0) }
            return LoopbackAnswer(.found, fields: [("Location", hop.location)], guest: guest)
        }
        // Browsers ask for this by themselves: no page, for nobody sees it.
        if parts[0] == "/favicon.ico" { return LoopbackAnswer(.notFound) }
        return LoopbackAnswer(.notFound, page: page(.nothingHere))
    }

    private func answer(toCallback query: String) -> LoopbackAnswer {
        let stage = state.withLock { $0.stage }
        switch stage {
        case .early:
            return LoopbackAnswer(.badRequest, page: page(.nothingHere))
        case .over(let purpose):
            return LoopbackAnswer(.gone, page: page(.over(purpose)))
        case .awaiting(let purpose, let check):
            // Any page that the person has open can send the browser here: what does not fit is not let in.
            guard let guest = check(query) else { return LoopbackAnswer(.badRequest, page: page(.nothingHere)) }
            let isFirst = state.withLock { state in
                guard case .awaiting = state.stage else { return false }
                state.stage = .over(purpose)
                return true
            }
            guard isFirst else { return LoopbackAnswer(.gone, page: page(.over(purpose))) }
            return LoopbackAnswer(.ok, page: page(guest.succeeded ? .done(purpose) : .failed(purpose)), guest: guest)
        }
    }

    private func takeHop(_ path: String) -> Hop? {
        state.withLock { state in
            // In constant time: who tries paths must not learn how near they are.
            guard let index = state.hops.firstIndex(where: { ConstantTime.equal($0.path.utf8, path.utf8) }) else {
                return nil
            }
            return state.hops.remove(at: index)
        }
    }

    private func isOurs(host: String) -> Bool {
        // RFC 3986, 3.2.2: a host compares without case.
        let lowered = host.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return state.withLock { $0.authority.map { $0.utf8.elementsEqual(lowered) } ?? false }
    }

    private func hasContent(_ fields: HTTPHeaders) -> Bool {
        fields.contains(name: "Transfer-Encoding") || fields["Content-Length"].contains { $0 != "0" }
    }

    /// Byte for byte: texts that Unicode takes for the same are not the same path.
    private static func same(_ left: Substring, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

    private func page(_ kind: CallbackPage.Kind) -> CallbackPage { CallbackPage(kind: kind, appName: appName) }
}
#endif
