// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import OpenIDConnect

/// The stored form of a provider's profile: its name, and the rules that differ from those of the known profile.
///
/// The advice is not stored: it is for the app's developer.
///
/// A known profile stays up to date with this library.
struct ProfileFormat: StoredForm, Equatable {
    let name: String
    var issuerRule: IssuerRule?
    var scope: String?
    var offlineAccess: ProviderProfile.OfflineAccess?
    var asksForConsent: Bool?
    var offlineParameters: [String: String]?
    var scopeAliases: [String: String]?
    var separatesScopesByCommas: Bool?
    var resources: [String]?
    var redirect: ProviderProfile.RedirectRule?
    var unreportedScopes: [String]?
    /// The prefix of the scopes of the API whose tokens the userinfo endpoint accepts; empty if it accepts every token.
    var userInfoPrefix: String?
    var secretMethod: ProviderProfile.SecretMethod?
    var supportsEndSession: Bool?
    var sendsSecretInDeviceFlow: Bool?
    var keepsToken: Bool?
    /// In seconds.
    var graceWindow: Double?
    var endedSessionCodes: [String]?
    var refreshNarrowsScope: Bool?

    init(_ profile: ProviderProfile) {
        let known = Self.known(profile.name)
        func changed<Value: Equatable>(_ member: KeyPath<ProviderProfile, Value>) -> Value? {
            profile[keyPath: member] == known[keyPath: member] ? nil : profile[keyPath: member]
        }
        name = profile.name
        issuerRule = changed(\.issuerRule)
        scope = changed(\.scope)?.description
        offlineAccess = changed(\.offlineAccess)
        asksForConsent = changed(\.asksForConsent)
        offlineParameters = changed(\.offlineParameters)
        scopeAliases = changed(\.scopeAliases)
        separatesScopesByCommas = changed(\.separatesScopesByCommas)
        resources = changed(\.resources)
        redirect = changed(\.redirect)
        unreportedScopes = changed(\.unreportedScopes)?.sorted()
        secretMethod = changed(\.secretMethod)
        switch changed(\.userInfoAudience) {
        case .ownAPI(let prefix)?: userInfoPrefix = prefix
        case .everyToken?: userInfoPrefix = ""
        case nil: break
        }
        supportsEndSession = changed(\.supportsEndSession)
        sendsSecretInDeviceFlow = changed(\.sendsSecretInDeviceFlow)
        endedSessionCodes = changed(\.endedSessionCodes)?.sorted()
        refreshNarrowsScope = changed(\.refreshNarrowsScope)
        switch changed(\.rotation) {
        case .keepsToken?: keepsToken = true
        case .rotates(let window)?: (keepsToken, graceWindow) = (false, window?.timeInterval)
        case nil: break
        }
    }

    var profile: ProviderProfile {
        var profile = Self.known(name)
        func take<Value>(_ member: WritableKeyPath<ProviderProfile, Value>, _ value: Value?) {
            if let value { profile[keyPath: member] = value }
        }
        take(\.issuerRule, issuerRule)
        take(\.scope, scope.map { Scope($0) })
        take(\.offlineAccess, offlineAccess)
        take(\.asksForConsent, asksForConsent)
        take(\.offlineParameters, offlineParameters)
        take(\.scopeAliases, scopeAliases)
        take(\.separatesScopesByCommas, separatesScopesByCommas)
        take(\.resources, resources)
        take(\.redirect, redirect)
        take(\.unreportedScopes, unreportedScopes.map { Set($0) })
        take(\.secretMethod, secretMethod)
        take(\.userInfoAudience, userInfoPrefix.map { $0.isEmpty ? .everyToken : .ownAPI(prefix: $0) })
        take(\.supportsEndSession, supportsEndSession)
        take(\.sendsSecretInDeviceFlow, sendsSecretInDeviceFlow)
        take(\.endedSessionCodes, endedSessionCodes.map { Set($0) })
        take(\.refreshNarrowsScope, refreshNarrowsScope)
        let window = graceWindow.flatMap { (0...3_600).contains($0) ? Duration.seconds($0) : nil }
        take(\.rotation, keepsToken.map { $0 ? .keepsToken : .rotates(graceWindow: window) })
        return profile
    }

    private static func known(_ name: String) -> ProviderProfile { .named(name) ?? ProviderProfile(name: name) }
}

/// The stored form of an endpoint that describes the user.
struct UserEndpointFormat: StoredForm {
    let url: String
    let id: [String]
    let name: [String]
    let email: [String]

    init(_ endpoint: OAuthUserEndpoint) {
        url = endpoint.url.description
        id = endpoint.id
        name = endpoint.name
        email = endpoint.email
    }

    func endpoint(of issuer: Issuer) throws -> OAuthUserEndpoint {
        var endpoint = OAuthUserEndpoint(url: try EndpointURL(url, of: issuer))
        (endpoint.id, endpoint.name, endpoint.email) = (id, name, email)
        return endpoint
    }
}
