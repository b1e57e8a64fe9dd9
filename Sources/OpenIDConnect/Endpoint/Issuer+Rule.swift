// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

/// The comparison of names with an issuer, by the rule of its profile.
extension Issuer {
    /// Returns the issuer that an untrusted document names: this one or its tenant with the ID; nil for any other.
    func issuer(inDocument said: String) -> Issuer? {
        if isNamed(said) { return self }
        guard let address = tenantAddress else { return nil }
        if said.utf8.elementsEqual(address.issuer(of: TenantAddress.placeholder).utf8) {
            // A token's own claim then names the tenant.
            return address.isShared ? self : nil
        }
        // The document for a tenant's domain names the tenant's ID, and so does the one for personal accounts.
        guard !address.isForAnyOrganization, let tenant = address.tenant(in: said), address.accepts(tenant) else {
            return nil
        }
        return try? named(said)
    }

    /// Returns whether the untrusted `iss` of an authorization response names this issuer, or a tenant that it accepts.
    func isNamed(inResponse said: String) -> Bool {
        if isNamed(said) { return true }
        guard let address = sharedAddress, let tenant = address.tenant(in: said) else { return false }
        return address.accepts(tenant)
    }

    /// Returns whether `iss` of a token's untrusted claims names this issuer; for several tenants, the tenant of `tid`.
    func isNamed(by claims: UnverifiedClaims) -> Bool {
        guard let said = claims.issuer else { return false }
        if let address = sharedAddress {
            guard let tenant = claims["tid"]?.string, address.accepts(tenant) else { return false }
            return said.utf8.elementsEqual(address.issuer(of: tenant).utf8)
        }
        return isNamed(said) || omitsScheme(said)
    }

    /// Returns whether a key that the key set may limit to an issuer may sign the token of these untrusted claims.
    ///
    /// True if the profile knows no such limit (RFC 7517, 4: unknown members are ignored).
    func allowsKey(limitedTo keyIssuer: String?, for claims: UnverifiedClaims) -> Bool {
        guard profile.issuerRule == .tenant, let keyIssuer, let said = claims.issuer else { return true }
        guard let address = tenantAddress, let tenant = address.tenant(in: said) else { return isNamed(keyIssuer) }
        return keyIssuer.utf8.elementsEqual(said.utf8)
            || keyIssuer.replacing(TenantAddress.placeholder, with: tenant).utf8.elementsEqual(said.utf8)
    }

    private func omitsScheme(_ said: String) -> Bool {
        profile.issuerRule == .optionalScheme && isNamed("https://accounts.google.com") && said == "accounts.google.com"
    }

    private var tenantAddress: TenantAddress? { profile.issuerRule == .tenant ? TenantAddress(self) : nil }

    private var sharedAddress: TenantAddress? { tenantAddress.flatMap { $0.isShared ? $0 : nil } }
}

/// The parts of an issuer of the form `ORIGIN/TENANT/v2.0`.
struct TenantAddress: Sendable, Hashable {
    /// The text in place of a tenant in documents for several tenants.
    static let placeholder = "{tenantid}"
    /// The tenant of personal accounts.
    static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

    private let origin: String
    private let tenant: String

    /// Reads an issuer; returns nil if it has another form.
    init?(_ issuer: Issuer) {
        let segments = issuer.baseURL.pathPrefix.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count == 3, segments[0].isEmpty, !segments[1].isEmpty, segments[2] == "v2.0" else { return nil }
        origin = issuer.baseURL.origin
        tenant = String(segments[1])
    }

    /// Whether users of any organization sign in at the address.
    var isForAnyOrganization: Bool { tenant == "common" || tenant == "organizations" }

    /// Whether a token, and not the address, names the tenant.
    var isShared: Bool { isForAnyOrganization || tenant == "consumers" }

    /// Returns whether a tenant may sign in at this address.
    func accepts(_ tenant: String) -> Bool {
        guard Self.isID(tenant) else { return false }
        return switch self.tenant {
        case "organizations": tenant != Self.consumers
        case "consumers": tenant == Self.consumers
        // A tenant's domain doesn't show its ID.
        default: isForAnyOrganization || !Self.isID(self.tenant) || self.tenant == tenant
        }
    }

    func issuer(of tenant: String) -> String { "\(origin)/\(tenant)/v2.0" }

    /// Returns the tenant in a tenant's issuer; nil if it is not of this origin and form.
    func tenant(in issuer: String) -> String? {
        guard issuer.hasPrefix(origin + "/"), issuer.hasSuffix("/v2.0") else { return nil }
        let tenant = String(issuer.dropFirst(origin.count + 1).dropLast(5))
        return Self.isID(tenant) && self.issuer(of: tenant).utf8.elementsEqual(issuer.utf8) ? tenant : nil
    }

    /// Returns whether a text is a GUID in lowercase.
    private static func isID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 36
            && bytes.indices.allSatisfy { index in
                switch bytes[index] {
                case UInt8(ascii: "-"): [8, 13, 18, 23].contains(index)
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
                    ![8, 13, 18, 23].contains(index)
                default: false
                }
            }
    }
}
