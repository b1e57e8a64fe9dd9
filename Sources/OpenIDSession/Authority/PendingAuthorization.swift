import APIClient
import AuthCore
import AuthSession
import Logging
import OpenIDConnect
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A pending authorization request, stored so that another process can complete it too.
///
/// Contains state and code verifier: secret, and valid for one response and a short time.
struct PendingAuthorization: StoredForm {
    let version: Int
    let provider: ProviderFormat
    let redirectURI: String
    let scope: String
    /// The maximum authentication age, in seconds.
    let maximumAge: Double?
    let resources: [String]
    let nonce: String
    let state: String
    let codeVerifier: String
    /// The DPoP key, encoded as base64url.
    let proofKey: String?
    /// The start of the sign-in, in seconds since 1970.
    let beganAt: Double

    /// The value that replaces the item while it is removed; it can't be decoded.
    static let used = SecretBytes(Array("used".utf8))
    /// The lifetime in seconds, enough for a user to look up a password.
    static let lifetime = 1_800.0
    private static let clockStep = 300.0
    /// A century, in seconds.
    private static let longestAge = 3_155_760_000.0

    init(_ request: AuthorizationRequest, at provider: OpenIDProvider, beganAt: Date) {
        version = 1
        self.provider = ProviderFormat(provider)
        redirectURI = request.redirectURI
        scope = request.parameters.scope.description
        maximumAge = request.parameters.maximumAge?.timeInterval
        resources = request.parameters.resources
        nonce = request.nonce
        state = request.state.unredacted
        codeVerifier = request.codeVerifier.unredacted
        proofKey = request.dpopKey.map { Base64URL.encode($0.bytes.unredacted) }
        self.beganAt = beganAt.timeIntervalSince1970
    }

    func encoded() throws -> SecretBytes { SecretBytes(try JSONEncoder().encode(self)) }

    /// Decodes an item, or returns nil if it is malformed, belongs to another provider, or has expired.
    init?(_ item: SecretBytes, of provider: OpenIDProvider, at now: Date) {
        guard let pending = Self(item), !pending.isExpired(at: now),
            let known = try? pending.provider.provider(), known.isSame(as: provider),
            // A value that `Duration` can't hold would trap.
            pending.maximumAge.map({ (0...Self.longestAge).contains($0) }) ?? true
        else { return nil }
        self = pending
    }

    private init?(_ item: SecretBytes) {
        guard let pending = try? JSONDecoder().decode(Self.self, from: Data(item.unredacted)), pending.version == 1
        else { return nil }
        self = pending
    }

    /// Whether the sign-in has expired, or began in the future.
    ///
    /// Allows for a clock that was set back a little. A start further in the future can't be trusted.
    private func isExpired(at now: Date) -> Bool {
        !(-Self.clockStep...Self.lifetime).contains(now.timeIntervalSince1970 - beganAt)
    }

    /// Returns whether no process can complete an item: it has expired, is damaged, or was used.
    ///
    /// An item of a newer version doesn't count, because that version may complete it.
    private static func isOver(_ item: SecretBytes, at now: Date) -> Bool {
        if let pending = Self(item) { return pending.isExpired(at: now) }
        let header = try? JSONDecoder().decode(StoredHeader.self, from: Data(item.unredacted))
        return header.map { $0.version == 1 } ?? true
    }

    /// Removes a sign-in that no process can complete, together with its verifier, key and client secret.
    ///
    /// - Parameters:
    ///   - store: The session's store.
    ///   - now: The time by the wall clock.
    ///   - logger: The logger, which records a failure to remove the item.
    /// - Throws: `CancellationError`.
    static func removeIfOver(in store: any SecureStore, at now: Date, _ logger: Logger) async throws {
        do {
            guard let item = try await store.item(forKey: .pendingSignIn), isOver(item, at: now) else { return }
            // The comparison protects a sign-in that has begun meanwhile.
            _ = try await store.removeItem(forKey: .pendingSignIn, ifEquals: item)
        } catch let error where !(error is CancellationError) {
            // The next restore finds it again.
            logger.debug("an expired pending sign-in can't be removed now")
        }
    }

    /// Returns the authorization request, or nil if the stored values are invalid.
    func request(at provider: OpenIDProvider) -> AuthorizationRequest? {
        guard let state = try? OAuthState(state), let verifier = try? CodeVerifier(codeVerifier) else { return nil }
        var key: DPoPKey?
        if let proofKey {
            guard let bytes = Base64URL.decode(proofKey.utf8), let known = DPoPKey(SecretBytes(bytes)) else {
                return nil
            }
            key = known
        }
        var parameters = AuthorizationParameters(scope: Scope(scope))
        parameters.maximumAge = maximumAge.map { .seconds($0) }
        parameters.resources = resources
        return AuthorizationRequest(
            provider: provider.metadata,
            clientID: provider.client.id,
            redirectURI: redirectURI,
            parameters: parameters,
            nonce: nonce,
            dpopKey: key,
            state: state,
            codeVerifier: verifier
        )
    }
}
