// SPDX-License-Identifier: Apache-2.0

public import AppShell

/// The name, appearance and identifiers of an app of the family.
public struct Brand: Sendable, Hashable {
    /// The app's name.
    public let name: String
    /// The name above the sign-in button.
    public let wordmark: String
    /// The name of the SF symbol beside the wordmark, or nil if there is no symbol.
    public let symbolName: String?
    /// The colours.
    public let palette: BrandPalette
    /// The app's unique identifier.
    ///
    /// Names the session's keyring item and the settings, and is the client ID of identity tokens.
    public let bundleIdentifier: String
    /// The keyring or keychain services under which older versions of the app kept their token, newest first.
    public let legacyServices: [String]
    /// The flags with which older versions of the app recorded that the onboarding was completed.
    public let legacyOnboardingKeys: [String]
    /// The URI that a browser returns to after a sign-in at a provider, as registered there.
    ///
    /// Its scheme should be the bundle identifier, as it is by default. Any app can claim any scheme. A domain name of the
    /// owner's, reversed, is nobody else's by accident, and a store can tell who may claim it:
    /// [RFC 8252, section 7.1](https://www.rfc-editor.org/rfc/rfc8252#section-7.1). A scheme without a dot works, for
    /// example `recipe://callback`. If another app has it too, that app may get this app's responses: PKCE keeps it from
    /// using them, but the user is not signed in.
    public let redirectURI: String
    /// The URL scheme with which a browser redirects to the app.
    public var callbackScheme: String { String(redirectURI.prefix { $0 != ":" }) }
    /// The way in which the app's users sign in.
    public let signInMethod: SignInMethod
    /// The backend's `role` of the app's users.
    public let role: String
    /// Whether the app asks for what a user's account lacks before the main screen.
    public let completesAccounts: Bool
    /// The pages of the onboarding, first to last.
    public let pages: [OnboardingPage]

    /// Creates a brand.
    ///
    /// - Parameters:
    ///   - name: The app's name.
    ///   - wordmark: The name above the sign-in button.
    ///   - symbolName: The name of the SF symbol beside the wordmark, if any.
    ///   - palette: The colours.
    ///   - bundleIdentifier: The app's unique identifier.
    ///   - redirectURI: The URI that a browser returns to; nil for `/callback` under the bundle identifier.
    ///   - legacyServices: The services under which older versions kept their token, newest first.
    ///   - legacyOnboardingKeys: The flags with which older versions recorded a completed onboarding.
    ///   - signInMethod: The way in which the app's users sign in.
    ///   - role: The backend's `role` of the app's users.
    ///   - completesAccounts: Whether the app asks for what a user's account lacks.
    ///   - pages: The pages of the onboarding.
    public init(
        name: String,
        wordmark: String,
        symbolName: String? = nil,
        palette: BrandPalette = .umuve,
        bundleIdentifier: String,
        redirectURI: String? = nil,
        legacyServices: [String] = [],
        legacyOnboardingKeys: [String] = [],
        signInMethod: SignInMethod = .apple,
        role: String,
        completesAccounts: Bool = false,
        pages: [OnboardingPage]
    ) {
        self.name = name
        self.wordmark = wordmark
        self.symbolName = symbolName
        self.palette = palette
        self.bundleIdentifier = bundleIdentifier
        self.redirectURI = redirectURI ?? "\(bundleIdentifier):/callback"
        self.legacyServices = legacyServices
        self.legacyOnboardingKeys = legacyOnboardingKeys
        self.signInMethod = signInMethod
        self.role = role
        self.completesAccounts = completesAccounts
        self.pages = pages
    }
}
