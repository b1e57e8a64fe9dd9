public import AuthCore

/// One attempt to sign in with Apple: it has the nonce, and with it the nonce is gone.
///
/// It can't be copied, and ``AuthSession/signIn(with:for:)`` consumes it, whatever the answer is: no nonce is ever used
/// for a second attempt.
public struct AppleSignInAttempt: ~Copyable, Sendable {
    let nonce = Nonce()

    /// Begins an attempt with a new nonce.
    public init() {}

    /// The nonce as Apple is given it, in `ASAuthorizationAppleIDRequest.nonce`: the SHA-256 of the raw one.
    ///
    /// Public.
    public var hashedNonce: String { nonce.sha256 }
}

/// What Apple gave for an attempt.
public struct AppleCredential: Sendable {
    /// The identity token, which the backend verifies.
    ///
    /// Secret.
    public let identityToken: IDToken
    /// Apple's name for the person.
    ///
    /// Proves nothing by itself.
    public let userIdentifier: String?
    /// The address, given at the first sign-in only.
    public let email: String?
    /// The name, given at the first sign-in only.
    public let name: String?

    /// Makes a credential.
    ///
    /// - Parameters:
    ///   - identityToken: The identity token. Secret.
    ///   - userIdentifier: Apple's name for the person.
    ///   - email: The address, where Apple gave it.
    ///   - name: The name, where Apple gave it.
    public init(identityToken: IDToken, userIdentifier: String? = nil, email: String? = nil, name: String? = nil) {
        self.identityToken = identityToken
        self.userIdentifier = userIdentifier
        self.email = email
        self.name = name
    }
}

extension AppleCredential: CustomStringConvertible, CustomReflectable {
    /// Nothing of the person.
    public var description: String { "AppleCredential(<redacted>)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
