// SPDX-License-Identifier: Apache-2.0

/// The rule by which a provider's documents and tokens must name its issuer.
public enum IssuerRule: Sendable, Hashable {
    /// Byte for byte.
    ///
    /// [OpenID Connect Discovery 1.0, 4.3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationValidation).
    case exact
    /// Byte for byte, but an ID token may omit `https://`, and only that.
    ///
    /// Google documents both forms. Accepted for `https://accounts.google.com` alone.
    case optionalScheme
    /// Microsoft's: an address for several tenants publishes an issuer with the placeholder `{tenantid}`, and a token
    /// names the tenant in `iss` and `tid`.
    ///
    /// Accepted only for issuers of the form `ORIGIN/TENANT/v2.0`, from that origin. A key may be limited to one issuer.
    case tenant
}
