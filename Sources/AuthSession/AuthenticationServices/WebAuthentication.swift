#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices

/// The system's sheet in which a person signs in at a provider, and which hands the provider's answer back to the app.
///
/// The page is the browser's and not the app's: the app sees neither password nor cookies.
/// [RFC 8252, B.1](https://www.rfc-editor.org/rfc/rfc8252#appendix-B.1).
public struct WebAuthentication: Sendable {
    /// The app's address, as the provider knows it.
    ///
    /// With a scheme of the app's own, or `https` with a host that the app's associated domains name.
    public let redirectURI: String
    /// Whether the browser forgets the person afterwards, and does not know them before.
    ///
    /// Then nobody is asked whether the app may use the browser's cookies, and nobody is signed in there already.
    public let isEphemeral: Bool
    /// The window that the sheet belongs to.
    let anchor: @MainActor @Sendable () -> ASPresentationAnchor

    /// Describes a sheet; nothing is shown yet.
    ///
    /// - Parameters:
    ///   - redirectURI: The app's address, as the provider knows it.
    ///   - isEphemeral: Whether the browser forgets the person.
    ///   - anchor: The window that the sheet belongs to; an app with several gives the one that the person is in.
    public init(
        redirectURI: String,
        isEphemeral: Bool = false,
        anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor = { ASPresentationAnchor() }
    ) {
        self.redirectURI = redirectURI
        self.isEphemeral = isEphemeral
        self.anchor = anchor
    }
}
#endif
