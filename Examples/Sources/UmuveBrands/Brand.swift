public import AuthSession

/// What one app of the family is called, and what it shows of itself.
public struct Brand: Sendable, Hashable {
    /// The app's name.
    public let name: String
    /// The name as it is drawn above the sign-in button.
    public let wordmark: String
    /// The app's name among all apps.
    ///
    /// The session's keyring item and the settings are kept under it, and it is the client that an identity token is for.
    public let bundleIdentifier: String
    /// The services that older versions of the app kept their token under, in the keyring or keychain.
    public let olderServices: [String]
    /// The scheme of the address that a browser hands back to the app.
    ///
    /// The bundle identifier, as the app's owner alone may use it.
    /// [RFC 8252, section 7.1](https://www.rfc-editor.org/rfc/rfc8252#section-7.1).
    public var callbackScheme: String { bundleIdentifier }
    /// What the backend calls the people whom the app is for: the `role` of its users.
    public let role: String
    /// The pages of the onboarding, first to last.
    public let pages: [OnboardingPage]

    /// Makes a brand.
    ///
    /// - Parameters:
    ///   - name: The app's name.
    ///   - wordmark: The name as it is drawn.
    ///   - bundleIdentifier: The app's name among all apps.
    ///   - olderServices: The services that older versions kept their token under.
    ///   - role: What the backend calls the people whom the app is for.
    ///   - pages: The pages of the onboarding.
    public init(
        name: String,
        wordmark: String,
        bundleIdentifier: String,
        olderServices: [String] = [],
        role: String,
        pages: [OnboardingPage]
    ) {
        self.name = name
        self.wordmark = wordmark
        self.bundleIdentifier = bundleIdentifier
        self.olderServices = olderServices
        self.role = role
        self.pages = pages
    }
}
