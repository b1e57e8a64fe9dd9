// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
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
struct PendingAuthorization: PendingSignIn {
    let version: Int
    /// The provider and the client.
    let authority: AuthorityID
    /// The APIs that the app's configuration named.
    let configuredResources: [String]
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
    /// The requirements of the API that required the sign-in; absent if no API did.
    let stepUp: StepUpRequirement?
    /// The start of the sign-in, in seconds since 1970.
    let beganAt: Double

    static var kind: String? { nil }
    /// A century, in seconds.
    private static let longestAge = 3_155_760_000.0

    init(_ request: AuthorizationRequest, at provider: OpenIDProvider, beganAt: Date) {
        let parameters = request.parameters
        version = 1
        (authority, configuredResources) = (provider.id, provider.profile.resources)
        (redirectURI, nonce, state) = (request.redirectURI, request.nonce, request.state.unredacted)
        scope = parameters.scope?.description ?? ""
        maximumAge = parameters.maximumAge?.timeInterval
        (resources, stepUp) = (parameters.resources, parameters.stepUp)
        codeVerifier = request.codeVerifier.unredacted
        proofKey = request.dpopKey.map { Base64URL.encode($0.bytes.unredacted) }
        self.beganAt = beganAt.timeIntervalSince1970
    }

    /// Decodes an item, or returns nil if it is malformed, belongs to another provider or to other APIs, or has expired.
    init?(_ item: SecretBytes, of provider: OpenIDProvider, at now: Date) {
        guard let pending = Self(item), !pending.isExpired(at: now), pending.authority == provider.id,
            TokenTarget.isUsable(
                forResources: provider.profile.resources,
                pending.resources,
                configuredFor: pending.configuredResources
            ),
            // A value that `Duration` can't hold would trap.
            pending.maximumAge.map({ (0...Self.longestAge).contains($0) }) ?? true
        else { return nil }
        self = pending
    }

    /// Returns the authorization request, or nil if the stored values are invalid.
    func request(at provider: OpenIDProvider) -> AuthorizationRequest? {
        let key = proofKey.flatMap { Base64URL.decode($0.utf8) }.flatMap { DPoPKey(SecretBytes($0)) }
        guard let state = try? OAuthState(state), let verifier = try? CodeVerifier(codeVerifier),
            proofKey == nil || key != nil
        else { return nil }
        var parameters = AuthorizationParameters(scope: Scope(scope))
        parameters.maximumAge = maximumAge.map { .seconds($0) }
        (parameters.resources, parameters.stepUp) = (resources, stepUp)
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
