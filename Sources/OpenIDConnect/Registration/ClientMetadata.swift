// SPDX-License-Identifier: Apache-2.0

/// The metadata with which an app registers as a client.
///
/// [RFC 7591, 2](https://www.rfc-editor.org/rfc/rfc7591#section-2).
public struct ClientMetadata: Sendable, Hashable {
    /// The app's name, which the provider shows to the user.
    ///
    /// Wire: `client_name`.
    public var name: String?
    /// The URIs that authorization responses are sent to.
    ///
    /// Wire: `redirect_uris`.
    public var redirectURIs: [String]
    /// The URIs that the browser returns to after the session ended at the provider.
    ///
    /// Wire: `post_logout_redirect_uris`.
    public var postLogoutRedirectURIs: [String] = []
    /// The scopes that the app will request; nil for those of a sign-in for which the app names none.
    ///
    /// Wire: `scope`.
    public var scope: String?
    /// Whether users also sign in with a code on another device.
    ///
    /// Wire: `urn:ietf:params:oauth:grant-type:device_code` among `grant_types`.
    /// [RFC 8628, 3.4](https://www.rfc-editor.org/rfc/rfc8628#section-3.4).
    public var usesDeviceAuthorization = false
    /// Whether the app can't keep a secret; true for every app that ships to users.
    ///
    /// A provider that doesn't announce the method `none` issues a secret all the same.
    public var isPublic = true

    /// Creates the metadata of an app.
    public init(name: String? = nil, redirectURIs: [String]) {
        self.name = name
        self.redirectURIs = redirectURIs
    }
}
