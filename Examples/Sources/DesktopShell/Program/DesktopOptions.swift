// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AppShell
public import ArgumentParser
import AuthCore
import AuthSession
import Foundation
import OpenIDConnect
import OpenIDSession
import SecureStore
import UmuveBrands

/// The command-line options of an app.
public struct DesktopOptions: ParsableArguments, Sendable {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The backend's address. An older version's token is used for this backend. (default: the server of the \
            last sign-in, else http://127.0.0.1:8080)
            """,
            valueName: "url"
        )
    )
    var backend: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Sign in at this OpenID provider, in place of the backend.", valueName: "url")
    )
    var issuer: String?

    @Option(name: .long, help: ArgumentHelp("The app's client ID at the provider.", valueName: "id"))
    var clientID: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "For tests: a provider that issues the identity token in place of Apple.",
            valueName: "url"
        )
    )
    var appleIssuer: String?

    @Option(
        name: .long,
        help: """
            The store of the session: keyring, file (under SALLYPORT_PASSPHRASE), portal or memory. (default: the \
            session's own; of a new session the keyring, in a sandbox the portal)
            """
    )
    var store: StoreChoice?

    @Option(name: .long, help: "The profile. Each profile has its own session.")
    var profile = "default"

    @Option(name: .long, help: ArgumentHelp("Interval between checks of the server.", valueName: "seconds"))
    var checkEvery = 15

    @Argument(help: ArgumentHelp("An address that the browser opens the app with.", valueName: "address"))
    var addresses: [String] = []

    public init() {}

    public mutating func validate() throws {
        guard (1...86_400).contains(checkEvery) else {
            throw ValidationError("--check-every takes 1 to 86400 seconds.")
        }
        guard (issuer == nil) == (clientID == nil) else {
            throw ValidationError("--issuer and --client-id go together.")
        }
    }
}

extension DesktopOptions {
    /// Parses an option, with its name in the error message.
    static func parse<Value>(_ name: String, _ parse: () throws -> Value) throws -> Value {
        do {
            return try parse()
        } catch {
            throw ValidationError("\(name): \(error)")
        }
    }

    /// The server that the arguments name; nil if they name none.
    var server: SignInServer? {
        if backend == nil, issuer == nil {
            nil
        } else {
            SignInServer(backend: backend, issuer: issuer, clientID: clientID)
        }
    }

    /// Takes the server of the profile's last sign-in if the arguments name none.
    ///
    /// So an app that the desktop starts, for example with the response to a sign-in, is where the user signs in.
    mutating func recall(_ brand: Brand) {
        guard server == nil else { return }
        let last = AppSettingsStore(app: brand.bundleIdentifier).load().servers?[profile]
        (backend, issuer, clientID) = (last?.backend, last?.issuer, last?.clientID)
    }

    /// Returns the app's own backend.
    func backend(of contract: SessionBackend.Contract) throws -> SessionBackend {
        let url = try Self.parse("--backend") { try BaseURL(backend ?? "http://127.0.0.1:8080") }
        let text = ProcessInfo.processInfo.environment["UMUVE_API_KEY"].flatMap { $0.isEmpty ? nil : $0 }
        let key = try Self.parse("UMUVE_API_KEY") { try text.map { try APIKey($0) } }
        return .firstParty(baseURL: url, contract: contract, apiKey: key)
    }

    /// Returns the provider, and the opened store of its session; nil if no provider is named.
    ///
    /// A stored session has the provider's description, so that the app starts offline. Without one it is fetched.
    func provider(of brand: Brand) async throws -> (openID: OpenIDProvider, store: any SecureStore)? {
        guard let issuer, let clientID else { return nil }
        let parsed = try Self.parse("--issuer") { try Issuer(issuer) }
        let scope = try scope(of: brand)
        let store = try SessionStore.open(try SessionStore.place(store, of: scope), of: brand, scope, for: nil)
        var unreadable: SecureStoreError?
        do {
            let stored = try await SessionSummary(in: store, of: [.openID])?.backend.provider
            if let stored, stored.metadata.issuer.identifier == parsed.identifier,
                stored.client == .public(id: clientID)
            {
                return (stored, store)
            }
        } catch {
            // Without it the session says what is wrong with its record.
            unreadable = error as? SecureStoreError
        }
        do {
            return (try await .discover(issuer: parsed, client: .public(id: clientID)), store)
        } catch {
            // Once the store can be read, the network may not be needed.
            throw unreadable ?? error
        }
    }

    /// Returns the scope of the session.
    func scope(of brand: Brand) throws -> StoreScope {
        try Self.parse("--profile") { try StoreScope(service: brand.bundleIdentifier, account: profile) }
    }

    /// Returns the name by which the desktop knows the running app, one for each profile.
    ///
    /// It has no room for the dots of a profile's name.
    func applicationID(of brand: Brand) -> String {
        guard profile != "default" else { return brand.bundleIdentifier }
        return brand.bundleIdentifier + ".p_"
            + profile.replacing("_", with: "__").replacing(".", with: "_d").replacing("-", with: "_h")
    }
}
