// SPDX-License-Identifier: Apache-2.0

public import APIClient
import AuthCore
public import AuthSession
public import OpenIDConnect

extension AuthSession {
    /// Returns the parameters of a sign-in that authenticates the user again, or widens the scope, as an API's challenge
    /// requires.
    ///
    /// Pass them to a way to sign in of this session, and send the request to the API once more. If the API then requires
    /// the same again, another step-up would not help. They add to the app's parameters the `acr_values` of the challenge,
    /// its `max_age` unless the app's is shorter, the user's email address as `login_hint`, the session's scopes and
    /// `resources` unless the app names some, the scopes of the challenge, and a DPoP key if the session has one.
    ///
    /// The sign-in replaces the session only if it meets the challenge. Otherwise the session stays as it is, and it
    /// throws `AuthSessionError` (`userMismatch` if another user signs in, unless the provider never named the
    /// session's; `invalidResponse` if the ID token's `auth_time` is missing or too early for `max_age`), or
    /// `OpenIDError` (`refused`) with the code `unmet_authentication_requirements` if the ID token has an `acr` that was
    /// not requested: the API would require the same again. An ID token without `acr` is accepted, because `acr_values`
    /// is a voluntary request. If the server doesn't grant all scopes, `missingScope` names the others.
    ///
    /// - Parameters:
    ///   - challenge: The challenge, for example `APIError.stepUp`.
    ///   - parameters: Those of the first sign-in: the session doesn't keep additional ones.
    /// - Throws: `AuthSessionError` (`notSignedIn`, `sessionEnded`, `storeUnavailable`; `contractMismatch` if the
    ///   session is not at a provider); `CancellationError`.
    ///
    /// Wire: `acr_values`, `max_age`, `login_hint`, `scope`.
    /// [RFC 9470, 4](https://www.rfc-editor.org/rfc/rfc9470#section-4).
    public func stepUpParameters(
        for challenge: StepUpChallenge,
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> AuthorizationParameters {
        let provider = try requireProvider()
        let userID = try await restoredUser().id
        var parameters = parameters
        if !challenge.acrValues.isEmpty { parameters.acrValues = challenge.acrValues }
        if let maxAge = challenge.maxAge { parameters.maximumAge = min(maxAge, parameters.maximumAge ?? maxAge) }
        if parameters.scope == nil { parameters.scope = scopeToKeep(at: provider) }
        if let missing = challenge.scope, !missing.values.isEmpty {
            let known = parameters.scope ?? AuthorizationParameters.usualScope(of: provider.metadata)
            parameters.scope = Scope("\(known) \(missing)")
        }
        if parameters.resources.isEmpty { parameters.resources = tokensInHand?.resources ?? [] }
        if parameters.loginHint == nil, case .signedIn(let user, _) = state { parameters.loginHint = user?.email }
        if isSenderConstrained { parameters.usesDPoP = true }
        parameters.stepUp = StepUpRequirement(userID: userID, acrValues: challenge.acrValues)
        return parameters
    }

    /// Returns the scopes that the next session of the user must have too; nil if those of this one are unknown.
    private func scopeToKeep(at provider: OpenIDProvider) -> Scope? {
        guard let tokens = tokensInHand, let granted = tokens.scope else { return nil }
        // Some servers grant these and don't name them in their responses.
        let unreported = AuthorizationParameters.usualScope(of: provider.metadata).values.filter { value in
            value == "offline_access"
                ? tokens.refreshToken != nil : provider.profile.unreportedScopes.contains(value)
        }
        let required = provider.metadata.issuesIDTokens ? ["openid"] : []
        let values = required + granted.values + (missingScope?.values ?? []) + unreported
        return Scope(values.joined(separator: " "))
    }
}
