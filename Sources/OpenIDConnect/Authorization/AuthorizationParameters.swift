// SPDX-License-Identifier: Apache-2.0

public import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The parameters of an authorization request that an app chooses
/// ([OpenID Connect Core 1.0, 3.1.2.1](https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest)).
public struct AuthorizationParameters: Sendable, Hashable {
    /// An interaction with the user that the app requests of the provider: `prompt`.
    public struct Prompt: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No interaction: the provider responds or fails at once.
        public static let none = Prompt(rawValue: "none")
        /// Authentication, even if the user is signed in at the provider.
        public static let login = Prompt(rawValue: "login")
        /// Consent, even if the user has given it.
        public static let consent = Prompt(rawValue: "consent")
        /// The choice of an account.
        public static let selectAccount = Prompt(rawValue: "select_account")
        /// The creation of an account
        /// ([Initiating User Registration 1.0](https://openid.net/specs/openid-connect-prompt-create-1_0.html)).
        public static let create = Prompt(rawValue: "create")
    }

    /// The requested scopes, exactly these; nil for those that the provider's ``ProviderProfile`` names.
    ///
    /// The usual ones are `openid profile email`, and `offline_access` if the provider supports it.
    public var scope: Scope?
    /// The interactions with the user that the app requests of the provider.
    ///
    /// `consent` is added to a request for a refresh token, by `offline_access` or by the parameters of the profile,
    /// unless the profile says otherwise, or this contains `none`.
    public var prompt: [Prompt] = []
    /// The user's probable identifier, such as an email address: `login_hint`.
    public var loginHint: String?
    /// The maximum time since the user authenticated, in whole seconds, checked against the ID token's `auth_time`.
    public var maximumAge: Duration?
    /// The requested authentication context classes, in order of preference.
    public var acrValues: [String] = []
    /// The preferred languages of the provider's pages, in order of preference.
    public var uiLocales: [String] = []
    /// The claims that are requested individually, as JSON (Core, 5.5).
    public var claims: JSONValue?
    /// The APIs that the access token is for, also after each refresh of a session: `resource`, one per API (RFC 8707).
    public var resources: [String] = []
    /// The provider's own parameters; names that this type or the protocol defines are refused.
    public var additionalParameters: [String: String] = [:]

    /// Whether the request is pushed (RFC 9126) before the browser opens, even if the provider doesn't require it.
    public var usesPushedAuthorizationRequest = false
    /// Whether the tokens are bound to a DPoP key (RFC 9449), which is created for the session and stored with it.
    public var usesDPoP = false
    /// The requirements of an API that the sign-in must meet; nil for a sign-in that no API required.
    package var stepUp: StepUpRequirement?

    /// Creates parameters with default values.
    public init(scope: Scope? = nil) {
        self.scope = scope
    }
}

extension AuthorizationParameters {
    /// The names that the protocol defines: an additional parameter of such a name could disable a check.
    private static let reserved: Set<String> = [
        "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "response_mode", "prompt", "login_hint", "max_age", "acr_values", "ui_locales",
        "claims", "resource", "request", "request_uri", "client_secret", "dpop_jkt", "grant_type", "code",
        "code_verifier", "device_code", "refresh_token", "client_assertion", "client_assertion_type",
    ]

    /// Returns whether the protocol sets a parameter itself, so that ``additionalParameters`` must not.
    public static func isReserved(_ name: String) -> Bool { reserved.contains(name) }

    /// Returns the parameters with the scopes and the resources of the provider's profile, if the app named none.
    package func withDefaults(for provider: ProviderMetadata) -> AuthorizationParameters {
        let profile = provider.issuer.profile
        var parameters = self
        if resources.isEmpty { parameters.resources = profile.resources }
        if scope == nil { parameters.scope = Self.usualScope(of: provider) }
        return parameters
    }

    /// Returns the scopes of a request for which the app names none.
    package static func usualScope(of provider: ProviderMetadata) -> Scope {
        let profile = provider.issuer.profile
        let isSupported = provider.scopesSupported?.contains(offlineAccess) ?? provider.issuesIDTokens
        // Alone, it would replace the scopes that a server grants by default.
        guard profile.requestsOfflineAccess, isSupported, !profile.scope.values.isEmpty else {
            return profile.scope
        }
        return Scope("\(profile.scope) \(offlineAccess)")
    }

    /// Returns the parameters of an authorization request, with all that the provider's profile adds.
    func completed(for provider: ProviderMetadata) -> AuthorizationParameters {
        let profile = provider.issuer.profile
        var parameters = withDefaults(for: provider)
        parameters.additionalParameters.merge(profile.offlineParameters) { own, _ in own }
        let isOffline =
            parameters.scope?.contains(Self.offlineAccess) ?? false
            || profile.offlineParameters.contains { parameters.additionalParameters[$0.key] == $0.value }
        // Core, 11: the prompt MUST contain consent, or the provider ignores the request for offline access. `none`
        // can't be combined.
        if isOffline, profile.asksForConsent, !prompt.contains(.none), !prompt.contains(.consent) {
            parameters.prompt.append(.consent)
        }
        return parameters
    }

    private static let offlineAccess = "offline_access"

    /// Returns the form's fields, except those that tie request and response together.
    func form(for provider: ProviderMetadata) throws(OpenIDError) -> [(String, String)] {
        let scope = scope ?? Scope("")
        // Core, 3.1.2.1: MUST contain openid, else it is not an OpenID Connect request.
        guard !provider.issuesIDTokens || scope.contains("openid") else {
            let isSlip = Scope.respaced(scope.description).map { Scope($0).contains("openid") } ?? false
            throw isSlip ? OpenIDError(.authorization, .scopeSeparator) : OpenIDError(.authorization, .invalidRequest)
        }
        guard additionalParameters.keys.allSatisfy({ !Self.reserved.contains($0) && !$0.isEmpty }) else {
            throw OpenIDError(.authorization, .invalidRequest)
        }
        var form = scope.values.isEmpty ? [] : [("scope", scope.description)]
        func add(_ name: String, _ words: [String]) {
            if !words.isEmpty { form.append((name, words.joined(separator: " "))) }
        }
        add("prompt", prompt.map(\.rawValue))
        if let loginHint { form.append(("login_hint", loginHint)) }
        if let maximumAge { form.append(("max_age", "\(max(0, maximumAge.components.seconds))")) }
        add("acr_values", acrValues)
        add("ui_locales", uiLocales)
        if let claims {
            do {
                form.append(("claims", String(decoding: try JSONEncoder().encode(claims), as: UTF8.self)))
            } catch {
                throw OpenIDError(.authorization, .invalidRequest)
            }
        }
        form += resources.map { ("resource", $0) }
        return form + additionalParameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// The requirements of an API (RFC 9470, 4) that the session checks before a sign-in replaces it; they are not sent.
package struct StepUpRequirement: Sendable, Hashable, Codable {
    /// The identifier of the session's user; nil if the server has not named the user.
    package let userID: String?
    /// The authentication context class references that the API accepts; empty if it named none.
    package let acrValues: [String]

    package init(userID: String?, acrValues: [String]) {
        self.userID = userID
        self.acrValues = acrValues
    }
}
