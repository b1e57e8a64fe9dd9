/// What Apple is asked with: `ASAuthorizationAppleIDRequest`, where there is one.
public protocol AppleIDRequest: AnyObject {
    /// The SHA-256 of the attempt's nonce, which comes back in the identity token.
    ///
    /// Public.
    var nonce: String? { get set }
}
