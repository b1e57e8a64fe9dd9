// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Logging
internal import ReferenceBackend
internal import UnixSignals

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The command that serves until a signal stops it.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve both contracts until SIGTERM or SIGINT (the default).",
        discussion: """
            If the environment variable SALLYPORT_BACKEND_API_KEY is set and not empty, every call under /api must \
            carry its value as X-API-Key.
            """
    )

    @Option(help: "The address to bind to.")
    var host = "127.0.0.1"
    @Option(help: "The port to bind to; 0 for a free one.")
    var port = 8080
    @Option(
        help: ArgumentHelp(
            "The IP address of a proxy that may name the client in X-Forwarded-For, for the limits of sign-ins.",
            valueName: "address"
        )
    )
    var trustedProxy: ProxyArgument?
    @Option(help: "The database file; created if it does not exist.")
    var database = "sallyport-backend.sqlite"
    @Option(help: "Lifetime of contract B's access tokens, in seconds.")
    var accessTokenLifetime = 900
    @Option(help: "Lifetime of contract B's refresh tokens, in seconds.")
    var refreshTokenLifetime = 30 * 86_400
    @Option(help: "Lifetime of contract A's session tokens, in seconds.")
    var sessionTokenLifetime = 30 * 86_400
    @Option(help: "Seconds after a sign-in in which contract A's tokens are accepted and refreshed; by default no end.")
    var longestSession: Int?
    @Option(help: "Seconds in which a rotated refresh token gets the same response again.")
    var refreshGrace = 10
    @Option(help: "Refuse tokens this many seconds before they expire, like a server with a fast clock.")
    var refuseEarly = 0
    @Option(help: "An app and its role, ID=customer or ID=driver. May be repeated. Replaces the two built-in apps.")
    var bundleID: [ClientArgument] = []
    @Flag(help: "Start a stand-in for Apple, and trust it.")
    var appleStandIn = false
    @Option(help: "The stand-in's port; 0 for a free one.")
    var applePort = 8081
    @Flag(help: "Let the stand-in also accept a native app with a loopback redirect, as Apple does not.")
    var appleLoopback = false
    @OptionGroup(title: "Sign in with Apple in a browser") var apple: AppleOptions
    @OptionGroup(title: "Access tokens of an OpenID provider") var provider: ProviderOptions
    @Flag(help: "Accept a userIdentifier without an identity token. It proves nothing.")
    var acceptUserIdentifier = false
    @Flag(help: "Log more.")
    var verbose = false

    func validate() throws {
        guard (0...65_535).contains(port), (0...65_535).contains(applePort) else {
            throw ValidationError("A port is a number from 0 to 65535.")
        }
        let seconds = [accessTokenLifetime, refreshTokenLifetime, sessionTokenLifetime, longestSession ?? 1]
        guard seconds.allSatisfy({ (1...1_000_000_000).contains($0) }) else {
            throw ValidationError("A lifetime is at least one second.")
        }
        guard appleStandIn || !appleLoopback else { throw ValidationError("--apple-loopback needs --apple-stand-in.") }
        guard refreshGrace >= 0, refuseEarly >= 0 else { throw ValidationError("Seconds can't be negative.") }
    }

    func run() async throws {
        // Trapped before the server listens, so that no signal is missed.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let backend = try await ReferenceBackend.start(try settings())
        announce(backend)
        for await _ in signals { break }
        await backend.stop()
    }

    private func settings() throws -> BackendSettings {
        var settings = BackendSettings(databasePath: database)
        settings.host = host
        settings.port = port
        settings.trustedProxy = trustedProxy?.address
        settings.apiKey = Self.apiKey
        settings.accessTokenLifetime = .seconds(accessTokenLifetime)
        settings.refreshTokenLifetime = .seconds(refreshTokenLifetime)
        settings.sessionTokenLifetime = .seconds(sessionTokenLifetime)
        settings.longestSession = longestSession.map { .seconds($0) }
        settings.refreshGrace = .seconds(refreshGrace)
        settings.refuseEarly = .seconds(refuseEarly)
        if !bundleID.isEmpty {
            settings.clients = Dictionary(bundleID.map { ($0.id, $0.role) }) { _, last in last }
        }
        settings.appleStandInPort = appleStandIn ? applePort : nil
        settings.appleStandInAcceptsLoopback = appleLoopback
        settings.appleRegistration = try apple.registration()
        settings.provider = provider.settings(address: "http://\(shownHost):\(port)")
        settings.insecurelyAcceptsUserIdentifier = acceptUserIdentifier
        var logger = Logger(label: "sallyport-backend") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = verbose ? .debug : .info
        settings.logger = logger
        return settings
    }

    /// The required API key, from the environment because every user of the machine can read arguments.
    private static var apiKey: String? {
        let key = ProcessInfo.processInfo.environment["SALLYPORT_BACKEND_API_KEY"] ?? ""
        return key.isEmpty ? nil : key
    }

    /// The host in a URL.
    private var shownHost: String { host.contains(":") ? "[\(host)]" : host }

    private func announce(_ backend: ReferenceBackend) {
        let shown = shownHost
        StandardOutput.write("sallyport-backend listening on http://\(shown):\(backend.port)")
        if let returnURL = backend.appleReturnURL, apple.publicURL != nil {
            StandardOutput.write("return URL for Sign in with Apple: \(returnURL)")
        }
        if let port = backend.applePort {
            StandardOutput.write("stand-in for Apple (a test server, not Apple) listening on http://\(shown):\(port)")
        }
    }
}
