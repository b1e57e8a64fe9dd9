// SPDX-License-Identifier: Apache-2.0

import AuthSession
import OpenIDConnect
import OpenIDSession

/// A sign-in of a user at a provider: in the browser, with a pasted address, or on another device.
struct UserLogin: Sendable {
    private let browserOptions: BrowserOptions
    private let usesDevice: Bool
    private var redirect: LoopbackRedirect
    private let help = BrowserHelp()

    /// Creates a sign-in.
    ///
    /// - Parameters:
    ///   - options: The options of the sign-in.
    ///   - browserOptions: The options of the browser.
    ///   - profile: The profile of the provider.
    ///   - fixesPort: Whether the redirect URI must be known before the sign-in begins.
    /// - Throws: `OpenIDError` (`portUnavailable`) if no port is free.
    init(
        _ options: ProviderOptions,
        _ browserOptions: BrowserOptions,
        at profile: ProviderProfile,
        fixesPort: Bool = false
    ) async throws {
        self.browserOptions = browserOptions
        usesDevice = options.device
        var redirect = browserOptions.redirect(profile)
        if redirect.port == 0, fixesPort || browserOptions.paste {
            redirect.port = try await Self.freePort(for: redirect)
        }
        self.redirect = redirect
    }

    /// Returns the same sign-in with the redirect of a profile, unless the options replace it.
    ///
    /// - Parameter profile: The profile, which is known only with the provider's metadata.
    /// - Returns: The sign-in, with the same host, and the same port if the profile fixes none.
    func withRedirect(of profile: ProviderProfile) -> UserLogin {
        var login = self
        let wanted = browserOptions.redirect(profile)
        login.redirect.path = wanted.path
        if wanted.port != 0 { login.redirect.port = wanted.port }
        return login
    }

    /// Whether no other program has the port of the redirect URI, if the sign-in listens there.
    var isPortFree: Bool {
        get async {
            if browserOptions.paste || usesDevice { return true }
            return await (try? LoopbackListener.start(redirect)) != nil
        }
    }

    /// The redirect URI; with port 0 if it is not fixed.
    var redirectURI: String {
        "http://\(redirect.host == .localhost ? "localhost" : "127.0.0.1"):\(redirect.port)\(redirect.path)"
    }

    func signIn(to session: AuthSession, _ parameters: AuthorizationParameters) async throws -> SessionUser? {
        if browserOptions.paste {
            let paste = PastedRedirect(redirectURI: redirectURI, timeout: .seconds(browserOptions.loginTimeout))
            return try await paste.signIn(to: session, parameters, help)
        }
        if usesDevice {
            return try await session.signInWithDeviceCode(parameters) { device in
                Terminal.note(DeviceCodePrompt.text(device, on: .current))
            }
        }
        let ways = Browser.ways(at: session.provider)
        let browser = browserOptions.browser(redirect, ways: ways).announcing { [help] in help.begin($0) }
        defer { help.end() }
        do {
            return try await session.signIn(using: browser, parameters)
        } catch let error as OpenIDError where error == OpenIDError(.authorization, .timedOut) {
            throw Failure(.failed, error.description, help.advice() ?? "Compare the values above, and start again.")
        } catch {
            if Task.isCancelled { help.show() }
            throw error
        }
    }

    /// Returns a port that is free, and that the system gives to no other program until the listener opens it again.
    ///
    /// The ports that systems give to connections begin at 32,768.
    private static func freePort(for redirect: LoopbackRedirect) async throws -> Int {
        var attempts = 16
        while true {
            var attempt = redirect
            attempt.port = Int.random(in: 20_000..<32_768)
            do {
                _ = try await LoopbackListener.start(attempt)
                return attempt.port
            } catch let error as OpenIDError where error.code == .browserUnavailable && attempts > 1 {
                attempts -= 1
            }
        }
    }
}
