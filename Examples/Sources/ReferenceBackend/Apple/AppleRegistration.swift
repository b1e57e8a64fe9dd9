// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// The registration at Apple with which the backend carries out Sign in with Apple in a browser.
///
/// `Docs/SignInWithApple.md` says where each value comes from.
public struct AppleRegistration: Sendable, CustomStringConvertible, CustomReflectable {
    /// The team's ID: the issuer of client secrets.
    public var teamID: String
    /// The ID of the team's key.
    public var keyID: String
    /// The team's private key for P-256, in PEM form, as in Apple's file `AuthKey_ID.p8`.
    ///
    /// Secret.
    public var privateKey: String
    /// The Services ID of each app, by its bundle identifier.
    public var servicesIDs: [String: String]
    /// The backend's public address, `https://HOST`, at which Apple's page posts its response.
    public var publicURL: String

    /// Creates a registration.
    ///
    /// - Parameters:
    ///   - teamID: The team's ID.
    ///   - keyID: The ID of the team's key.
    ///   - privateKey: The team's private key in PEM form. Secret.
    ///   - servicesIDs: The Services ID of each app, by its bundle identifier.
    ///   - publicURL: The backend's public address.
    public init(
        teamID: String,
        keyID: String,
        privateKey: String,
        servicesIDs: [String: String],
        publicURL: String
    ) {
        self.teamID = teamID
        self.keyID = keyID
        self.privateKey = privateKey
        self.servicesIDs = servicesIDs
        self.publicURL = publicURL
    }

    /// The path of the return URL.
    static let callbackPath = "/api/auth/apple/callback"

    /// The return URL that is registered at Apple for each Services ID.
    package var returnURL: String { publicURL + Self.callbackPath }

    /// The Services ID, without the key.
    public var description: String { "\(Self.self)(\(keyID) of \(teamID), <redacted>)" }

    /// A mirror without the key.
    public var customMirror: Mirror { Mirror(self, children: ["teamID": teamID, "keyID": keyID]) }

    /// Returns the registration with which a stand-in for Apple knows this backend, with a new key.
    ///
    /// - Parameters:
    ///   - apps: The apps' bundle identifiers.
    ///   - publicURL: The backend's public address.
    /// - Returns: The registration.
    package static func standIn(apps: some Sequence<String>, publicURL: String) -> AppleRegistration {
        AppleRegistration(
            teamID: "STANDIN001",
            keyID: "STANDINKEY",
            privateKey: P256.Signing.PrivateKey().pemRepresentation,
            servicesIDs: Dictionary(uniqueKeysWithValues: apps.map { ($0, $0 + ".signin") }),
            publicURL: publicURL
        )
    }

    /// Checks the registration and reads its key.
    ///
    /// - Returns: The key. Secret.
    /// - Throws: ``BackendStartError`` (`invalidAppleSettings`).
    func checkedKey() throws -> P256.Signing.PrivateKey {
        guard WebAddress.isPublic(publicURL), !publicURL.hasSuffix("/") else {
            throw Self.invalid("The public address must be https://HOST, with a domain name: Apple accepts no other.")
        }
        guard !servicesIDs.isEmpty else { throw Self.invalid("There is no Services ID.") }
        guard !teamID.isEmpty, !keyID.isEmpty else { throw Self.invalid("The team ID or the key ID is empty.") }
        do {
            return try P256.Signing.PrivateKey(pemRepresentation: privateKey)
        } catch {
            throw Self.invalid("Apple's private key is not a P-256 key in PEM form.")
        }
    }

    private static func invalid(_ sentence: String) -> BackendStartError {
        BackendStartError(.invalidAppleSettings, sentence)
    }
}
