internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The unredeemed authorization codes, each valid once and for a minute.
final class AuthorizationCodes: Sendable {
    /// The grant that a code stands for.
    struct Grant: Sendable {
        let request: AuthorizationRequest
        let email: String
        let expires: Date
    }

    private let grants = Mutex<[String: Grant]>([:])
    private let now: @Sendable () -> Date

    static let lifetime: TimeInterval = 60
    private static let mostWaiting = 1000

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// Returns a new code, or nil if too many are unredeemed.
    func code(for request: AuthorizationRequest, email: String) -> String? {
        let now = now()
        let grant = Grant(request: request, email: email, expires: now.addingTimeInterval(Self.lifetime))
        let code = Data(randomByteCount: 32).base64URL
        return grants.withLock { grants in
            grants = grants.filter { $0.value.expires > now }
            guard grants.count < Self.mostWaiting else { return nil }
            grants[code] = grant
            return code
        }
    }

    /// Redeems a code, which uses it up even if the client turns out to be the wrong one.
    ///
    /// [RFC 6749, 4.1.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2).
    func redeem(_ code: String) -> Grant? {
        let now = now()
        guard let grant = grants.withLock({ $0.removeValue(forKey: code) }), grant.expires > now else { return nil }
        return grant
    }
}
