// SPDX-License-Identifier: Apache-2.0

import APIClient
import OpenIDConnect

/// The provider that the arguments name, and its rules.
struct ProviderAddress: Sendable {
    /// The provider's issuer; for GitHub, the address of the server.
    let issuer: Issuer

    var profile: ProviderProfile { issuer.profile }
    /// Whether the provider has no OpenID Connect.
    var isGitHub: Bool { profile.name == ProviderName.github.rawValue }

    /// Reads the arguments.
    ///
    /// - Parameters:
    ///   - name: The provider's name; nil for the one whose issuer it is.
    ///   - address: The issuer's address, which completes or replaces the provider's own.
    ///   - tenant: The tenant at Microsoft.
    /// - Throws: ``Failure`` (`wrongArguments`); `BaseURLError`.
    init(_ name: ProviderName?, _ address: String?, tenant: String?) throws {
        guard let text = address ?? name?.address else {
            throw Failure(
                .wrongArguments,
                "The provider \(name?.rawValue ?? "") has no address of its own.",
                "Give yours with --issuer URL."
            )
        }
        let given = try Issuer(Issuer.identifier(fromDocumentAddress: text))
        guard name == nil || given.profile == .standard || given.profile.name == name?.rawValue else {
            throw Failure(
                .wrongArguments,
                "The rules of \(name?.rawValue ?? "") are not for \(given.profile.name), whose address this is.",
                "Leave out the provider's name, or check the address."
            )
        }
        let profile = name?.profile ?? given.profile
        issuer = try Issuer(try Self.identifier(given, profile, tenant: tenant), profile: profile)
    }

    /// Returns the issuer that `--issuer` names, and prints a note if the argument is the address of its document.
    static func issuer(in argument: String) -> String {
        let issuer = Issuer.identifier(fromDocumentAddress: argument)
        // An address that is refused may contain a password.
        if issuer != argument, (try? Issuer(issuer)) != nil {
            Terminal.note("The address is that of a document, whose issuer is \(issuer).")
        }
        return issuer
    }

    /// Returns the address as the provider writes it in its documents.
    private static func identifier(_ given: Issuer, _ profile: ProviderProfile, tenant: String?) throws -> String {
        let path = given.baseURL.pathPrefix
        switch profile.name {
        case ProviderName.microsoft.rawValue:
            guard path.isEmpty || tenant == nil else {
                throw Failure(
                    .wrongArguments,
                    "The address \(given) names a tenant already.",
                    "Leave out --tenant, or give the address without the tenant."
                )
            }
            if path.hasSuffix("/v2.0") { return given.identifier }
            return "\(given.baseURL)\(path.isEmpty ? "/\(tenant ?? "common")" : "")/v2.0"
        case _ where tenant != nil:
            throw Failure(
                .wrongArguments,
                "--tenant is for Microsoft.",
                "Leave it out, or sign in with login microsoft."
            )
        // The issuer that GitHub names is below its address.
        case ProviderName.github.rawValue where path == "/login/oauth": return given.baseURL.origin
        // Auth0 writes its issuer with a slash at its end.
        case ProviderName.auth0.rawValue: return "\(given.baseURL)/"
        default: return given.identifier
        }
    }
}
