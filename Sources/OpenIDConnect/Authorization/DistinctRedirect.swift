// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

/// The defense against mix-up by redirect URIs that no two issuers share.
///
/// Only an API vouches for a server that its metadata names. Such a server may redirect the browser to another server,
/// whose code would then be sent to the first one's token endpoint. Either the response contains `iss`, or it comes to a
/// redirect URI that the other server never uses.
/// [RFC 9700, 4.4.2](https://www.rfc-editor.org/rfc/rfc9700#section-4.4.2).
extension Issuer {
    /// A path for redirect URIs that no other issuer shares, such as `/q1Hn0WyRCLZ2G4Bd6FmXsA/callback`.
    ///
    /// A hash of the identifier makes it the same in every process and version. The redirect URI ends with it:
    /// `http://127.0.0.1:8484` + path, `com.example.app:` + path, or `https://app.example` + path.
    public var distinctRedirectPath: String {
        // Not below `/callback`: some servers accept every path below the registered one.
        "/\(Base64URL.encode(Array(SHA256.hash(data: Array(identifier.utf8)).prefix(16))))/callback"
    }
}

extension ProviderMetadata {
    /// Returns the metadata with the issuer's own redirect path, for a client that is registered with it.
    ///
    /// The profile's redirect then has this path, and the port if it is not nil, also for a later step-up.
    public func withDistinctRedirect(port: Int? = nil) -> ProviderMetadata {
        var profile = issuer.profile
        profile.redirect.path = issuer.distinctRedirectPath
        if let port { profile.redirect.port = port }
        var metadata = self
        metadata.issuer = issuer.with(profile)
        return metadata
    }
}

extension AuthorizationRequest {
    private var hasDistinctRedirect: Bool {
        let path = provider.issuer.distinctRedirectPath.utf8
        return redirectURI.utf8.suffix(path.count).elementsEqual(path)
            && !redirectURI.utf8.contains { "?#".utf8.contains($0) }
    }

    /// Whether nothing but `iss` can tell another server's response from this one's.
    private var dependsOnIssuer: Bool { provider.issuer.isNamedByResource && !hasDistinctRedirect }

    var requiresIssuerInResponse: Bool { provider.authorizationResponseIssParameterSupported || dependsOnIssuer }

    /// Checks that a response of another server could be told from this one's.
    func checkRedirect() throws(OpenIDError) {
        guard provider.authorizationResponseIssParameterSupported || !dependsOnIssuer else {
            throw OpenIDError(.authorization, .distinctRedirectRequired)
        }
    }
}
