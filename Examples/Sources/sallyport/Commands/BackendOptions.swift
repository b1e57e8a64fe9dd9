// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import ArgumentParser
import AuthCore
import AuthSession
import OpenIDConnect

/// The options of a sign-in at an app's own backend.
struct BackendOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Sign in with this e-mail address and a password.", valueName: "address"))
    var email: String?

    @Flag(name: .long, help: "Read the password from the first line of standard input.")
    var passwordStdin = false

    @Flag(name: .long, help: "Keep nothing: the session ends with this command.")
    var noRemember = false

    @Flag(name: .long, help: "Sign in with Apple, in the browser.")
    var apple = false

    @Option(
        name: .long,
        help: ArgumentHelp("For tests: a provider that issues the identity token in place of Apple.", valueName: "url")
    )
    var appleIssuer: String?

    mutating func validate() throws {
        guard !noRemember || email != nil else {
            throw ValidationError("--no-remember needs --email; otherwise use --store memory.")
        }
    }

    /// The names of the options that were given.
    var given: [String] {
        [
            email.map { _ in "--email" }, passwordStdin ? "--password-stdin" : nil,
            noRemember ? "--no-remember" : nil, apple ? "--apple" : nil, appleIssuer.map { _ in "--apple-issuer" },
        ].compactMap(\.self)
    }

    /// Signs in with the e-mail address, or with Apple.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - clientID: The app's bundle identifier; nil for the default.
    ///   - browser: The browser of a sign-in with Apple.
    ///   - settings: The settings of the requests to a provider.
    /// - Returns: The user.
    /// - Throws: ``Failure`` without a password; the errors of the session's ways to sign in; `CancellationError`.
    func signIn(
        to session: AuthSession,
        clientID: String?,
        browser: ExternalUserAgent,
        settings: ProviderSettings
    ) async throws -> SessionUser? {
        guard let email else {
            return try await AppleLogin(
                issuer: appleIssuer,
                clientID: clientID ?? "com.goumuve.app",
                browser: browser,
                settings: settings
            ).signIn(to: session)
        }
        let password = passwordStdin ? try StandardInput.readPassword() : try Self.askForPassword()
        return try await session.signIn(
            email: email,
            password: Password(password),
            rememberMe: !noRemember,
            device: DeviceInfo.current(appVersion: Sallyport.configuration.version, app: "sallyport")
        )
    }

    private static func askForPassword() throws -> String {
        try StandardInput.askHidden("Password:", instead: "Pass it on standard input with --password-stdin.")
    }
}
