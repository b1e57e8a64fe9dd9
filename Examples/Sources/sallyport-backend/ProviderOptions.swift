// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import ReferenceBackend

/// The OpenID provider whose access tokens are accepted, as options.
struct ProviderOptions: ParsableArguments {
    @Option(help: "The provider's issuer. Its access tokens are then accepted at /api/provider/jobs.")
    var issuer: String?
    @Option(help: "The name of this API in the audience of the access tokens.")
    var audience: String?
    @Option(help: "The URL of the provider's keys: jwks_uri in its metadata.")
    var jwksURI: String?
    @Option(help: "The URL under which clients reach this server, for DPoP proofs. (default: the listening address)")
    var baseURL: String?

    func validate() throws {
        let given = [issuer, audience, jwksURI].count { $0 != nil }
        guard given == 3 || given == 0 && baseURL == nil else {
            throw ValidationError("A provider's access tokens need all of --issuer, --audience and --jwks-uri.")
        }
        guard settings(address: "")?.isSecure ?? true else {
            throw ValidationError("--jwks-uri must be an https URL, or an http URL on this machine.")
        }
    }

    /// Returns the settings, or nil if no option was given.
    func settings(address: String) -> ProviderSettings? {
        guard let issuer, let audience, let jwksURI else { return nil }
        return ProviderSettings(issuer: issuer, audience: audience, jwksURI: jwksURI, baseURL: baseURL ?? address)
    }
}
