// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import ReferenceBackend

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The backend's registration at Apple, as options.
struct AppleOptions: ParsableArguments {
    @Option(help: "The backend's public address, https://HOST. Apple posts to /api/auth/apple/callback there.")
    var publicURL: String?
    @Option(help: "The team's ID at Apple.")
    var appleTeamID: String?
    @Option(help: "The ID of the team's key for Sign in with Apple.")
    var appleKeyID: String?
    @Option(help: "The file of that key, AuthKey_ID.p8.")
    var appleKeyFile: String?
    @Option(
        name: .customLong("apple-services-id"),
        help: "An app and its Services ID, BUNDLE-ID=SERVICES-ID. May be repeated."
    )
    var appleServicesID: [ServicesIDArgument] = []

    func validate() throws {
        let given = [publicURL, appleTeamID, appleKeyID, appleKeyFile].count { $0 != nil }
        guard given == 0 && appleServicesID.isEmpty || given == 4 && !appleServicesID.isEmpty else {
            throw ValidationError(
                """
                Sign in with Apple in a browser needs all of --public-url, --apple-team-id, --apple-key-id, \
                --apple-key-file and --apple-services-id.
                """
            )
        }
    }

    /// Returns the registration, or nil if no option was given.
    ///
    /// - Throws: `ValidationError` if the key file can't be read.
    func registration() throws -> AppleRegistration? {
        guard let publicURL, let appleTeamID, let appleKeyID, let appleKeyFile else { return nil }
        guard let key = try? String(contentsOf: URL(filePath: appleKeyFile), encoding: .utf8) else {
            throw ValidationError("The file \(appleKeyFile) can't be read.")
        }
        return AppleRegistration(
            teamID: appleTeamID,
            keyID: appleKeyID,
            privateKey: key,
            servicesIDs: Dictionary(appleServicesID.map { ($0.app, $0.servicesID) }) { _, last in last },
            publicURL: publicURL
        )
    }
}

/// An app and its Services ID, written `BUNDLE-ID=SERVICES-ID`.
struct ServicesIDArgument: ExpressibleByArgument {
    let app: String
    let servicesID: String

    init?(argument: String) {
        let sides = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard sides.count == 2 else { return nil }
        (app, servicesID) = (sides[0], sides[1])
    }
}
