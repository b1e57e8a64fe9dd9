// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import ArgumentParser
import AuthSession
import AuthUI
import OpenIDConnect
import SecureStore
import UmuveBrands

/// The redirect to an app's own URL scheme: the program's registration, and the listener of this process.
@MainActor
final class SchemeRedirect {
    /// The error of a program that can't be registered.
    private struct RegistrationError: PresentableError, CustomStringConvertible {
        let presentation = ErrorPresentation.ownSentence
        let description = "The app can't be registered for its addresses. Start it with --redirect loopback."
    }

    private let bundleIdentifier: String
    private let handler: SchemeHandler
    private let listener: RedirectListener

    /// Starts to listen, if the user has chosen this redirect, or has used it before and chosen none.
    ///
    /// - Parameters:
    ///   - brand: The app's brand.
    ///   - options: The command-line options.
    /// - Throws: `ValidationError` if the brand has no scheme; `SecureStoreError` if this process can't listen.
    init?(_ brand: Brand, _ options: ShellOptions) throws {
        let scheme = try Self.scheme(of: brand)
        guard (options.redirect ?? (SchemeHandler.isRegistered(scheme) ? .scheme : .loopback)) == .scheme else {
            return nil
        }
        bundleIdentifier = brand.bundleIdentifier
        let arguments = try ["callback"] + options.callbackArguments
        handler = try SchemeHandler(scheme, appName: brand.name, arguments: arguments)
        listener = try RedirectListener.start(scheme)
    }

    /// Delivers an address that the system opens the app with to a process of the app that waits.
    ///
    /// - Parameters:
    ///   - address: The address. Untrusted.
    ///   - brand: The app's brand.
    /// - Returns: Whether a process goes on with its sign-in.
    /// - Throws: `ValidationError` if the address isn't one of the app's.
    static func deliver(_ address: String, to brand: Brand) async throws -> Bool {
        let scheme = try scheme(of: brand)
        guard scheme.matches(address) else {
            throw ValidationError("The address is not valid, or does not begin with \(scheme.name):.")
        }
        do throws(SecureStoreError) {
            return try await scheme.deliver(address)
        } catch {
            // No process can listen in that folder either.
            return false
        }
    }

    /// Removes the registration of an app's addresses.
    ///
    /// - Parameter brand: The app's brand.
    /// - Throws: `ValidationError` if a file can't be changed.
    static func unregister(_ brand: Brand) throws {
        do {
            try SchemeHandler.unregister(try scheme(of: brand))
        } catch let error as SecureStoreError {
            throw ValidationError("The registration can't be removed: \(error)")
        }
    }

    private static func scheme(of brand: Brand) throws -> PrivateUseScheme {
        guard let scheme = PrivateUseScheme(brand.callbackScheme) else {
            throw ValidationError("\(brand.callbackScheme) can't be a scheme.")
        }
        return scheme
    }

    /// Completes sign-ins, also those that an earlier process began, until the task is cancelled.
    func follow(with manager: AuthenticationManager) async {
        await manager.handleRedirects(to: listener)
    }

    /// Signs in with Apple in a browser, and waits for the redirect.
    ///
    /// - Parameters:
    ///   - manager: The manager of the session.
    ///   - show: The closure to call with the URL for the browser.
    func signIn(with manager: AuthenticationManager, showing show: @escaping @Sendable (String) -> Void) async {
        await manager.signIn(awaitingRedirectTo: listener) { [handler, bundleIdentifier] session in
            try await session.probeStore()
            do throws(SecureStoreError) {
                try handler.register()
            } catch {
                throw RegistrationError()
            }
            return try await session.beginAppleSignIn(
                clientID: bundleIdentifier,
                redirectURI: "\(bundleIdentifier):/callback"
            )
        } opening: { url in
            show(url)
            SystemBrowser.open(url)
        }
    }
}
#endif
