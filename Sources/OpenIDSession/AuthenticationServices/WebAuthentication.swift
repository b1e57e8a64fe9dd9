// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices

/// The system's sheet in which the user signs in at a provider, and which returns the redirect to the app.
///
/// The browser renders the page, so the app sees neither password nor cookies.
/// [RFC 8252, B.1](https://www.rfc-editor.org/rfc/rfc8252#appendix-B.1).
public struct WebAuthentication: Sendable {
    /// The app's redirect URI, as registered at the provider.
    ///
    /// Has a scheme of the app's own, or `https` with a host that the app's associated domains name.
    public let redirectURI: String
    /// Whether the sheet uses a private browser session.
    ///
    /// If true, the user isn't signed in there already, the browser keeps nothing afterwards, and the system doesn't
    /// ask whether the app may use the browser's cookies.
    public let isEphemeral: Bool
    /// The window that the sheet belongs to.
    let anchor: @MainActor @Sendable () -> ASPresentationAnchor

    /// Describes a sheet without showing it.
    ///
    /// - Parameters:
    ///   - redirectURI: The app's redirect URI, as registered at the provider.
    ///   - isEphemeral: Whether the sheet uses a private browser session.
    ///   - anchor: The window that the sheet belongs to. An app with several windows returns the one in use.
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
