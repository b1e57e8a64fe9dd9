// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored form of a provider and the app's registration there, with everything that a refresh needs.
struct ProviderFormat: StoredForm {
    /// The name of the authentication of a client without an ID.
    private static let anonymous = "anonymous"

    /// The members of a discovery document, validated as strictly as one.
    let metadata: [String: JSONValue]
    let clientID: String
    let clientSecret: String?
    let clientAuthentication: String
    let clientKey: ClientKeyFormat?
    /// The source of identity tokens, which `private_key_jwt` has in place of a key.
    let clientIdentity: IdentityTokenFormat?
    let insecureHTTP: Bool?
    /// The refresh grace window, in seconds.
    let graceWindow: Double?
    /// The allowed clock skew, in seconds.
    let clockSkew: Double?
    /// The `alg` names of the allowed signature algorithms.
    let signatureAlgorithms: [String]?
    /// The name of the client's policy; absent for the standard one.
    let policy: String?
    /// Whether the client's registration binds tokens to its TLS certificate; absent if it does not.
    let certificateBoundTokens: Bool?
    /// The profile, unless the issuer brings it by itself.
    let profile: ProfileFormat?
    /// Whether the provider is used without OpenID Connect; absent if it is not.
    let isPlainOAuth: Bool?
    let userEndpoint: UserEndpointFormat?
    /// Whether only an API's metadata named the issuer; absent if it did not.
    let isNamedByResource: Bool?

    init(_ provider: OpenIDProvider) {
        metadata = provider.publishedMetadata.document
        clientID = provider.client.id
        let client = provider.client
        clientAuthentication = client == .anonymous ? Self.anonymous : client.authentication.name
        clientSecret =
            switch provider.client.authentication {
            case .none, .privateKeyJWT, .identityToken, .tls: nil
            case .basic(let secret), .post(let secret): secret.unredacted
            }
        clientKey =
            if case .privateKeyJWT(let key) = provider.client.authentication { ClientKeyFormat(key) } else { nil }
        clientIdentity =
            if case .identityToken(let source) = provider.client.authentication {
                IdentityTokenFormat(source)
            } else {
                nil
            }
        insecureHTTP = provider.metadata.allowsInsecureHTTP ? true : nil
        graceWindow = provider.settings.refreshGraceWindow?.timeInterval
        clockSkew = provider.settings.clockSkew.timeInterval
        signatureAlgorithms = provider.settings.signatureAlgorithms.map(\.description)
        policy = provider.settings.policy == .standard ? nil : provider.settings.policy.name
        certificateBoundTokens = provider.settings.certificateBoundTokens ? true : nil
        let issuer = provider.metadata.issuer
        profile = issuer.profile == issuer.ownProfile ? nil : ProfileFormat(issuer.profile)
        isPlainOAuth = provider.metadata.issuesIDTokens ? nil : true
        userEndpoint = provider.userEndpoint.map { UserEndpointFormat($0) }
        isNamedByResource = issuer.isNamedByResource ? true : nil
    }

    /// Decodes a provider from an authority's description.
    ///
    /// - Throws: `SessionRecordError` (`otherBackend` if it describes another kind of authority, `damaged`).
    static func provider(_ record: AuthorityRecord) throws(SessionRecordError) -> OpenIDProvider {
        if let address = record.members["baseURL"], address.string == nil { throw SessionRecordError(.damaged) }
        guard let value = record.members["provider"] else {
            throw SessionRecordError(record.isUnidentified ? .damaged : .otherBackend)
        }
        do {
            return try JSONDecoder().decode(Self.self, from: try JSONEncoder().encode(value)).provider()
        } catch {
            throw SessionRecordError(.damaged)
        }
    }

    /// Returns the description that is stored with a session.
    static func record(of provider: OpenIDProvider) -> AuthorityRecord {
        // The format encodes to an object whose members can't fail to encode.
        let value = try? JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(Self(provider)))
        return AuthorityRecord([
            "baseURL": .string(provider.metadata.issuer.baseURL.description),
            "provider": value ?? .null,
        ])
    }

    /// Returns the APIs of the profile in an authority's description, without the rest: each session that is read is
    /// compared with the app's configuration.
    ///
    /// Empty if the issuer brings its profile by itself: none of these names an API.
    static func resources(of record: AuthorityRecord) -> [String] {
        guard let profile = record.members["provider"]?.object?["profile"],
            let format = try? JSONDecoder().decode(ProfileFormat.self, from: JSONEncoder().encode(profile))
        else { return [] }
        return format.profile.resources
    }

    func provider() throws -> OpenIDProvider {
        guard let identifier = metadata["issuer"]?.string else { throw SessionRecordError(.damaged) }
        var issuer = try Issuer(
            identifier,
            insecureHTTP: insecureHTTP == true ? .insecurelyAllowHTTP : .refuse,
            profile: profile?.profile
        )
        if isNamedByResource == true { issuer = issuer.namedByResource() }
        let document = Array(try JSONEncoder().encode(metadata))
        var settings = ProviderSettings()
        settings.refreshGraceWindow = graceWindow.flatMap { (0...3_600).contains($0) ? .seconds($0) : nil }
        if let clockSkew, (0...3_600).contains(clockSkew) { settings.clockSkew = .seconds(clockSkew) }
        if let policy {
            // A policy that this version doesn't know is stricter than the standard one.
            guard let known = ClientPolicy(name: policy) else { throw SessionRecordError(.damaged) }
            settings.policy = known
        }
        settings.certificateBoundTokens = certificateBoundTokens ?? false
        // Without a certificate there was no sign-in.
        settings.presentsClientCertificate = ClientAuthentication.TLSMethod(rawValue: clientAuthentication) != nil
        if let signatureAlgorithms {
            // A stored session allows only the algorithms that the app allowed.
            settings.signatureAlgorithms = signatureAlgorithms.compactMap { SignatureAlgorithm($0) }
        }
        return OpenIDProvider(
            metadata: try ProviderMetadata(document, of: issuer, issuesIDTokens: isPlainOAuth != true),
            client: try client(),
            settings: settings,
            userEndpoint: try userEndpoint?.endpoint(of: issuer)
        )
    }

    private func client() throws -> OpenIDClient {
        if clientAuthentication == Self.anonymous { return .anonymous }
        guard !clientID.isEmpty else { throw SessionRecordError(.damaged) }
        if clientAuthentication == ClientAuthentication.none.name { return .public(id: clientID) }
        if let method = ClientAuthentication.Method(rawValue: clientAuthentication), let clientSecret {
            return .confidential(id: clientID, secret: try ClientSecret(clientSecret), method: method)
        }
        if let method = ClientAuthentication.TLSMethod(rawValue: clientAuthentication), clientSecret == nil {
            return .confidential(id: clientID, tls: method)
        }
        switch (clientAuthentication, clientKey, clientIdentity) {
        case ("private_key_jwt", let key?, nil): return .confidential(id: clientID, key: try key.key())
        case ("private_key_jwt", nil, let identity?):
            return .confidential(id: clientID, identity: try identity.source())
        default: throw SessionRecordError(.damaged)
        }
    }
}
