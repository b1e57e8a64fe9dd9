import AuthCore
import OpenIDConnect
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A sign-in whose person is in the browser, kept so that the answer finds it in another process too.
///
/// Holds state and code verifier: secret, and good for the one answer and a short while.
struct PendingAuthorization: StoredForm {
    let version: Int
    let provider: ProviderFormat
    let redirectURI: String
    let scope: String
    /// Seconds.
    let maximumAge: Double?
    let resources: [String]
    let nonce: String
    let state: String
    let codeVerifier: String
    /// Base64url.
    let proofKey: String?
    /// Seconds since 1970.
    let beganAt: Double

    /// The item's name in the store.
    static let key = StoreKey(trusted: "authorization.pending")
    /// What takes its place while it is being removed: nothing that could be read.
    static let used = SecretBytes(Array("used".utf8))
    /// Longer than anybody looks for a password.
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
        proofKey = request.proofKey.map { Base64URL.encode($0.bytes.unredacted) }
        self.beganAt = beganAt.timeIntervalSince1970
    }

    func encoded() throws -> SecretBytes { SecretBytes(try JSONEncoder().encode(self)) }

    /// Reads what is kept; nil where it is none, is another provider's, or has waited too long.
    init?(_ item: SecretBytes, of provider: OpenIDProvider, at now: Date) {
        guard let pending = Self(item), !pending.isExpired(at: now),
            let known = try? pending.provider.provider(), known.isSame(as: provider),
            // More than a duration holds would stop the process.
            pending.maximumAge.map({ (0...Self.longestAge).contains($0) }) ?? true
        else { return nil }
        self = pending
    }

    private init?(_ item: SecretBytes) {
        guard let pending = try? JSONDecoder().decode(Self.self, from: Data(item.unredacted)), pending.version == 1
        else { return nil }
        self = pending
    }

    /// Whether the response came too late, or comes from before the beginning.
    ///
    /// A clock may be set a little back meanwhile; of one that began in the far future, nobody knows when it was.
    private func isExpired(at now: Date) -> Bool {
        !(-Self.clockStep...Self.lifetime).contains(now.timeIntervalSince1970 - beganAt)
    }

    /// Whether no process can complete what is kept: it has expired, is damaged, or was used.
    ///
    /// A newer version's may be completed by that version.
    private static func isOver(_ item: SecretBytes, at now: Date) -> Bool {
        if let pending = Self(item) { return pending.isExpired(at: now) }
        let header = try? JSONDecoder().decode(StoredHeader.self, from: Data(item.unredacted))
        return header.map { $0.version == 1 } ?? true
    }

    /// Removes a sign-in from the store that no process can complete any more, verifier, key and client secret with it.
    ///
    /// - Parameters:
    ///   - store: Where it is kept.
    ///   - now: The time by the wall clock.
    /// - Throws: `SecureStoreError`; `CancellationError`.
    static func removeIfOver(in store: any SecureStore, at now: Date) async throws {
        guard let item = try await store.item(forKey: key), isOver(item, at: now) else { return }
        // Another one may have begun meanwhile.
        _ = try await store.removeItem(forKey: key, ifEquals: item)
    }

    /// The request that the answer is for; nil where what is kept of it is none.
    func request(at provider: OpenIDProvider) -> AuthorizationRequest? {
        guard let state = try? State(state), let verifier = try? CodeVerifier(codeVerifier) else { return nil }
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
            proofKey: key,
            state: state,
            codeVerifier: verifier
        )
    }
}
