/// What an app tells a provider of itself when it makes itself known.
///
/// [RFC 7591, 2](https://www.rfc-editor.org/rfc/rfc7591#section-2).
public struct ClientMetadata: Sendable, Hashable {
    /// The app's name, which the person sees at the provider.
    ///
    /// Wire: `client_name`.
    public var name: String?
    /// Where responses come back to.
    ///
    /// Wire: `redirect_uris`.
    public var redirectURIs: [String]
    /// Where the browser comes back to after signing out.
    ///
    /// Wire: `post_logout_redirect_uris`.
    public var postLogoutRedirectURIs: [String] = []
    /// The scopes that the app will ask for.
    ///
    /// Wire: `scope`.
    public var scope: String?
    /// Whether people will sign in with a code on another device, too.
    ///
    /// Wire: `urn:ietf:params:oauth:grant-type:device_code` among `grant_types`.
    /// [RFC 8628, 3.4](https://www.rfc-editor.org/rfc/rfc8628#section-3.4).
    public var usesDeviceAuthorization = false
    /// Whether the app has no way to keep a secret, as none has that ships to a person.
    public var isPublic = true

    /// Describes an app.
    ///
    /// - Parameters:
    ///   - name: The app's name.
    ///   - redirectURIs: Where responses come back to.
    public init(name: String? = nil, redirectURIs: [String]) {
        self.name = name
        self.redirectURIs = redirectURIs
    }
}
