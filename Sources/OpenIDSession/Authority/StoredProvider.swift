// SPDX-License-Identifier: Apache-2.0

import APIClient
public import AuthCore
import AuthSession
public import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The data with which a stored session, or a program, reaches its provider again.
///
/// It holds the client's secret and no private key, and of the profile only its name and what the sign-in chose itself.
/// A tool that has more passes it again at start (`AuthorityKind.openID(completing:)`, `OpenIDProvider.with(_:)`).
public struct StoredProvider: Codable, Sendable, Redacted {
    let issuer: String
    let allowsInsecureHTTP: Bool
    /// Whether only an API's metadata named the issuer.
    let isNamedByResource: Bool
    let clientID: String
    /// The name of the client authentication; `anonymous` for a client without an ID.
    let authentication: String
    let clientSecret: String?
    /// The discovery document as received, as far as it is used, and read as strictly as the first time.
    let document: [String: JSONValue]
    let issuesIDTokens: Bool
    /// The name of the profile.
    let profile: String
    let scope: Scope
    let redirect: ProviderProfile.RedirectRule
    let userEndpoint: String?
    /// The names of the algorithms that ``ProviderSettings`` accept.
    let signatureAlgorithms: [String]
    /// The grace window of ``ProviderSettings``, in seconds.
    let refreshGraceWindow: Double?

    /// A century, in seconds.
    private static let longestWindow = 3_155_760_000.0

    /// Creates the data of a provider.
    public init(_ provider: OpenIDProvider) {
        let (metadata, settings) = (provider.metadata, provider.settings)
        issuer = metadata.issuer.identifier
        allowsInsecureHTTP = metadata.allowsInsecureHTTP
        isNamedByResource = metadata.issuer.isNamedByResource
        clientID = provider.client.id
        authentication = provider.client == .anonymous ? "anonymous" : provider.client.authentication.name
        switch provider.client.authentication {
        case .none, .privateKeyJWT, .identityToken: clientSecret = nil
        case .basic(let secret), .post(let secret): clientSecret = secret.unredacted
        }
        document = metadata.document
        issuesIDTokens = metadata.issuesIDTokens
        profile = provider.profile.name
        (scope, redirect) = (provider.profile.scope, provider.profile.redirect)
        userEndpoint = provider.userEndpoint?.url.description
        signatureAlgorithms = settings.signatureAlgorithms.map(\.description)
        refreshGraceWindow = settings.refreshGraceWindow.map { min(max(0, $0.timeInterval), Self.longestWindow) }
    }

    /// Returns the provider of a record.
    ///
    /// - Throws: `SessionRecordError` (`damaged`).
    static func provider(of record: AuthorityRecord) throws(SessionRecordError) -> OpenIDProvider {
        do {
            return try JSONDecoder().decode(Self.self, from: record.details ?? Data()).provider(for: record.resources)
        } catch {
            throw SessionRecordError(.damaged)
        }
    }

    /// Returns the provider; its client can't authenticate if that takes a private key or an identity token.
    ///
    /// - Parameters:
    ///   - resources: The APIs of the provider's profile, which belong to the configuration.
    ///   - settings: The settings. Signature algorithms and grace window are the stored ones.
    /// - Throws: `SessionRecordError` (`damaged`); `OpenIDError`, and the errors of `Issuer` and `ClientSecret`, for
    ///   members that can't be read.
    public func provider(
        for resources: [String] = [],
        settings: ProviderSettings = ProviderSettings()
    ) throws -> OpenIDProvider {
        var issuer = try Issuer(issuer, insecureHTTP: allowsInsecureHTTP ? .insecurelyAllowHTTP : .refuse)
        var profile = ProviderProfile.named(profile) ?? issuer.profile
        (profile.scope, profile.redirect, profile.resources) = (scope, redirect, resources)
        issuer = issuer.with(profile)
        if isNamedByResource { issuer = issuer.namedByResource() }
        let bytes = Array(try JSONEncoder().encode(document))
        var settings = settings
        settings.signatureAlgorithms = signatureAlgorithms.compactMap { SignatureAlgorithm($0) }
        // A value that `Duration` can't hold would trap.
        guard settings.signatureAlgorithms.count == signatureAlgorithms.count,
            refreshGraceWindow.map({ (0...Self.longestWindow).contains($0) }) ?? true
        else { throw SessionRecordError(.damaged) }
        settings.refreshGraceWindow = refreshGraceWindow.map { .seconds($0) }
        return OpenIDProvider(
            metadata: try ProviderMetadata(bytes, of: issuer, issuesIDTokens: issuesIDTokens),
            client: try client(),
            settings: settings,
            userEndpoint: try userEndpoint.map { OAuthUserEndpoint(url: try EndpointURL($0, of: issuer)) }
        )
    }

    private func client() throws -> OpenIDClient {
        if authentication == "anonymous" { return .anonymous }
        guard !clientID.isEmpty else { throw SessionRecordError(.damaged) }
        if let method = ClientAuthentication.Method(rawValue: authentication), let clientSecret {
            return .confidential(id: clientID, secret: try ClientSecret(clientSecret), method: method)
        }
        guard clientSecret == nil else { throw SessionRecordError(.damaged) }
        switch authentication {
        case "none": return .public(id: clientID)
        case "private_key_jwt": return .confidential(id: clientID, key: .unavailable(algorithm: .es256, keyID: nil))
        default: throw SessionRecordError(.damaged)
        }
    }
}

extension OpenIDProvider {
    /// The name of the provider and the client.
    ///
    /// Without OpenID Connect the endpoints may have been given by hand, so the token endpoint belongs to it.
    var id: AuthorityID {
        AuthorityID(
            kind: metadata.issuesIDTokens ? "openID" : "oauth",
            server: metadata.issuer.identifier,
            client: client.id,
            variant: metadata.issuesIDTokens ? nil : metadata.tokenEndpoint.description
        )
    }
}
